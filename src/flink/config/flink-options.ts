import type { Option } from './option.ts';
import {
  boolean,
  decimal,
  duration,
  integer,
  list,
  map,
  maps,
  memory,
  oneOf,
  optional,
  port,
  portOrAny,
  text,
  type ValueKind,
} from './value-kind.ts';

const minute = 60_000;
const megabyte = 2 ** 20;
const none: ReadonlyMap<string, string> = new Map();

/** The keys of Flink that we read, with the names they had before. Everything else is passed on unread. */
export const flinkOptions = {
  // Recovery
  haType: flink(['high-availability.type', 'high-availability', 'recovery.mode'], text, 'NONE', 'How recovery works.'),
  haStorageDir: flink(
    ['high-availability.storageDir', 'high-availability.zookeeper.storageDir', 'recovery.zookeeper.storageDir'],
    optional(text),
    undefined,
    'Where metadata for recovery is kept.',
  ),
  haJobManagerPort: flink(['high-availability.jobmanager.port', 'recovery.jobmanager.port'], portOrAny, 0, 'Its port.'),
  savepointPath: flink(
    ['execution.state-recovery.path', 'execution.savepoint.path'],
    optional(text),
    undefined,
    'What the job starts from.',
  ),
  claimMode: flink(
    ['execution.state-recovery.claim-mode', 'execution.savepoint-restore-mode'],
    text,
    'NO_CLAIM',
    'Whether a job owns what it was started from, and may delete it.',
  ),
  pipelineJars: flink(['pipeline.jars'], list, [], 'The jar of the job, where `spec.job.jarURI` does not say it.'),
  fixedJobId: flink(['$internal.pipeline.job-id'], optional(text), undefined, 'The id of the job, when users fix it.'),

  // Checkpoints
  checkpointsDirectory: flink(
    ['execution.checkpointing.dir', 'state.checkpoints.dir', 'state.backend.fs.checkpointdir'],
    optional(text),
    undefined,
    'Where checkpoints are kept.',
  ),
  savepointsDirectory: flink(
    ['execution.checkpointing.savepoint-dir', 'state.savepoints.dir', 'savepoints.state.backend.fs.dir'],
    optional(text),
    undefined,
    'Where savepoints are kept.',
  ),
  checkpointInterval: flink(['execution.checkpointing.interval'], optional(duration), undefined, 'How often.'),
  checkpointStatisticsTimeout: flink(
    ['rest.cache.checkpoint-statistics.timeout'],
    optional(duration),
    undefined,
    'For how long REST repeats what it said of checkpoints; as for all else when it is not set.',
  ),
  webRefreshInterval: flink(
    ['web.refresh-interval'],
    duration,
    3_000,
    'For how long REST repeats what it said of a job.',
  ),
  checkpointTimeout: flink(['execution.checkpointing.timeout'], duration, 10 * minute, 'How long one may take.'),
  tolerableCheckpointFailures: flink(
    ['execution.checkpointing.tolerable-failed-checkpoints'],
    integer,
    0,
    'How many may fail in a row.',
  ),
  retainedCheckpoints: flink(
    ['execution.checkpointing.num-retained', 'state.checkpoints.num-retained'],
    integer,
    1,
    'How many are kept.',
  ),

  // Parallelism
  taskSlots: flink(['taskmanager.numberOfTaskSlots'], integer, 1, 'Slots per TaskManager.'),
  parallelismOverrides: flink(
    ['pipeline.jobvertex-parallelism-overrides'],
    map,
    none,
    'Parallelism of single vertices, by their id.',
  ),
  scheduler: flink(['jobmanager.scheduler'], optional(text), undefined, 'The scheduler.'),
  schedulerMode: flink(['scheduler-mode'], optional(text), undefined, 'Whether the job takes all slots there are.'),

  // Addresses
  restPort: flink(['rest.port', 'web.port', 'jobmanager.web.port'], port, 8081, 'The port of the Service.'),
  restBindPort: flink(
    ['rest.bind-port', 'rest.port', 'web.port', 'jobmanager.web.port'],
    portOrAny,
    8081,
    'The port of the process.',
  ),
  rpcPort: flink(['jobmanager.rpc.port'], portOrAny, 6123, 'The port for other processes of the cluster.'),
  blobPort: flink(['blob.server.port'], portOrAny, 0, 'The port from which they fetch jars.'),
  taskManagerRpcPort: flink(['taskmanager.rpc.port'], portOrAny, 0, 'The port of a TaskManager.'),
  restTls: flink(
    ['security.ssl.rest.enabled', 'security.ssl.enabled'],
    boolean,
    false,
    'Whether REST is spoken over TLS.',
  ),

  // Memory
  jobManagerProcessMemory: flink(
    ['jobmanager.memory.process.size'],
    optional(memory),
    undefined,
    'All memory of the JobManager.',
  ),
  jobManagerFlinkMemory: flink(['jobmanager.memory.flink.size'], optional(memory), undefined, 'Without the JVM’s own.'),
  jobManagerHeap: flink(
    ['jobmanager.memory.heap.size', 'jobmanager.heap.size'],
    optional(memory),
    undefined,
    'Only its heap.',
  ),
  jobManagerOffHeap: flink(['jobmanager.memory.off-heap.size'], memory, 128 * megabyte, 'Beside its heap.'),
  jobManagerMetaspace: flink(['jobmanager.memory.jvm-metaspace.size'], memory, 256 * megabyte, 'For its classes.'),
  jobManagerOverheadMin: flink(
    ['jobmanager.memory.jvm-overhead.min'],
    memory,
    192 * megabyte,
    'For its JVM, at least.',
  ),
  jobManagerOverheadMax: flink(['jobmanager.memory.jvm-overhead.max'], memory, 1024 * megabyte, 'At most.'),
  jobManagerOverheadFraction: flink(['jobmanager.memory.jvm-overhead.fraction'], decimal, 0.1, 'As a part of all.'),
  taskManagerProcessMemory: flink(
    ['taskmanager.memory.process.size'],
    optional(memory),
    undefined,
    'All memory of a TaskManager.',
  ),
  taskManagerFlinkMemory: flink(
    ['taskmanager.memory.flink.size', 'taskmanager.heap.size'],
    optional(memory),
    undefined,
    'Without the JVM’s own.',
  ),
  taskManagerMetaspace: flink(['taskmanager.memory.jvm-metaspace.size'], memory, 256 * megabyte, 'For its classes.'),
  taskManagerOverheadMin: flink(
    ['taskmanager.memory.jvm-overhead.min'],
    memory,
    192 * megabyte,
    'For its JVM, at least.',
  ),
  taskManagerOverheadMax: flink(['taskmanager.memory.jvm-overhead.max'], memory, 1024 * megabyte, 'At most.'),
  taskManagerOverheadFraction: flink(['taskmanager.memory.jvm-overhead.fraction'], decimal, 0.1, 'As a part of all.'),
  taskHeap: flink(['taskmanager.memory.task.heap.size'], optional(memory), undefined, 'The heap of user code.'),
  taskOffHeap: flink(['taskmanager.memory.task.off-heap.size'], memory, 0, 'Beside its heap.'),
  managedMemory: flink(
    ['taskmanager.memory.managed.size', 'taskmanager.memory.size'],
    optional(memory),
    undefined,
    'Memory that Flink manages.',
  ),
  managedFraction: flink(
    ['taskmanager.memory.managed.fraction'],
    decimal,
    0.4,
    'The same as a part of Flink’s memory.',
  ),
  frameworkHeap: flink(['taskmanager.memory.framework.heap.size'], memory, 128 * megabyte, 'The heap of Flink.'),
  frameworkOffHeap: flink(['taskmanager.memory.framework.off-heap.size'], memory, 128 * megabyte, 'Beside its heap.'),
  networkMin: flink(
    ['taskmanager.memory.network.min', 'taskmanager.network.memory.min'],
    memory,
    64 * megabyte,
    'Memory for exchanging records, at least.',
  ),
  networkMax: flink(
    ['taskmanager.memory.network.max', 'taskmanager.network.memory.max'],
    memory,
    Number.MAX_SAFE_INTEGER,
    'At most.',
  ),
  networkFraction: flink(
    ['taskmanager.memory.network.fraction', 'taskmanager.network.memory.fraction'],
    decimal,
    0.1,
    'As a part of Flink’s memory.',
  ),

  // Pods
  image: flink(
    ['kubernetes.container.image.ref', 'kubernetes.container.image'],
    optional(text),
    undefined,
    'The image.',
  ),
  pullPolicy: flink(
    ['kubernetes.container.image.pull-policy'],
    oneOf('IfNotPresent', 'Always', 'Never'),
    'IfNotPresent',
    'When the image is pulled.',
  ),
  pullSecrets: flink(['kubernetes.container.image.pull-secrets'], list, [], 'What it is pulled with.'),
  entryPath: flink(['kubernetes.entry.path'], text, '/docker-entrypoint.sh', 'The command of the containers.'),
  configDirectory: flink(['kubernetes.flink.conf.dir'], text, '/opt/flink/conf', 'Where the configuration is mounted.'),
  logDirectory: flink(['kubernetes.flink.log.dir'], optional(text), undefined, 'Where logs are written.'),
  artifactsInPod: flink(['user.artifacts.base-dir'], text, '/opt/flink/artifacts', 'Where jars are kept in the pod.'),
  hostNetwork: flink(['kubernetes.hostnetwork.enabled'], boolean, false, 'Whether pods use the network of their node.'),
  secrets: flink(['kubernetes.secrets'], map, none, 'Secrets to mount, with the path of each.'),
  secretVariables: flink(['kubernetes.env.secretKeyRef'], maps, [], 'Variables whose values are in secrets.'),
  hadoopConfigMap: flink(
    ['kubernetes.hadoop.conf.config-map.name'],
    optional(text),
    undefined,
    'The ConfigMap with the configuration of Hadoop.',
  ),
  hadoopMount: flink(['kubernetes.decorator.hadoop-conf-mount.enabled'], boolean, true, 'Whether that is mounted.'),
  jobManagerReplicas: flink(['kubernetes.jobmanager.replicas'], integer, 1, 'JobManagers.'),
  jobManagerArguments: flink(['kubernetes.jobmanager.entrypoint.args'], text, '', 'Further arguments.'),
  jobManagerAccount: account('jobmanager'),
  jobManagerCpu: flink(
    ['kubernetes.jobmanager.cpu.amount', 'kubernetes.jobmanager.cpu'],
    decimal,
    1,
    'Cores of the JobManager.',
  ),
  jobManagerCpuLimit: limit('jobmanager', 'cpu'),
  jobManagerMemoryLimit: limit('jobmanager', 'memory'),
  jobManagerLabels: ofPods('jobmanager', 'labels', map, none),
  jobManagerAnnotations: ofPods('jobmanager', 'annotations', map, none),
  jobManagerNodeSelector: ofPods('jobmanager', 'node-selector', map, none),
  jobManagerTolerations: ofPods('jobmanager', 'tolerations', maps, []),
  taskManagerAccount: account('taskmanager'),
  taskManagerCpu: flink(
    ['kubernetes.taskmanager.cpu.amount', 'kubernetes.taskmanager.cpu'],
    decimal,
    -1,
    'Cores of a TaskManager; one per slot when negative.',
  ),
  taskManagerCpuLimit: limit('taskmanager', 'cpu'),
  taskManagerMemoryLimit: limit('taskmanager', 'memory'),
  taskManagerLabels: ofPods('taskmanager', 'labels', map, none),
  taskManagerAnnotations: ofPods('taskmanager', 'annotations', map, none),
  taskManagerNodeSelector: ofPods('taskmanager', 'node-selector', map, none),
  taskManagerTolerations: ofPods('taskmanager', 'tolerations', maps, []),
  taskManagerReplicas: flink(
    ['kubernetes.internal.taskmanager.replicas'],
    optional(integer),
    undefined,
    'TaskManagers.',
  ),

  // The REST Service
  restServiceType: flink(
    ['kubernetes.rest-service.exposed.type'],
    oneOf('ClusterIP', 'NodePort', 'LoadBalancer', 'Headless_ClusterIP'),
    'ClusterIP',
    'How the REST Service is exposed.',
  ),
  restServiceAnnotations: flink(['kubernetes.rest-service.annotations'], map, none, 'Its annotations.'),
  restServiceLabels: flink(['kubernetes.rest-service.labels'], map, none, 'Its labels.'),
} as const;

function flink<T>(
  [key, ...otherKeys]: readonly [string, ...string[]],
  kind: ValueKind<T>,
  otherwise: NoInfer<T>,
  says: string,
): Option<T> {
  return { key, otherKeys, kind, otherwise, scope: 'resource', says };
}

type Process = 'jobmanager' | 'taskmanager';

function ofPods<T>(process: Process, name: string, kind: ValueKind<T>, otherwise: NoInfer<T>): Option<T> {
  return flink([`kubernetes.${process}.${name}`], kind, otherwise, `The ${name} of ${process} pods.`);
}

function account(process: Process): Option<string> {
  return flink(
    [`kubernetes.${process}.service-account`, 'kubernetes.service-account'],
    text,
    'default',
    `The service account of ${process} pods.`,
  );
}

function limit(process: Process, resource: 'cpu' | 'memory'): Option<number> {
  return flink(
    [`kubernetes.${process}.${resource}.limit-factor`],
    decimal,
    1,
    `The ${resource} limit of ${process} pods, as a multiple of what is requested.`,
  );
}
