import type { Instant } from '../../clock/clock.ts';
import { lastStateOnly } from '../manifests/deploy-config.ts';
import type { UpgradeMode } from '../resources/job-spec.ts';
import type { JobState } from '../resources/job-status.ts';
import type { RestoreMode, SuspendMode } from '../resources/transition.ts';
import { type Checkpoints, terminal } from '../rest.ts';

/** All that decides how a job can be upgraded. */
export interface Situation {
  readonly is: 'application' | 'session job';
  readonly desired: UpgradeMode;
  /** What Flink said last; `RECONCILING` when nobody knows. */
  readonly job: JobState | undefined;
  /** Flink answers. */
  readonly reachable: boolean;
  /** There is no JobManager, or it cannot start. */
  readonly jobManagerGone: boolean;
  /** No JobManager pod of this deployment ever became ready: the job has never run. */
  readonly neverStarted: boolean;
  /** High availability is on in what is deployed and in what is wanted. */
  readonly haEnabled: boolean;
  readonly haAvailable: boolean;
  readonly zooKeeper: boolean;
  readonly versionChanged: boolean;
  /** What the deployed job was started from. */
  readonly startedFrom: Restore;
  /** The last state of a job that has ended; the dummy path when only HA metadata knows. */
  readonly path: string | undefined;
  readonly savepointDirectory: string | undefined;
  readonly options: {
    /** Savepoint upgrades of jobs that do not run take the last state instead. */
    readonly lastStateFallback: boolean;
    readonly maxCheckpointAgeMs: number | undefined;
    /** Last-state upgrades cancel the job instead of deleting its cluster under it. */
    readonly cancelForLastState: boolean;
  };
  readonly checkpoints: Checkpoints | undefined;
  readonly jobStartedAt: Instant | undefined;
  readonly now: Instant;
}

export interface Restore {
  readonly mode: RestoreMode;
  readonly path?: string;
}

/** What can be done about an upgrade now. */
export type Availability =
  | { readonly can: 'stop'; readonly stop: SuspendMode; readonly restore: Restore }
  /** Not now; `until` if the clock alone may change it. */
  | { readonly can: 'wait'; readonly why: string; readonly until?: Instant }
  /** Not without a person. */
  | { readonly can: 'not'; readonly why: string };

/**
 * How the job that runs can be stopped, and what the next one would start from. The rows are asked in order; the first
 * that fits decides. No row starts a stateful job empty because its state cannot be had.
 */
export function availability(s: Situation): Availability {
  for (const row of rows) {
    const found = row(s);
    if (found) return found;
  }
  return wait(`the job is ${s.job ?? 'unknown'}: its state cannot be taken along now`);
}

type Row = (s: Situation) => Availability | undefined;

const rows: readonly Row[] = [
  // The state is not wanted.
  (s) => (s.desired === 'stateless' ? stop(terminal(s.job) ? 'none' : 'stateless', { mode: 'stateless' }) : undefined),
  // The job has ended, and what it left behind is known.
  (s) => {
    if (!terminal(s.job) || !(s.job === 'CANCELED' || !s.haAvailable || s.reachable)) return undefined;
    if (s.path === lastStateOnly && s.haAvailable) return stop('none', { mode: 'last-state' });
    if (s.path === lastStateOnly) return not('only its HA metadata knew its last state, and that is gone');
    return stop('none', { mode: 'savepoint', ...(s.path !== undefined && { path: s.path }) });
  },
  (s) => (s.job === 'CANCELLING' ? wait('the job is being cancelled') : undefined),
  // A savepoint of a job that runs.
  (s) => (s.desired === 'savepoint' && runs(s) ? stop('savepoint', { mode: 'savepoint' }) : undefined),
  (s) => {
    if (s.desired !== 'savepoint' || s.versionChanged || s.options.lastStateFallback || s.neverStarted)
      return undefined;
    return wait(`the job is ${s.job ?? 'unknown'}: a savepoint can be taken only while it runs`);
  },
  // From here on: the last state, wanted or as the way out. HA metadata is not portable between versions.
  (s) => (s.versionChanged ? acrossVersions(s) : undefined),
  (s) => (runs(s) ? fromRunning(s) : undefined),
  (s) => (mayCancel(s) ? cancel : undefined),
  (s) => (byMetadata(s) ? deleteKeepingMetadata : undefined),
  // It never ran, so its state is what it would have started from.
  (s) => (s.neverStarted && s.startedFrom.mode !== 'last-state' ? stop('none', s.startedFrom) : undefined),
  (s) => (s.is === 'application' && s.jobManagerGone && !s.haAvailable ? not(metadataGone(s)) : undefined),
];

function acrossVersions(s: Situation): Availability | undefined {
  if (runs(s) && s.savepointDirectory !== undefined) return stop('savepoint', { mode: 'savepoint' });
  if (isCancellable(s)) return cancel;
  if (s.neverStarted && s.startedFrom.mode !== 'last-state') return stop('none', s.startedFrom);
  return wait(`the job is ${s.job ?? 'unknown'}: its state can be taken to another Flink version only while it runs`);
}

function fromRunning(s: Situation): Availability {
  const { maxCheckpointAgeMs } = s.options;
  const usual = mayCancel(s) || !byMetadata(s) ? cancel : deleteKeepingMetadata;
  if (maxCheckpointAgeMs === undefined) return usual;
  const fresh = (at: Instant | undefined): boolean => at !== undefined && s.now - at <= maxCheckpointAgeMs;
  if (fresh(s.jobStartedAt) || fresh(s.checkpoints?.lastCompleted?.triggeredAt)) return usual;
  const triggeredAt = s.checkpoints?.inProgress?.triggeredAt;
  if (triggeredAt !== undefined && fresh(triggeredAt)) {
    return wait('the last checkpoint is too old, and one is in progress', triggeredAt + maxCheckpointAgeMs + 1);
  }
  return stop('savepoint', { mode: 'savepoint' });
}

const runs = (s: Situation): boolean => s.job === 'RUNNING' && s.reachable;

/** Its state is known and Flink can be told. */
const isCancellable = (s: Situation): boolean =>
  s.reachable && s.job !== undefined && s.job !== 'RECONCILING' && !terminal(s.job);

const mayCancel = (s: Situation): boolean =>
  isCancellable(s) && (s.is === 'session job' || !s.haAvailable || s.options.cancelForLastState);

const byMetadata = (s: Situation): boolean =>
  s.is === 'application' && s.haEnabled && s.haAvailable && !s.zooKeeper && !s.versionChanged;

const cancel = stop('cancel', { mode: 'savepoint' });
const deleteKeepingMetadata = stop('last-state', { mode: 'last-state' });

function metadataGone(s: Situation): string {
  const why = s.zooKeeper
    ? 'its HA metadata is in ZooKeeper, where Cutover does not look'
    : 'It is possible that the job has finished or terminally failed, or the configmaps have been deleted.';
  return `HA metadata is not available to restore from last state. ${why}`;
}

function stop(mode: SuspendMode, restore: Restore): Availability {
  return { can: 'stop', stop: mode, restore };
}

function wait(why: string, until?: Instant): Availability {
  return { can: 'wait', why, ...(until !== undefined && { until }) };
}

function not(why: string): Availability {
  return {
    can: 'not',
    why: `${why} Manual restore required: set savepointRedeployNonce and initialSavepointPath, or statelessRedeployNonce to start without state.`,
  };
}
