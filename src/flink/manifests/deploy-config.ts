import { keepCheckpoints, takesJobConfiguration } from '../config/checkpoint-retention.ts';
import { isOperatorKey } from '../config/effective-config.ts';
import type { FlinkConfig } from '../config/flink-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { atLeast } from '../config/flink-version.ts';
import { highAvailability } from '../config/high-availability.ts';
import { type AnyOption, isSet, read } from '../config/option.ts';
import { showList, showMap } from '../config/structured.ts';
import { javaDouble } from '../resources/java-double.ts';
import type { ClusterPlan } from './cluster-plan.ts';
import { jarPath, jarUri } from './job-jar.ts';
import { podAmounts } from './pod-amounts.ts';
import { jobParallelism, taskManagerReplicas } from './task-manager-replicas.ts';

/** On the JobManager's Deployment and pods: the generation of the resource that they were made for. */
export const generationAnnotation = 'flinkdeployment.flink.apache.org/generation';

/** No path of any state: a last-state restore whose HA metadata is lost fails on it, instead of starting empty. */
export const lastStateOnly = 'KUBERNETES_OPERATOR_LAST_STATE';

/** Of no use inside the cluster: files and addresses of whoever deploys it, and addresses that pods choose themselves. */
const notForTheCluster = [
  '$internal.deployment.config-dir',
  'kubernetes.config.file',
  'kubernetes.pod-template-file',
  'kubernetes.pod-template-file.default',
  'kubernetes.pod-template-file.jobmanager',
  'kubernetes.pod-template-file.taskmanager',
  'jobmanager.bind-host',
  'rest.bind-address',
  'taskmanager.bind-host',
  'taskmanager.host',
];

/**
 * The configuration that a cluster gets: what is in force, without what is meant for the operator, with what users leave
 * out and with what must not be otherwise.
 */
export function deployConfig(plan: ClusterPlan, settings: FlinkConfig): FlinkConfig {
  const config = new Map<string, string>();
  for (const [key, value] of settings) if (!isOperatorKey(key)) config.set(key, value);
  for (const key of notForTheCluster) config.delete(key);

  setDefault(config, flinkOptions.restServiceType, 'ClusterIP');
  if (!config.has('web.cancel.enable')) config.set('web.cancel.enable', 'false');

  identify(config, plan);
  pods(config, plan);
  ports(config, plan);
  if (plan.spec.job) application(config, plan);
  else session(config, plan);
  return config;
}

type Draft = Map<string, string>;

function identify(config: Draft, { owner, spec }: ClusterPlan): void {
  force(config, '$internal.flink.version', spec.flinkVersion);
  force(config, 'kubernetes.namespace', owner.namespace);
  force(config, 'kubernetes.cluster-id', owner.name);
  if (highAvailability(config) !== 'none') force(config, 'high-availability.cluster-id', owner.name);

  const annotations = new Map([[generationAnnotation, `${owner.generation}`]]);
  for (const [key, value] of read(config, flinkOptions.jobManagerAnnotations)) {
    if (key !== generationAnnotation) annotations.set(key, value);
  }
  force(config, flinkOptions.jobManagerAnnotations, showMap(annotations));
  const reference = {
    blockOwnerDeletion: 'true',
    controller: 'false',
    name: owner.name,
    uid: owner.uid,
    kind: 'FlinkDeployment',
    apiVersion: 'flink.apache.org/v1beta1',
  };
  force(config, 'kubernetes.jobmanager.owner.reference', showMap(Object.entries(reference)));

  if (spec.mode === 'standalone') {
    force(config, 'kubernetes.internal.cluster-mode', spec.job ? 'APPLICATION' : 'SESSION');
  } else {
    const entry = `Kubernetes${spec.job ? 'Application' : 'Session'}ClusterEntrypoint`;
    force(config, 'kubernetes.internal.jobmanager.entrypoint.class', `org.apache.flink.kubernetes.entrypoint.${entry}`);
    force(config, 'internal.cluster.execution-mode', 'NORMAL');
  }
}

function pods(config: Draft, { spec }: ClusterPlan): void {
  const named = atLeast(spec.flinkVersion, 'v1_17');
  if (spec.image) {
    force(config, flinkOptions.image, spec.image);
    if (!named) rename(config, flinkOptions.image.key, 'kubernetes.container.image');
  }
  force(config, flinkOptions.pullPolicy, spec.imagePullPolicy || undefined);
  force(config, 'kubernetes.service-account', spec.serviceAccount ?? undefined);

  const { jobManager, taskManager } = spec;
  if (jobManager) force(config, flinkOptions.jobManagerReplicas, `${jobManager.replicas ?? 1}`);
  for (const [process, short, options] of [
    [jobManager, 'jobmanager', jobManagerOptions],
    [taskManager, 'taskmanager', taskManagerOptions],
  ] as const) {
    const { cpu, memory, cpuLimit, memoryLimit } = podAmounts(process);
    force(config, options.memory, memory);
    force(config, options.cpu, cpu === undefined ? undefined : javaDouble(cpu));
    if (cpu !== undefined && !named) force(config, `kubernetes.${short}.cpu`, javaDouble(cpu));
    force(config, options.cpuLimit, cpuLimit === undefined ? undefined : javaDouble(cpuLimit));
    force(config, options.memoryLimit, memoryLimit === undefined ? undefined : javaDouble(memoryLimit));
  }
  if (taskManager?.replicas || (spec.mode === 'standalone' && spec.job)) {
    force(config, flinkOptions.taskManagerReplicas, `${taskManagerReplicas(spec, config)}`);
  }
}

