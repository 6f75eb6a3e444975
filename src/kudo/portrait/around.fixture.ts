import type { AnyObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Around } from '../../portrait/workload.ts';
import type { InstanceSpec, InstanceStatus } from '../resources/instance.ts';
import type { OperatorVersionSpec } from '../resources/operator-version.ts';

/** Ten minutes after everything of these fixtures began. */
export const now = Date.parse('2026-11-01T10:10:00Z');
export const began = '2026-11-01T10:00:00Z';

/** A cluster that holds these objects. */
export function aroundWith(...objects: readonly AnyObject[]): Around {
  const isOf = (object: AnyObject, { kind }: ResourceType): boolean => object.kind === kind;
  return {
    now,
    list: (type) => objects.filter((object) => isOf(object, type)),
    find: (type, namespace, name) =>
      objects.find(
        ({ metadata, ...object }) =>
          isOf({ metadata, ...object } as AnyObject, type) &&
          metadata.name === name &&
          metadata.namespace === namespace,
      ) ?? 'absent',
  };
}

export function anInstance(
  status: InstanceStatus | undefined = undefined,
  { spec = {}, metadata = {} }: { spec?: InstanceSpec; metadata?: AnyObject['metadata'] } = {},
): AnyObject {
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'db', namespace: 'shop', uid: 'uid-db', generation: 1, creationTimestamp: began, ...metadata },
    spec: { operatorVersion: { name: 'db-1' }, ...spec },
    ...(status && { status }),
  };
}

/** A status that a plan `deploy` left behind when it had completed. */
export function atRest(more: InstanceStatus = {}): InstanceStatus {
  return {
    observedGeneration: 1,
    accepted: { operatorVersion: { name: 'db-1' }, parameters: {} },
    executions: 1,
    planStatus: { deploy: planStatus('COMPLETE', 'COMPLETE') },
    objects: [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'db-conf' },
      { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db-node' },
    ],
    history: [
      {
        uid: 'run-1',
        plan: 'deploy',
        cause: 'install',
        forced: true,
        restartUID: 'run-1',
        startedAt: began,
        endedAt: '2026-11-01T10:00:40Z',
        outcome: 'COMPLETE',
      },
    ],
    conditions: [condition('Ready', 'True', 'ResourcesReady', ''), condition('Accepted', 'True', 'Accepted', '')],
    ...more,
  };
}

type Condition = NonNullable<InstanceStatus['conditions']>[number];

export function condition(type: string, status: Condition['status'], reason: string, message: string): Condition {
  return { type, status, reason, message, lastTransitionTime: '2026-11-01T10:05:00Z' };
}

/** Of a plan with two steps, `main/config` and `main/nodes`. */
export function planStatus(
  config: string,
  nodes: string,
  message?: string,
): NonNullable<InstanceStatus['planStatus']>[string] {
  const status = nodes === 'PENDING' || nodes === 'ERROR' ? 'IN_PROGRESS' : nodes;
  const steps = [
    { name: 'config', status: config },
    { name: 'nodes', status: nodes, ...(message !== undefined && { message }) },
  ];
  return { name: 'deploy', status, phases: [{ name: 'main', status, steps }] };
}

export function aVersion(more: OperatorVersionSpec = {}): AnyObject {
  const spec: OperatorVersionSpec = {
    operator: { name: 'db' },
    version: '1.0.0',
    parameters: [
      { name: 'LEVEL', default: 'info' },
      { name: 'COUNT', default: '2', forcePodRestart: false },
      { name: 'LOGIN', default: 'sesame' },
    ],
    templates: {
      'conf.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-conf\ndata:\n  level: "{{ .Params.LEVEL }}"\n',
      'login.yaml':
        'apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ .Name }}-login\nstringData:\n  login: "{{ .Params.LOGIN }}"\n',
      'nodes.yaml':
        'apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: {{ .Name }}-node\nspec:\n  replicas: {{ .Params.COUNT }}\n  selector:\n    matchLabels:\n      app: db\n  template:\n    metadata:\n      labels:\n        app: db\n    spec:\n      containers:\n      - name: main\n        image: db:1\n      volumes:\n      - name: conf\n        configMap:\n          name: {{ .Name }}-conf\n',
    },
    tasks: [
      { name: 'config', kind: 'Apply', spec: { resources: ['conf.yaml', 'login.yaml'] } },
      { name: 'nodes', kind: 'Apply', spec: { resources: ['nodes.yaml'] } },
    ],
    plans: {
      deploy: {
        strategy: 'serial',
        phases: [
          {
            name: 'main',
            strategy: 'serial',
            steps: [
              { name: 'config', tasks: ['config'] },
              { name: 'nodes', tasks: ['nodes'] },
            ],
          },
        ],
      },
    },
    ...more,
  };
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name: 'db-1', namespace: 'shop' },
    spec,
  };
}
