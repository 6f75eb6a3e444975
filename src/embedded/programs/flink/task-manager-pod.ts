import { parse } from 'yaml';
import type { OwnerReference } from '../../../kube/object.ts';
import type { Container, Pod } from '../../kinds/objects/pod.ts';
import type { Files } from '../program.ts';
import type { Configuration } from './configuration.ts';

const mainContainer = 'flink-main-container';
const templateFile = '/opt/flink/pod-template/taskmanager-pod-template.yaml';

export const taskManagerLabels = (clusterId: string): Readonly<Record<string, string>> => ({
  app: clusterId,
  component: 'taskmanager',
  type: 'flink-native-kubernetes',
});

/** The pod that a native JobManager makes for a TaskManager, from its configuration and the mounted template. */
export function taskManagerPod(
  configuration: Configuration,
  files: Files,
  name: string,
  image: string,
  owner: OwnerReference,
): Pod {
  const clusterId = configuration.text('kubernetes.cluster-id') ?? '';
  const template = templateOf(files);
  const account =
    configuration.text('kubernetes.taskmanager.service-account') ?? configuration.text('kubernetes.service-account');
  const containers = template.spec?.containers ?? [];
  const given = containers.find((one) => one.name === mainContainer);
  const main = mainOf(configuration, given, clusterId, name, image);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: configuration.text('kubernetes.namespace') ?? 'default',
      labels: {
        ...template.metadata?.labels,
        ...configuration.map('kubernetes.taskmanager.labels'),
        ...taskManagerLabels(clusterId),
      },
      annotations: { ...template.metadata?.annotations, ...configuration.map('kubernetes.taskmanager.annotations') },
      ownerReferences: [owner],
    },
    spec: {
      ...template.spec,
      restartPolicy: 'Never',
      ...(account && { serviceAccountName: account }),
      containers: [main, ...containers.filter((one) => one !== given)],
      volumes: [
        ...(template.spec?.volumes ?? []),
        { name: 'flink-config-volume', configMap: { name: `flink-config-${clusterId}` } },
      ],
    },
  };
}

function mainOf(
  configuration: Configuration,
  given: Container | undefined,
  clusterId: string,
  name: string,
  image: string,
): Container {
  const memory = configuration.mebibytes('taskmanager.memory.process.size', 1728);
  const slots = configuration.integer('taskmanager.numberOfTaskSlots', 1);
  const cpu = configuration.number('kubernetes.taskmanager.cpu.amount', slots);
  const factor = (what: string): number => configuration.number(`kubernetes.taskmanager.${what}.limit-factor`, 1);
  const properties = [
    `-Djobmanager.rpc.address='${configuration.text('jobmanager.rpc.address') ?? clusterId}'`,
    `-Dtaskmanager.resource-id='${name}'`,
    `-Dtaskmanager.numberOfTaskSlots=${slots}`,
  ].join(' ');
  return {
    ...given,
    name: mainContainer,
    image:
      configuration.text('kubernetes.container.image.ref') ?? configuration.text('kubernetes.container.image') ?? image,
    imagePullPolicy: configuration.text('kubernetes.container.image.pull-policy') ?? 'IfNotPresent',
    command: [configuration.text('kubernetes.entry.path') ?? '/docker-entrypoint.sh'],
    args: ['bash', '-c', `kubernetes-taskmanager.sh ${properties} `],
    env: [
      ...(given?.env ?? []),
      { name: 'FLINK_TM_JVM_MEM_OPTS', value: `-Xmx${Math.floor(memory / 2)}m` },
      { name: '_POD_NODE_ID', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    ],
    ports: [
      ...(given?.ports ?? []),
      { name: 'taskmanager-rpc', containerPort: configuration.integer('taskmanager.rpc.port', 6122) },
    ],
    resources: {
      requests: { ...given?.resources?.requests, cpu: String(cpu), memory: `${memory}Mi` },
      limits: {
        ...given?.resources?.limits,
        cpu: String(cpu * factor('cpu')),
        memory: `${Math.floor(memory * factor('memory'))}Mi`,
      },
    },
    volumeMounts: [...(given?.volumeMounts ?? []), { name: 'flink-config-volume', mountPath: '/opt/flink/conf' }],
  };
}

/** The mounted template. What is not YAML counts as none: the pod then has nothing of it. */
function templateOf(files: Files): Partial<Pick<Pod, 'metadata' | 'spec'>> {
  const content = files.read(templateFile);
  if (!content) return {};
  try {
    const value: unknown = parse(Buffer.from(content).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Pick<Pod, 'metadata' | 'spec'>) : {};
  } catch {
    return {};
  }
}
