import { stringify } from 'yaml';
import { FLINK_JOB } from '../../../rig/flink/distribution.ts';
import { FLINKS } from '../../../rig/parts.ts';
import { KEYS, type Volume } from './volume.ts';

/** Each with the keys that its own documentation uses for the places of checkpoints and savepoints. */
const VERSIONS = {
  v1_20: { tag: FLINKS['flink-1.20'], checkpoints: 'state.checkpoints.dir', savepoints: 'state.savepoints.dir' },
  v2_3: {
    tag: FLINKS['flink-2.3'],
    checkpoints: 'execution.checkpointing.dir',
    savepoints: 'execution.checkpointing.savepoint-dir',
  },
} as const;

type Version = keyof typeof VERSIONS;

/** What a scenario says about its cluster; all else is the same for all. */
export interface ClusterChoice {
  readonly name: string;
  readonly version: Version;
  readonly mode?: 'native' | 'standalone';
  /** More configuration, or other values. */
  readonly configuration?: Readonly<Record<string, string>>;
}

export interface JobChoice {
  /** Where the counting job is. Default: in Flink's image. */
  readonly jarURI?: string;
  readonly upgradeMode: 'stateless' | 'savepoint' | 'last-state';
}

/** Recovery by Kubernetes: the JobManager finds its job again after it was killed. */
export function highAvailability({ mountPath }: Volume): Readonly<Record<string, string>> {
  return { 'high-availability.type': 'kubernetes', 'high-availability.storageDir': `file://${mountPath}/ha` };
}

/** Processes as small as Flink runs in. They ask for little CPU, and get what there is. */
const SMALL = {
  'jobmanager.memory.jvm-metaspace.size': '112m',
  'jobmanager.memory.off-heap.size': '32m',
  'jobmanager.memory.jvm-overhead.min': '64m',
  'jobmanager.memory.jvm-overhead.max': '64m',
  'taskmanager.memory.managed.size': '0',
  'taskmanager.memory.network.min': '16m',
  'taskmanager.memory.network.max': '16m',
  'taskmanager.memory.framework.heap.size': '48m',
  'taskmanager.memory.framework.off-heap.size': '48m',
  'taskmanager.memory.jvm-metaspace.size': '96m',
  'taskmanager.memory.jvm-overhead.min': '64m',
  'taskmanager.memory.jvm-overhead.max': '64m',
  'kubernetes.jobmanager.cpu.limit-factor': '20',
  'kubernetes.taskmanager.cpu.limit-factor': '20',
  'env.java.opts.all': '-XX:+UseSerialGC -XX:TieredStopAtLevel=1',
} as const;

const RESOURCE = { memory: '512m', cpu: 0.1 } as const;
export const SERVICE_ACCOUNT = 'flink';

/** An application cluster that counts. */
export function application(volume: Volume, cluster: ClusterChoice, job: JobChoice): string {
  return flinkDeployment(volume, cluster, countingJob(volume, cluster.name, job));
}

/** A cluster that waits for jobs. */
export function session(volume: Volume, cluster: ClusterChoice): string {
  return flinkDeployment(volume, cluster, undefined);
}

export interface SessionJobChoice extends JobChoice {
  readonly name: string;
  readonly cluster: ClusterChoice;
}

/** A job that counts in a session cluster. */
export function sessionJob(volume: Volume, choice: SessionJobChoice): string {
  const { name, cluster } = choice;
  return stringify({
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkSessionJob',
    metadata: { name },
    spec: {
      deploymentName: cluster.name,
      flinkConfiguration: directories(volume, cluster.version, name),
      job: countingJob(volume, name, choice),
    },
  });
}

/** The arguments of the counting job; another revision is another spec, and changes nothing else. */
export function countingArguments({ mountPath }: Volume, name: string, revision: number): readonly string[] {
  return [
    ...['--label', name, '--keys', String(KEYS), '--rate', '50', '--out', `${mountPath}/out`],
    ...['--hold-file', `${mountPath}/hold`, '--revision', String(revision)],
  ];
}

function countingJob(volume: Volume, name: string, choice: JobChoice): object {
  const { jarURI = FLINK_JOB.inImage, upgradeMode } = choice;
  return { jarURI, args: countingArguments(volume, name, 1), parallelism: 1, upgradeMode, state: 'running' };
}

function flinkDeployment(volume: Volume, cluster: ClusterChoice, job: object | undefined): string {
  const { name, version, mode = 'native', configuration } = cluster;
  return stringify({
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkDeployment',
    metadata: { name },
    spec: {
      image: `docker.io/library/flink:${VERSIONS[version].tag}`,
      imagePullPolicy: 'IfNotPresent',
      flinkVersion: version,
      mode,
      serviceAccount: SERVICE_ACCOUNT,
      flinkConfiguration: {
        ...SMALL,
        ...directories(volume, version, name),
        'taskmanager.numberOfTaskSlots': '1',
        ...configuration,
      },
      podTemplate: {
        spec: {
          containers: [{ name: 'flink-main-container', volumeMounts: [{ name: 'data', mountPath: volume.mountPath }] }],
          volumes: [{ name: 'data', hostPath: { path: volume.directory, type: 'Directory' } }],
          terminationGracePeriodSeconds: 2,
        },
      },
      jobManager: { resource: RESOURCE },
      taskManager: { resource: RESOURCE, ...(mode === 'standalone' && { replicas: 1 }) },
      ...(job && { job }),
    },
  });
}

function directories({ mountPath }: Volume, version: Version, name: string): Readonly<Record<string, string>> {
  const { checkpoints, savepoints } = VERSIONS[version];
  return {
    [checkpoints]: `file://${mountPath}/checkpoints/${name}`,
    [savepoints]: `file://${mountPath}/savepoints/${name}`,
  };
}
