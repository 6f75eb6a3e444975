import type { Instant } from '../../../clock/clock.ts';
import { flinkCall } from '../../calls.ts';
import { flinkId } from '../../ids.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import type { SnapshotView } from '../../view.ts';
import { sessionAddress, snapshotSettings } from '../snapshots/settings.ts';
import type { Effect } from '../step.ts';
import { reconciling, type SnapshotStep } from './snapshot-step.ts';

/** What a snapshot is, in one word: also the purpose of its trigger id. */
export function kindOf({ spec }: FlinkStateSnapshot): 'savepoint' | 'checkpoint' {
  return spec.checkpoint ? 'checkpoint' : 'savepoint';
}

/** Asks Flink for the snapshot under a new id, which is written down first. */
export function trigger(view: SnapshotView, jobId: string): SnapshotStep {
  const { resource, now } = view;
  const { error: _, resultTimestamp: __, path: ___, ...status } = resource.status ?? {};
  const what = kindOf(resource);
  const attempt = (status.attempt ?? 0) + 1;
  const triggerId = flinkId(resource.metadata.uid ?? '', attempt, what);
  const because = `a ${what} of job ${jobId} is being taken`;
  return {
    status: {
      ...status,
      state: 'IN_PROGRESS',
      failures: status.failures ?? 0,
      attempt,
      triggerId,
      triggerTimestamp: text(now),
    },
    effects: sent(view, triggerId, jobId),
    because,
    standing: reconciling('InProgress', because),
  };
}

/** The request itself. The same id gives the same request, so sending it again does nothing twice. */
export function sent(view: SnapshotView, triggerId: string, jobId: string): readonly Effect[] {
  const { resource, job, session, operator } = view;
  if (!job || !session) return [];
  const cluster = sessionAddress(session, operator);
  if (kindOf(resource) === 'checkpoint') return [flinkCall('checkpoint', triggerId, { cluster, jobId, type: 'FULL' })];
  const { savepointDirectory } = snapshotSettings(job, session, operator);
  const { path: directory = savepointDirectory, formatType = 'CANONICAL' } = resource.spec.savepoint ?? {};
  const format = formatType === 'UNKNOWN' ? 'CANONICAL' : formatType;
  return [flinkCall('savepoint', triggerId, { cluster, jobId, format, ...(directory !== undefined && { directory }) })];
}

/** A time as status holds it. */
export function text(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** A time that status holds; `otherwise` when it holds none that can be read. */
export function instant(written: string | undefined, otherwise: Instant): Instant {
  const parsed = written === undefined ? Number.NaN : Date.parse(written);
  return Number.isNaN(parsed) ? otherwise : parsed;
}
