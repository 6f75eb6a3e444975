import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { OperatorVersionSpec } from '../../src/kudo/resources/operator-version.ts';
import { KudoStage } from './kudo-stage.ts';

const container = (more = ''): string => `      containers:\n      - name: main\n        image: app:1\n${more}`;

/** One template for each kind; with `MORE`, keys and items come in that go again without it. */
const templates: Readonly<Record<string, string>> = {
  'config.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}-config
  labels:
    app: demo
{{- if eq .Params.MORE "yes" }}
    extra: "yes"
  annotations:
    note: extra
{{- end }}
data:
  base: "1"
{{- if eq .Params.MORE "yes" }}
  extra: "2"
{{- end }}
`,
  'account.yaml': `apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .Name }}-account
{{- if eq .Params.MORE "yes" }}
imagePullSecrets:
- name: registry
{{- end }}
`,
  'role.yaml': `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ .Name }}-role
rules:
- apiGroups: [""]
  resources: [pods]
  verbs: [get]
{{- if eq .Params.MORE "yes" }}
- apiGroups: [""]
  resources: [secrets]
  verbs: [list]
{{- end }}
`,
  'binding.yaml': `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ .Name }}-binding
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ .Name }}-role
subjects:
- kind: ServiceAccount
  name: {{ .Name }}-account
  namespace: {{ .Namespace }}
`,
  'cluster-role.yaml': `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ .Namespace }}-{{ .Name }}
rules:
- apiGroups: [""]
  resources: [nodes]
  verbs: [get]
`,
  'claim.yaml': `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ .Name }}-claim
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 1Gi
`,
  'budget.yaml': `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .Name }}-budget
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      app: demo
`,
  'service.yaml': `apiVersion: v1
kind: Service
metadata:
  name: {{ .Name }}-service
spec:
  selector:
    app: demo
  ports:
  - name: http
    port: 80
{{- if eq .Params.MORE "yes" }}
  - name: metrics
    port: 9090
{{- end }}
`,
  'pod.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: {{ .Name }}-pod
spec:
  containers:
  - name: main
    image: app:1
`,
  'daemons.yaml': `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: {{ .Name }}-daemons
spec:
  selector:
    matchLabels:
      app: daemons
  template:
    metadata:
      labels:
        app: daemons
    spec:
${container(`        env:
        - name: BASE
          value: "1"
{{- if eq .Params.MORE "yes" }}
        - name: EXTRA
          value: "2"
{{- end }}
`)}`,
  'nodes.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .Name }}-nodes
spec:
  serviceName: {{ .Name }}-service
  replicas: 1
  selector:
    matchLabels:
      app: nodes
  template:
    metadata:
      labels:
        app: nodes
    spec:
${container()}{{- if eq .Params.MORE "yes" }}
      - name: beside
        image: app:1
      volumes:
      - name: extra
        emptyDir: {}
{{- end }}
  volumeClaimTemplates:
  - metadata:
      name: data
    spec:
      accessModes: [ReadWriteOnce]
      resources:
        requests:
          storage: 1Gi
