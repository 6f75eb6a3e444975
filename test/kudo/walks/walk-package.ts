import type { OperatorVersionSpec, Plan } from '../../../src/kudo/resources/operator-version.ts';

const configMap = (name: string, data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-${name}\ndata:\n  ${data}\n`;

const pods = (name: string, image: string, env: string): string => `  selector:
    matchLabels: { app: '{{ .Name }}-${name}' }
  template:
    metadata:
      labels: { app: '{{ .Name }}-${name}' }
    spec:
      terminationGracePeriodSeconds: 1
      containers:
      - name: main
        image: ${image}
        env: [{ name: MODE, value: '${env}' }]
      volumes: [{ name: config, configMap: { name: '{{ .Name }}-${name}' } }]
`;

const nodes = (image: string): string =>
  `apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: {{ .Name }}-node\nspec:\n  serviceName: none\n` +
  `  replicas: {{ .Params.NODES }}\n${pods('node', image, '{{ .Params.MODE }}')}`;

const side = (image: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .Name }}-side\nspec:\n  replicas: 1\n${pods('side', image, 'fixed')}`;

/** A Job that leaves a minute after it is done. */
const once = `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Name }}-once
spec:
  ttlSecondsAfterFinished: 60
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: main, image: busybox, command: ['true'] }]
`;

const serial = (...steps: readonly string[]): Plan => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: steps.map((name) => ({ name, tasks: [name] })) }],
});

/** What of a version people edit in place. */
export interface Edits {
  /** Is in the ConfigMap of the nodes. */
  readonly extra: number;
  /** Whether there is a plan `note`. */
  readonly notes: boolean;
  /** Whether `deploy` has its phases at the same time. */
  readonly parallel: boolean;
  /** Restarts only what reads a ConfigMap that changed. */
  readonly sparing: boolean;
}

export const unedited: Edits = { extra: 0, notes: true, parallel: false, sparing: false };

/**
 * Two workloads with a ConfigMap each. `NODES` is quiet, `LEVEL` is only in the ConfigMap of the nodes, `MODE` is in their
 * template; `SIDE` is in the ConfigMap of the side and triggers a plan of its own; `NOTE` triggers a plan without pods.
 */
export function walkPackage(version: 1 | 2, { extra, notes, parallel, sparing }: Edits): OperatorVersionSpec {
  const image = `app:${version}`;
  const apply = (name: string, ...resources: readonly string[]) =>
    ({ name, kind: 'Apply', spec: { resources: [...resources] } }) as const;
  const deploy = serial('config', 'nodes', 'side', 'extra');
  return {
    version: `0.${version}.0`,
    ...(sparing && { restartPolicy: 'onDependencyChange' }),
    parameters: [
      { name: 'NODES', default: '2', 'value-type': 'integer', forcePodRestart: false },
      { name: 'LEVEL', default: 'info' },
      { name: 'MODE', default: 'plain' },
      { name: 'SIDE', default: 'a', trigger: 'side' },
      ...(notes ? [{ name: 'NOTE', default: 'none', trigger: 'note', forcePodRestart: false }] : []),
      { name: 'EXTRA', default: 'false', 'value-type': 'boolean', forcePodRestart: false },
      { name: 'HANG', default: 'no', trigger: 'hang' },
    ],
    templates: {
      'config.yaml': configMap('node', `app.conf: "level={{ .Params.LEVEL }} extra=${extra}"`),
      'side-config.yaml': configMap('side', 'side.conf: "{{ .Params.SIDE }}"'),
      'note.yaml': configMap('note', 'note: "{{ .Params.NOTE }} {{ randAlphaNum 8 }}"'),
      'nodes.yaml': nodes(image),
      'side.yaml': side(image),
      'extra.yaml': configMap('extra', 'is: there'),
      'once.yaml': once,
      'refused.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: Not_A_Name\n',
      'broken.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Params.NOPE }}\n',
    },
    tasks: [
      apply('config', 'config.yaml'),
      apply('nodes', 'nodes.yaml'),
      apply('side', 'side-config.yaml', 'side.yaml'),
      apply('note', 'note.yaml', 'once.yaml'),
      { name: 'extra', kind: 'Toggle', spec: { parameter: 'EXTRA', resources: ['extra.yaml'] } },
      apply('refused', 'nodes.yaml', 'refused.yaml'),
      apply('broken', 'broken.yaml'),
      { name: 'hang', kind: 'Dummy', spec: { done: false } },
      { name: 'stop', kind: 'Delete', spec: { resources: ['nodes.yaml', 'side.yaml'] } },
    ],
    plans: {
      deploy: parallel
        ? { strategy: 'parallel', phases: (deploy.phases ?? []).map((phase) => ({ ...phase, strategy: 'parallel' })) }
        : deploy,
      side: serial('side'),
      ...(notes && { note: serial('note') }),
      refused: serial('refused'),
      broken: serial('nodes', 'broken'),
      hang: serial('hang'),
      cleanup: serial('stop'),
      ...(version === 2 && { upgrade: serial('config', 'nodes', 'side', 'extra') }),
    },
  };
}
