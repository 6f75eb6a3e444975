import type { Instant } from '../../../clock/clock.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import { happened } from '../set-back.ts';
import { snapshotLabels } from '../snapshot/metadata.ts';
import { dueAfter, parsePeriod } from './period.ts';
import { lastPeriodicOf, recordedJob, type SnapshotCase } from './snapshot-case.ts';
import type { SnapshotKind } from './snapshot-object.ts';

/** What is to be asked for next. */
export type Due =
  | { readonly type: 'MANUAL'; readonly nonce: number }
  | { readonly type: 'PERIODIC' }
  /** Nothing yet, but then. */
  | { readonly type: 'later'; readonly at: Instant }
  /** The period cannot be read. */
  | { readonly type: 'unreadable'; readonly problem: string };

/** Whether a savepoint or checkpoint is due: a nonce comes before the clock. */
export function due(c: SnapshotCase, of: SnapshotKind): Due | undefined {
  const nonce = changedNonce(c, of);
  if (nonce !== undefined) return { type: 'MANUAL', nonce };
  const period = parsePeriod(c.settings.period[of]);
  if (!period) return undefined;
  if ('problem' in period) return { type: 'unreadable', problem: period.problem };
  const at = dueAfter(period, lastPeriodic(c, of));
  if (at === undefined) return undefined;
  return c.view.now >= at ? { type: 'PERIODIC' } : { type: 'later', at };
}

/**
 * A nonce that is another than the last one acted upon. A resource of the Java operator, and one that was just created,
 * remember none: there the deployed spec tells.
 */
function changedNonce(c: SnapshotCase, of: SnapshotKind): number | undefined {
  const [spelled, remembered] = nonceNames[of];
  const wanted = c.spec[spelled];
  if (wanted === undefined) return undefined;
  const last = c.status.nonces?.[remembered] ?? recordedJob(c)?.[spelled];
  return wanted === last ? undefined : wanted;
}

/** Under which names the spec and the status have the nonce. */
export const nonceNames = {
  savepoint: ['savepointTriggerNonce', 'savepointTrigger'],
  checkpoint: ['checkpointTriggerNonce', 'checkpointTrigger'],
} as const;

/** When the clock last asked for one: what status remembers, what is there, or when the job was created. */
function lastPeriodic(c: SnapshotCase, of: SnapshotKind): Instant {
  const created = instantOf(c.job.metadata.creationTimestamp) ?? c.view.now;
  const taken = snapshotsOf(c, of)
    .filter(({ metadata }) => metadata.labels?.[snapshotLabels.triggerType] === 'PERIODIC')
    .map(triggeredAt);
  return Math.max(lastPeriodicOf(c.status, of), ...[created, ...taken].map((at) => happened(at, c.view.now)));
}

/** The FlinkStateSnapshots of the job that are savepoints, or that are checkpoints. */
export function snapshotsOf({ view }: SnapshotCase, of: SnapshotKind): readonly FlinkStateSnapshot[] {
  return view.snapshots.items.filter(({ spec }) => (spec.checkpoint !== undefined) === (of === 'checkpoint'));
}

/** When a snapshot was asked for; 0 when nobody knows. */
export function triggeredAt({ metadata, status }: FlinkStateSnapshot): Instant {
  return instantOf(status?.triggerTimestamp) ?? instantOf(metadata.creationTimestamp) ?? 0;
}

function instantOf(text: string | undefined): Instant | undefined {
  const parsed = Date.parse(text ?? '');
  return Number.isNaN(parsed) ? undefined : parsed;
}