`,
};

const everything: OperatorVersionSpec = {
  parameters: [{ name: 'MORE', default: 'no' }],
  templates: { ...templates },
  tasks: [{ name: 'all', kind: 'Apply', spec: { resources: Object.keys(templates) } }],
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'all', tasks: ['all'] }] }],
    },
  },
};

const made: readonly (readonly [ResourceType, string])[] = [
  [kinds.configMaps, 'one-config'],
  [kinds.serviceAccounts, 'one-account'],
  [kinds.roles, 'one-role'],
  [kinds.roleBindings, 'one-binding'],
  [kinds.persistentVolumeClaims, 'one-claim'],
  [kinds.podDisruptionBudgets, 'one-budget'],
  [kinds.services, 'one-service'],
  [kinds.pods, 'one-pod'],
  [kinds.daemonSets, 'one-daemons'],
  [kinds.statefulSets, 'one-nodes'],
];

describe('objects of every kind', () => {
  let stage: KudoStage;
  const find = (type: ResourceType, name: string): AnyObject =>
    stage.find(type, name) ?? expect.fail(`there is no ${type.kind} ${name}`);
  const clusterRole = () => stage.embedded.world.get(kinds.clusterRoles, undefined, 'default-one');
  /** What templates say of them, and what must go when they no longer do. */
  const said = () => ({
    config: find(kinds.configMaps, 'one-config').data,
    labels: find(kinds.configMaps, 'one-config').metadata.labels,
    note: find(kinds.configMaps, 'one-config').metadata.annotations?.note,
    secrets: find(kinds.serviceAccounts, 'one-account').imagePullSecrets,
    rules: find(kinds.roles, 'one-role').rules,
    ports: (find(kinds.services, 'one-service').spec as { ports: { name: string }[] }).ports.map(({ name }) => name),
    variables: podSpec(find(kinds.daemonSets, 'one-daemons')).containers.flatMap(({ env = [] }) =>
      env.map(({ name }) => name),
    ),
    containers: podSpec(find(kinds.statefulSets, 'one-nodes')).containers.map(({ name }) => name),
    volumes: podSpec(find(kinds.statefulSets, 'one-nodes')).volumes?.map(({ name }) => name) ?? [],
  });
  let bare: ReturnType<typeof said>;

  beforeAll(async () => {
    ({ stage } = await KudoStage.running(everything));
    await stage.install('one');
    await stage.settled('one', 1);
    bare = said();
  });

  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
  });

  it('are made, belong to the Instance, and say which step made them', () => {
    expect(stage.last('one')).toBe('deploy COMPLETE');
    for (const [type, name] of made) {
      const { metadata } = find(type, name);
      expect(metadata.ownerReferences, name).toMatchObject([{ kind: 'Instance', name: 'one', controller: true }]);
      expect(metadata.labels).toMatchObject({ heritage: 'kudo', 'kudo.dev/instance': 'one' });
      expect(metadata.annotations).toMatchObject({ 'kudo.dev/plan': 'deploy', 'kudo.dev/step': 'all' });
    }
    expect(clusterRole()?.metadata.ownerReferences).toBeUndefined();
  });

  it('get keys and items that come into a template', async () => {
    await stage.set('one', { MORE: 'yes' });
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('deploy COMPLETE');
    expect(said()).toMatchObject({
      config: { base: '1', extra: '2' },
      labels: { extra: 'yes' },
      note: 'extra',
      secrets: [{ name: 'registry' }],
      rules: [{ resources: ['pods'] }, { resources: ['secrets'] }],
      ports: ['http', 'metrics'],
      variables: ['BASE', 'EXTRA'],
      containers: ['main', 'beside'],
      volumes: ['extra'],
    });
  });

  it('lose them when they go from the template, and keep what others added', async () => {
    const name = { namespace: 'default', name: 'one-config' };
    const body = { metadata: { labels: { mine: 'yes' } }, data: { mine: '3', base: 'changed' } };
    await stage.person.resource(kinds.configMaps).patch(name, { type: 'merge', body });
    await stage.set('one', { MORE: 'no' });
    await stage.settled('one', 3);
    const { config, labels, ...rest } = said();
    const { config: oldConfig, labels: oldLabels, ...old } = bare;
    expect(rest).toEqual(old);
    expect(config).toEqual({ ...(oldConfig as object), mine: '3' });
    expect(labels).toEqual({ ...oldLabels, mine: 'yes' });
  });

  it('that cannot be changed are not touched: a Pod, a claim, claim templates', async () => {
    expect(find(kinds.pods, 'one-pod').metadata.annotations).toMatchObject({ 'kudo.dev/plan': 'deploy' });
    expect(stage.embedded.world.list(kinds.persistentVolumeClaims, { namespace: 'default' })).toHaveLength(2);
    await stage.until('they are ready', () => stage.condition('one', 'Ready') === 'True ResourcesReady');
    expect(stage.condition('one', 'Drifted')).toBeUndefined();
  });

  it('go with the Instance, apart from what belongs to nobody', async () => {
    await stage.remove('one');
    await stage.until('they are gone', () => made.every(([type, name]) => !stage.find(type, name)));
    expect(clusterRole()).toBeDefined();
    // Kubernetes keeps what a StatefulSet claimed.
    expect(stage.find(kinds.persistentVolumeClaims, 'data-one-nodes-0')).toBeDefined();
  });
});

interface PodSpec {
  readonly containers: readonly { readonly name: string; readonly env?: readonly { readonly name: string }[] }[];
  readonly volumes?: readonly { readonly name: string }[];
}

function podSpec({ spec }: AnyObject): PodSpec {
  return (spec as { readonly template: { readonly spec: PodSpec } }).template.spec;
}