const jobManagerOptions = {
  memory: flinkOptions.jobManagerProcessMemory,
  cpu: flinkOptions.jobManagerCpu,
  cpuLimit: flinkOptions.jobManagerCpuLimit,
  memoryLimit: flinkOptions.jobManagerMemoryLimit,
};

const taskManagerOptions = {
  memory: flinkOptions.taskManagerProcessMemory,
  cpu: flinkOptions.taskManagerCpu,
  cpuLimit: flinkOptions.taskManagerCpuLimit,
  memoryLimit: flinkOptions.taskManagerMemoryLimit,
};

/** Services need ports that are known beforehand. */
function ports(config: Draft, { owner, spec }: ClusterPlan): void {
  const ha = highAvailability(config) !== 'none';
  const native = spec.mode !== 'standalone';
  if (native && read(config, flinkOptions.hostNetwork)) {
    // Two JobManagers on one node must not want the same port. Native Flink tells the Service which one it got.
    for (const option of [flinkOptions.restBindPort, flinkOptions.rpcPort, flinkOptions.blobPort]) {
      config.set(option.key, '0');
    }
    config.set(flinkOptions.taskManagerRpcPort.key, '0');
    if (ha) config.set(flinkOptions.haJobManagerPort.key, '0');
  } else {
    fixPort(config, flinkOptions.blobPort, 6124);
    fixPort(config, flinkOptions.taskManagerRpcPort, 6122);
    if (ha) fixPort(config, flinkOptions.haJobManagerPort, read(config, flinkOptions.rpcPort));
  }
  if (!ha || !native) force(config, 'jobmanager.rpc.address', `${owner.name}.${owner.namespace}`);
}

function fixPort(config: Draft, option: typeof flinkOptions.blobPort, port: number): void {
  if (!isSet(config, option) || config.get(option.key)?.trim() === '0') config.set(option.key, `${port}`);
}

function session(config: Draft, { spec }: ClusterPlan): void {
  force(config, 'execution.target', spec.mode === 'standalone' ? 'remote' : 'kubernetes-session');
  if (!takesJobConfiguration(spec.flinkVersion)) setDefault(config, ...keepCheckpoints);
}

function application(config: Draft, plan: ClusterPlan): void {
  const { owner, spec, restore, haWithCheckpoint, jobId } = plan;
  const job = spec.job ?? {};
  const standalone = spec.mode === 'standalone';

  setDefault(config, 'pipeline.name', owner.name);
  setDefault(config, ...keepCheckpoints);
  setDefault(config, 'execution.submit-failed-job-on-application-error', 'true');
  if (job.upgradeMode === 'last-state') setDefault(config, flinkOptions.checkpointInterval, '5 min');

  force(config, 'execution.target', standalone ? 'remote' : 'kubernetes-application');
  // The cluster of a job that has ended must stay, so that it can be asked how it ended.
  force(config, 'execution.shutdown-on-application-finish', 'false');
  force(config, 'parallelism.default', `${jobParallelism(spec, config)}`);
  force(config, '$internal.application.main', job.entryClass ?? undefined);
  force(config, '$internal.application.program-args', showList(job.args ?? []));
  if (job.allowNonRestoredState !== undefined && job.allowNonRestoredState !== null) {
    config.delete('execution.state-recovery.ignore-unclaimed-state');
    force(config, 'execution.savepoint.ignore-unclaimed-state', `${job.allowNonRestoredState}`);
  }
  if (job.jarURI) {
    if (standalone) config.set('pipeline.classpaths', showList([jarPath(job.jarURI)]));
    else config.set('pipeline.jars', showList([jarUri(job.jarURI)]));
  }
  if (!isSet(config, flinkOptions.fixedJobId)) force(config, flinkOptions.fixedJobId, jobId);

  for (const key of [flinkOptions.savepointPath.key, ...flinkOptions.savepointPath.otherKeys]) config.delete(key);
  if (restore.mode === 'last-state' && haWithCheckpoint) config.set('execution.savepoint.path', lastStateOnly);
  else if (restore.mode !== 'stateless') force(config, 'execution.savepoint.path', restore.path);

  const storage = read(config, flinkOptions.haStorageDir);
  if (storage) {
    // Results of earlier deployments must not count: a job that ended once would be taken for one that has ended now.
    const folder = plan.id.replaceAll(/[^\w.-]/g, '-');
    config.set(
      'job-result-store.storage-path',
      `${storage.replace(/\/+$/, '')}/job-result-store/${owner.name}/${folder}`,
    );
    setDefault(config, 'job-result-store.delete-on-commit', 'false');
  }
}

/** Sets an option under its present name, and forgets its older ones; they would be read in its place, or clash with it. */
function force(config: Draft, option: AnyOption | string, value: string | undefined): void {
  if (value === undefined) return;
  if (typeof option !== 'string') for (const key of option.otherKeys) config.delete(key);
  config.set(typeof option === 'string' ? option : option.key, value);
}

function setDefault(config: Draft, option: AnyOption | string, value: string): void {
  const set = typeof option === 'string' ? config.has(option) : isSet(config, option);
  if (!set) config.set(typeof option === 'string' ? option : option.key, value);
}

function rename(config: Draft, from: string, to: string): void {
  const value = config.get(from);
  config.delete(from);
  if (value !== undefined) config.set(to, value);
}
