import type {
  FlinkBlueGreenDeployment,
  FlinkBlueGreenDeploymentSpec,
} from '../../src/flink/resources/flink-blue-green-deployment.ts';
import type { FlinkDeployment, FlinkDeploymentSpec } from '../../src/flink/resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../../src/flink/resources/flink-session-job.ts';
import type { JobSpec } from '../../src/flink/resources/job-spec.ts';

export const namespace = 'default';
export const account = 'flink';

/** How many records a second the job reads, and how often it makes a checkpoint. */
export const rate = 10;
export const checkpointMs = 10_000;

/** What a scenario says about its cluster; all else is the same for all. */
export interface ClusterChoice {
  readonly name?: string;
  readonly flinkVersion?: 'v1_20' | 'v2_3';
  readonly mode?: 'native' | 'standalone';
  /** Kubernetes high availability. */
  readonly ha?: boolean;
  readonly configuration?: Readonly<Record<string, string>>;
  readonly job?: Partial<JobSpec>;
  readonly spec?: Partial<FlinkDeploymentSpec>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A job that counts, in a cluster of its own. */
export function application(choice: ClusterChoice = {}): FlinkDeployment {
  const { job, ...cluster } = choice;
  return deployment(cluster, { jarURI: 'local:///opt/flink/usrlib/count.jar', ...counting(job) });
}

/** What a scenario says about a blue/green deployment. */
export interface BlueGreenChoice extends ClusterChoice {
  /** Of the transitions, without `kubernetes.operator.bluegreen.`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly ingress?: FlinkBlueGreenDeploymentSpec['ingress'];
  readonly metadata?: NonNullable<FlinkBlueGreenDeploymentSpec['template']>['metadata'];
}

/** A job that counts, of which a new version takes over from the old one while that runs. */
export function blueGreen(choice: BlueGreenChoice = {}): FlinkBlueGreenDeployment {
  const { settings = {}, ingress, metadata, ...cluster } = choice;
  const { apiVersion, metadata: named, spec } = application(cluster);
  const configuration = Object.entries(settings).map(([key, value]) => [`kubernetes.operator.bluegreen.${key}`, value]);
  return {
    apiVersion,
    kind: 'FlinkBlueGreenDeployment',
    metadata: named,
    spec: {
      configuration: Object.fromEntries(configuration),
      ...(ingress && { ingress }),
      template: { ...(metadata && { metadata }), spec },
    },
  };
}

/** A cluster that waits for jobs. */
export function session(choice: Omit<ClusterChoice, 'job'> = {}): FlinkDeployment {
  return deployment({ name: 'session', ...choice }, undefined);
}

/** A job that counts, in the session cluster `session`. */
export function sessionJob(
  choice: Pick<ClusterChoice, 'name' | 'job' | 'configuration'> & { readonly cluster?: string } = {},
): FlinkSessionJob {
  const { name = 'job', cluster = 'session', configuration, job } = choice;
  return {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkSessionJob',
    metadata: { name, namespace },
    spec: {
      deploymentName: cluster,
      job: counting({ args: ['--rate', String(rate), '--label', name], ...job }),
      ...(configuration && { flinkConfiguration: { ...configuration } }),
    },
  };
}

function counting(job: Partial<JobSpec> = {}): JobSpec {
  return { args: ['--rate', String(rate)], parallelism: 2, upgradeMode: 'savepoint', state: 'running', ...job };
}

function deployment(choice: Omit<ClusterChoice, 'job'>, job: JobSpec | undefined): FlinkDeployment {
  const { name = 'orders', flinkVersion = 'v1_20', mode, ha, configuration, spec, annotations } = choice;
  return {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkDeployment',
    metadata: { name, namespace, ...(annotations && { annotations: { ...annotations } }) },
    spec: {
      image: `flink:${flinkVersion.slice(1).replace('_', '.')}`,
      flinkVersion,
      serviceAccount: account,
      ...(mode && { mode }),
      flinkConfiguration: {
        'execution.checkpointing.interval': `${checkpointMs / 1000} s`,
        'state.checkpoints.dir': `s3://bucket/${name}/cp`,
        'state.savepoints.dir': `s3://bucket/${name}/sp`,
        'taskmanager.numberOfTaskSlots': '2',
        ...(ha && { 'high-availability.type': 'kubernetes', 'high-availability.storageDir': `s3://bucket/${name}/ha` }),
        ...configuration,
      },
      jobManager: { resource: { memory: '1g', cpu: 0.5 } },
      taskManager: { resource: { memory: '1g', cpu: 0.5 } },
      ...(job && { job }),
      ...spec,
    },
  };
}
