import { idleOptions } from './idle-options.ts';
import type { Option } from './option.ts';
import {
  boolean,
  duration,
  integer,
  list,
  map,
  oneOf,
  optional,
  patterns,
  text,
  type ValueKind,
} from './value-kind.ts';

const [second, minute, hour] = [1000, 60_000, 3_600_000];

/**
 * The keys of the operator itself, `kubernetes.operator.…`, that do something. The names are the Java operator's; so are the
 * defaults, except where that one polls what we watch. Its other keys are `idleOptions`.
 */
export const operatorOptions = {
  // How often is looked
  reconcileInterval: own(
    'reconcile.interval',
    duration,
    minute,
    'How often a job at rest is asked how it is. What Kubernetes tells is acted upon at once.',
  ),
  progressCheckInterval: own(
    'observer.progress-check.interval',
    duration,
    second,
    'How often something under way (a start, a savepoint, a cancellation) is asked about.',
  ),
  restReadyDelay: own(
    'observer.rest-ready.delay',
    duration,
    0,
    'How long a JobManager must have been available before it counts as ready. Not needed: it is asked until it answers.',
  ),
  reconcileParallelism: atStart(
    own('reconcile.parallelism', integer, 50, 'How many resources of a kind are worked on at once.'),
  ),

  // Calls and clean-up
  clientTimeout: atStart(own('flink.client.timeout', duration, 10 * second, 'How long Flink may take to answer.')),
  cancelTimeout: atStart(
    own('flink.client.cancel.timeout', duration, minute, 'How long Flink may take to cancel a job.'),
  ),
  submissionTimeout: atStart(
    own('job.submission.timeout', duration, 10 * minute, 'How long a session job may take to start.'),
  ),
  cleanupTimeout: own('resource.cleanup.timeout', duration, 5 * minute, 'How long a cluster may take to go.'),

  // Upgrades
  rollbackEnabled: shared(
    'deployment.rollback.enabled',
    boolean,
    false,
    'A new spec that does not become stable in time is taken back.',
  ),
  readinessTimeout: shared('deployment.readiness.timeout', duration, 5 * minute, 'How long a new spec may take.'),
  ignorePendingSavepoint: shared(
    'job.upgrade.ignore-pending-savepoint',
    boolean,
    false,
    'An upgrade does not wait for a savepoint that is being taken.',
  ),
  inplaceScaling: shared(
    'job.upgrade.inplace-scaling.enabled',
    boolean,
    true,
    'Vertices of jobs with the adaptive scheduler are rescaled without a restart.',
  ),
  lastStateFallback: shared(
    'job.upgrade.last-state-fallback.enabled',
    boolean,
    true,
    'A job that is to be stopped with a savepoint but does not run goes on from its last checkpoint.',
  ),
  maxCheckpointAge: shared(
    'job.upgrade.last-state.max.allowed.checkpoint.age',
    optional(duration),
    undefined,
    'With an older last checkpoint, a last-state upgrade takes a savepoint instead.',
  ),
  lastStateJobCancel: shared(
    'job.upgrade.last-state.job-cancel.enabled',
    boolean,
    false,
    'A last-state upgrade cancels the job instead of deleting its cluster.',
  ),
  restartFailedJobs: shared('job.restart.failed', boolean, false, 'Jobs that end as FAILED are started again.'),
  savepointOnDeletion: shared('job.savepoint-on-deletion', boolean, false, 'A deleted job leaves a savepoint behind.'),
  drainOnDeletion: shared(
    'job.drain-on-savepoint-deletion',
    boolean,
    false,
    'Stopping with a savepoint lets the job process all its input first.',
  ),

  // The JobManager, and how well the cluster is
  recoveryEnabled: shared(
    'jm-deployment-recovery.enabled',
    boolean,
    true,
    'A missing JobManager Deployment is made anew.',
  ),
  shutdownTtl: shared(
    'jm-deployment.shutdown-ttl',
    duration,
    24 * hour,
    'How long the JobManager of an ended job stays.',
  ),
  startupProbe: shared(
    'jm-deployment.startup.probe.enabled',
    boolean,
    true,
    'The JobManager counts as started when its REST endpoint answers.',
  ),
  healthCheck: shared('cluster.health-check.enabled', boolean, false, 'Unhealthy jobs are restarted.'),
  restartsWindow: shared(
    'cluster.health-check.restarts.window',
    duration,
    2 * minute,
    'The time in which restarts of a job are counted.',
  ),
  restartsThreshold: shared(
    'cluster.health-check.restarts.threshold',
    integer,
    64,
    'More restarts than this make a job unhealthy.',
  ),
  checkpointProgress: shared(
    'cluster.health-check.checkpoint-progress.enabled',
    boolean,
    true,
    'A job whose checkpoints do not complete is unhealthy.',
  ),
  checkpointProgressWindow: shared(
    'cluster.health-check.checkpoint-progress.window',
    optional(duration),
    undefined,
    'How long checkpoints may fail; by default it follows from interval, timeout and tolerated failures.',
  ),
  mergeArraysByName: shared(
    'pod-template.merge-arrays-by-name',
    boolean,
    false,
    'Lists of pod templates are merged by the names of their elements instead of their positions.',
  ),
  ingressManage: own('ingress.manage', boolean, true, 'Ingresses are made and kept up to date.'),

  // Savepoints and checkpoints
  savepointGracePeriod: shared('savepoint.trigger.grace-period', duration, minute, 'How long a savepoint is retried.'),
  checkpointGracePeriod: shared(
    'checkpoint.trigger.grace-period',
    duration,
    minute,
    'How long a checkpoint is retried.',
  ),
  savepointFormat: shared(
    'savepoint.format.type',
    oneOf('CANONICAL', 'NATIVE'),
    'CANONICAL',
    'The format of savepoints: canonical ones can be restored by any state backend.',
  ),
  checkpointType: shared(
    'checkpoint.type',
    oneOf('FULL', 'INCREMENTAL', 'CONFIGURED'),
    'FULL',
    'The type of checkpoints that are asked for.',
  ),
  periodicSavepoints: shared(
    'periodic.savepoint.interval',
    text,
    '',
    'When savepoints are taken: a duration or a Quartz cron expression; never when empty.',
  ),
  periodicCheckpoints: shared(
    'periodic.checkpoint.interval',
    text,
    '',
    'When checkpoints are taken beside those of the job itself; as above.',
  ),
  snapshotResources: shared(
    'snapshot.resource.enabled',
    boolean,
    true,
    'Savepoints and checkpoints are kept as FlinkStateSnapshots, not in the status of their job.',
  ),
  savepointCleanup: shared('savepoint.cleanup.enabled', boolean, true, 'Old savepoints are removed.'),
  savepointMaxCount: shared('savepoint.history.max.count', integer, 10, 'How many savepoints are kept.'),
  savepointMaxCountThreshold: own(
    'savepoint.history.max.count.threshold',
    optional(integer),
    undefined,
    'The most that a resource may ask to keep.',
  ),
  savepointMaxAge: shared('savepoint.history.max.age', duration, 24 * hour, 'How long savepoints are kept.'),
  savepointMaxAgeThreshold: own(
    'savepoint.history.max.age.threshold',
    optional(duration),
    undefined,
    'The longest that a resource may ask to keep them.',
  ),
  disposeOnDelete: shared(
    'savepoint.dispose-on-delete',
    boolean,
    false,
    'The files of a savepoint that was made here go with its FlinkStateSnapshot.',
  ),

  // Sessions and their jobs
  blockOnSessionJobs: shared(
    'session.deletion.block-on-session-jobs',
    boolean,
    true,
    'A session cluster is not deleted while there are FlinkSessionJobs for it.',
  ),
  blockOnUnmanagedJobs: shared(
    'session.deletion.block-on-unmanaged-jobs',
    boolean,
    true,
    'A session cluster is not deleted while jobs run in it that nobody manages.',
  ),
  artifactHeaders: shared('user.artifacts.http.header', map, new Map(), 'Headers to fetch jars with.'),
  artifactSchemes: own('user.artifacts.allowed-schemes', list, ['https'], 'Where jars may be fetched from.'),
  artifactRestrictedHosts: own(
    'user.artifacts.disallow-restricted-hosts',
    boolean,
    true,
    'Jars are not fetched from addresses within the cluster or the machine.',
  ),

  // What people are told
  stackTraces: own(
    'exception.stacktrace.enabled',
    boolean,
    false,
    'The stack trace of a failed job is part of its `status.error`.',
  ),
  stackTraceLength: own(
    'exception.stacktrace.max.length',
    integer,
    2048,
    'How many characters of it; no more than 4096 are kept.',
  ),
  errorFieldLength: own(
    'exception.field.max.length',
    integer,
    2048,
    'How many characters each other field of `status.error` may have.',
  ),
  errorCauses: own(
    'exception.throwable.list.max.count',
    integer,
    2,
    'How many causes `status.error` lists, the outermost first.',
  ),
  errorLabels: own(
    'exception.label.mapper',
    patterns,
    [],
    'Labels that `status.error` gets by regular expressions (JavaScript’s) that match it or one of its causes.',
  ),
  exceptionLines: own(
    'events.exceptions.stacktrace-lines',
    integer,
    5,
    'How many lines of a stack trace the event about an exception has.',
  ),
  exceptionLimit: own(
    'events.exceptions.limit-per-reconciliation',
    integer,
    10,
    'How many exceptions of a job become events at once.',
  ),

  // The operator as a program
  watchedNamespaces: atStart(
    own(
      'watched.namespaces',
      text,
      '',
      'Namespaces that are watched, separated by commas; all when empty. `WATCH_NAMESPACES` comes first.',
    ),
  ),
  dynamicConfig: own(
    'dynamic.config.enabled',
    boolean,
    true,
    'The file or directory of this configuration is read again now and then.',
  ),
  dynamicConfigInterval: own('dynamic.config.check.interval', duration, 5 * minute, 'How often.'),
  labelSelector: atStart(own('label.selector', text, '', 'Only resources with these labels are worked on.')),
  leaseName: atStart(
    own(
      'leader-election.lease-name',
      text,
      '',
      'The lease of a Java operator that may still run: while it is held, its kinds are left alone.',
    ),
  ),
} as const;

const operatorOnly: ReadonlySet<string> = new Set(
  [...Object.values(operatorOptions), ...Object.values(idleOptions)]
    .filter(({ scope }) => scope === 'operator')
    .map(({ key }) => key),
);

/**
 * Whether only the operator's own configuration may set a key. Some of them protect the operator from those who write
 * resources.
 */
export function isOnlyForOperator(key: string): boolean {
  return operatorOnly.has(key);
}

/** A key that any resource may set. */
function shared<T>(name: string, kind: ValueKind<T>, otherwise: NoInfer<T>, says: string): Option<T> {
  return { key: `kubernetes.operator.${name}`, otherKeys: [], kind, otherwise, scope: 'resource', says };
}

/** A key that only the operator's own configuration may set. */
function own<T>(name: string, kind: ValueKind<T>, otherwise: NoInfer<T>, says: string): Option<T> {
  return { key: `kubernetes.operator.${name}`, otherKeys: [], kind, otherwise, scope: 'operator', says };
}

/** One that is read once: whatever takes effect at the next look would need no restart. */
function atStart<T>(option: Option<T>): Option<T> {
  return { ...option, atStart: true };
}
