import type { OperatorVersion, OperatorVersionSpec, Parameter } from '../resources/operator-version.ts';

/** A version whose plan `deploy` applies all templates, in the order they are given, unless it says otherwise. */
export function versionOf(made: {
  readonly templates: Readonly<Record<string, string>>;
  readonly parameters: readonly Parameter[];
  readonly tasks?: OperatorVersionSpec['tasks'];
  readonly plans?: OperatorVersionSpec['plans'];
  readonly restartPolicy?: OperatorVersionSpec['restartPolicy'];
}): OperatorVersion {
  const { templates, parameters, tasks, plans, restartPolicy } = made;
  const deploy = { phases: [{ name: 'main', steps: [{ name: 'all', tasks: ['all'] }] }] };
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name: 'shape-1.0.0' },
    spec: {
      operator: { name: 'shape' },
      version: '1.0.0',
      templates,
      parameters: [...parameters],
      tasks: tasks ?? [{ name: 'all', kind: 'Apply', spec: { resources: Object.keys(templates) } }],
      plans: plans ?? { deploy },
      ...(restartPolicy && { restartPolicy }),
    },
  };
}

/** A StatefulSet with a container whose arguments are given; its pods mount the ConfigMaps named. */
export function statefulSet(made: {
  readonly name: string;
  readonly replicas?: string;
  readonly args?: string;
  readonly env?: string;
  readonly mounts?: readonly string[];
}): string {
  const { name, replicas = '1', args = 'run', env, mounts = [] } = made;
  return `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: ${name}
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
        - name: node
          image: app
          args: ["${args}"]
          ${env === undefined ? '' : `env: [${env}]`}
      volumes: [${mounts.map((map) => `{ name: ${map}, configMap: { name: ${map} } }`).join(', ')}]
`;
}

export function configMap(name: string, data: Readonly<Record<string, string>>): string {
  const lines = Object.entries(data).map(([key, value]) => `  ${key}: "${value}"\n`);
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n${lines.join('')}`;
}

/** Seeds as Cassandra's package chooses them: the first two of at least three nodes, else the first alone. */
const seeds = '{{ if gt (atoi .Params.NODE_COUNT) 2 }}node-0,node-1{{ else }}node-0{{ end }}';

/** A database: its seeds depend on the number of nodes, its heap is in a script, its memory in both. */
export const cassandra = versionOf({
  templates: {
    'conf.yaml': configMap('cassandra-conf', {
      'cassandra-env.sh': 'HEAP={{ .Params.HEAP_SIZE }} MEM={{ .Params.NODE_MEM_MIB }}',
      'seeds.txt': seeds,
    }),
    'node.yaml': statefulSet({
      name: 'cassandra-node',
      replicas: '{{ .Params.NODE_COUNT }}',
      args: '--memory={{ .Params.NODE_MEM_MIB }}',
      mounts: ['cassandra-conf'],
    }),
  },
  parameters: [
    { name: 'NODE_COUNT', default: '3', 'value-type': 'integer', forcePodRestart: false },
    { name: 'HEAP_SIZE', default: '512M' },
    { name: 'NODE_MEM_MIB', default: '1024', 'value-type': 'integer' },
  ],
});

/** Brokers and, beside them, a Deployment whose configuration names all brokers. */
export const kafka = versionOf({
  templates: {
    'broker-conf.yaml': configMap('broker-conf', {
      'server.properties': 'retention={{ .Params.LOG_RETENTION_HOURS }}',
    }),
    'broker.yaml': statefulSet({ name: 'broker', replicas: '{{ .Params.BROKER_COUNT }}', mounts: ['broker-conf'] }),
    'connect-conf.yaml': configMap('connect-conf', { 'connect.properties': 'brokers={{ .Params.BROKER_COUNT }}' }),
    'connect.yaml': statefulSet({ name: 'connect', mounts: ['connect-conf'] }).replace('StatefulSet', 'Deployment'),
  },
  parameters: [
    { name: 'BROKER_COUNT', default: '3', forcePodRestart: false },
    { name: 'LOG_RETENTION_HOURS', default: '168' },
  ],
});

/** Servers that are told on the command line how many they are. */
export const zookeeper = versionOf({
  templates: {
    'server.yaml': statefulSet({
      name: 'zookeeper',
      replicas: '{{ .Params.NODE_COUNT }}',
      args: '--servers={{ .Params.NODE_COUNT }}',
    }),
  },
  parameters: [{ name: 'NODE_COUNT', default: '3', forcePodRestart: false }],
});
