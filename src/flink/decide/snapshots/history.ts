import type { Instant } from '../../../clock/clock.ts';
import { refTo } from '../../../control/decision.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import type { SavepointInfo } from '../../resources/job-status.ts';
import { warned } from '../reasons.ts';
import { snapshotLabels } from '../snapshot/metadata.ts';
import { type Status, without } from '../status.ts';
import type { Step } from '../step.ts';
import { dispose } from './dispose.ts';
import { snapshotsOf, triggeredAt } from './due.ts';
import { restoresFrom } from './restores-from.ts';
import { sessionAddress } from './settings.ts';
import type { SnapshotCase } from './snapshot-case.ts';
import type { SnapshotKind } from './snapshot-object.ts';

/**
 * Which snapshots are too many or too old. Only those that the clock or an upgrade asked for; never the newest complete
 * one, nor one that the job is started from.
 */
export function outdated(c: SnapshotCase, of: SnapshotKind): readonly FlinkStateSnapshot[] {
  const automatic = snapshotsOf(c, of).filter(({ metadata }) => {
    const trigger = metadata.labels?.[snapshotLabels.triggerType];
    return metadata.deletionTimestamp === undefined && (trigger === 'PERIODIC' || trigger === 'UPGRADE');
  });
  const complete = automatic.filter(({ status }) => status?.state === 'COMPLETED');
  const fruitless = automatic.filter(({ spec, status }) => {
    const limit = spec.backoffLimit ?? -1;
    return (
      status?.state === 'ABANDONED' || (status?.state === 'FAILED' && limit >= 0 && (status.failures ?? 0) > limit)
    );
  });
  const newest = byAge(complete).at(-1);
  return [...surplus(c, of, complete), ...surplus(c, of, fruitless)].filter(
    (one) => one !== newest && !isNeeded(c, one.status?.path),
  );
}

function surplus(
  c: SnapshotCase,
  of: SnapshotKind,
  snapshots: readonly FlinkStateSnapshot[],
): readonly FlinkStateSnapshot[] {
  const sorted = byAge(snapshots);
  return sorted.filter((one, index) => isSurplus(c, of, triggeredAt(one), sorted.length - index));
}

/** `rank` is 1 for the newest. */
function isSurplus({ view, settings }: SnapshotCase, of: SnapshotKind, at: Instant, rank: number): boolean {
  const { count, ageMs } = settings.history;
  return rank > Math.max(1, count[of]) || view.now - at > ageMs[of];
}

function byAge(snapshots: readonly FlinkStateSnapshot[]): readonly FlinkStateSnapshot[] {
  return snapshots.toSorted((a, b) => triggeredAt(a) - triggeredAt(b) || compare(a.metadata.name, b.metadata.name));
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isNeeded({ job, spec }: SnapshotCase, path: string | undefined): boolean {
  return path !== undefined && path !== '' && (restoresFrom(job, path) || spec.initialSavepointPath === path);
}

/** Keeps the history short; `undefined` when it is. */
export function tidied(c: SnapshotCase): Step<Status> | undefined {
  if (!c.settings.history.enabled || c.status.jobStatus?.state !== 'RUNNING') return undefined;
  const old = [...outdated(c, 'savepoint'), ...outdated(c, 'checkpoint')];
  if (old.length > 0) {
    const effects = old.map((one) => ({ do: 'delete', of: refTo(one) }) as const);
    return { status: c.status, effects, because: `${old.length} snapshots are more or older than the history keeps` };
  }
  return tidiedStatus(c);
}

type Savepoint = NonNullable<SavepointInfo['savepointHistory']>[number];

/** Savepoints that are kept in the job's own status: one after the other is removed by Flink, then forgotten. */
function tidiedStatus(c: SnapshotCase): Step<Status> | undefined {
  const { view, job, session, status } = c;
  const info = status.jobStatus?.savepointInfo;
  const history = info?.savepointHistory ?? [];
  const sorted = history.toSorted((a, b) => (a.timeStamp ?? 0) - (b.timeStamp ?? 0));
  const candidate = sorted.find((one, index) => isRemovable(c, one, sorted.length - index));
  const path = status.disposal?.path ?? candidate?.location;
  if (path === undefined) return undefined;
  const step = dispose(path, status.disposal, {
    now: view.now,
    outcomes: view.outcomes,
    uid: job.metadata.uid ?? '',
    attempt: status.attempt ?? 0,
    cluster: sessionAddress(session, view.operator),
  });
  if (step.is === 'under way') {
    const { record: disposal, attempt, effects, wakeAt } = step;
    if (effects.length === 0 && disposal === status.disposal) return undefined;
    const because = `the old savepoint ${path} is being removed`;
    return { status: { ...status, attempt, disposal }, effects, because, ...(wakeAt !== undefined && { wakeAt }) };
  }
  const kept = history.filter(({ location }) => location !== path);
  const left = `The savepoint ${path} is left behind: ${step.is === 'given up' ? step.error : ''}. Remove it by hand if nobody needs it.`;
  return {
    status: {
      ...without(status, 'disposal'),
      jobStatus: { ...status.jobStatus, savepointInfo: { ...info, savepointHistory: kept } },
    },
    effects: step.is === 'given up' ? [warned(job, 'CleanupFailed', left)] : [],
    because: step.is === 'given up' ? left : `the old savepoint ${path} was removed`,
  };
}

function isRemovable(c: SnapshotCase, { timeStamp = 0, location, triggerType }: Savepoint, rank: number): boolean {
  if (rank === 1 || location === undefined) return false;
  if (triggerType !== 'PERIODIC' && triggerType !== 'UPGRADE') return false;
  const last = c.status.jobStatus?.savepointInfo?.lastSavepoint?.location;
  return location !== last && !isNeeded(c, location) && isSurplus(c, 'savepoint', timeStamp, rank);
}
