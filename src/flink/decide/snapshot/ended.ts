import type { SnapshotView } from '../../view.ts';
import { warned } from '../reasons.ts';
import { backoffMs } from '../snapshots/backoff.ts';
import { reconciling, type SnapshotStep, stalled } from './snapshot-step.ts';
import { instant, kindOf, text } from './trigger.ts';

/** The snapshot is there. */
export function completed({ resource, now }: SnapshotView, path: string | undefined): SnapshotStep {
  const { error: _, ...status } = resource.status ?? {};
  const what = kindOf(resource);
  const unknown = `the ${what} is complete, but Flink does not say where it lies: look in the checkpoint directory of the job`;
  const because = path === undefined || path === '' ? unknown : `the ${what} is complete: ${path}`;
  return {
    status: {
      ...status,
      state: 'COMPLETED',
      failures: status.failures ?? 0,
      path: path ?? '',
      resultTimestamp: text(now),
    },
    effects: path === undefined ? [warned(resource, 'SnapshotError', unknown)] : [],
    because,
    standing: { is: 'ready', reason: 'Completed', message: because },
  };
}

/** It did not work; tried again later, unless `backoffLimit` forbids it. */
export function failed(view: SnapshotView, error: string): SnapshotStep {
  const { resource, now } = view;
  const failures = (resource.status?.failures ?? 0) + 1;
  const status = { ...resource.status, state: 'FAILED', failures, error, resultTimestamp: text(now) } as const;
  const step = afterFailure({ ...view, resource: { ...resource, status } });
  return { ...step, effects: [warned(resource, 'SnapshotError', `The ${kindOf(resource)} failed: ${error}`)] };
}

/** How a snapshot that has failed stands. `wakeAt` is when it is tried again. */
export function afterFailure({ resource, now }: SnapshotView): SnapshotStep {
  const { status = {}, spec } = resource;
  const { failures = 1, error = 'unknown reason' } = status;
  const limit = spec.backoffLimit ?? -1;
  if (limit >= 0 && failures > limit) {
    const because = `failed ${times(failures)}, which is more than backoffLimit ${limit}; last: ${error}`;
    return { status, effects: [], because, standing: stalled('Failed', because) };
  }
  const because = `failed ${times(failures)}, tried again; last: ${error}`;
  const wakeAt = instant(status.resultTimestamp, now) + backoffMs(failures);
  return { status, effects: [], because, wakeAt, standing: reconciling('Retrying', because) };
}

/** Nobody can take it any more. */
export function abandoned({ resource, now }: SnapshotView, why: string): SnapshotStep {
  const because = `the ${kindOf(resource)} was abandoned: ${why}`;
  const { status = {} } = resource;
  return {
    status: { ...status, state: 'ABANDONED', failures: status.failures ?? 0, error: why, resultTimestamp: text(now) },
    effects: [warned(resource, 'SnapshotAbandoned', `Snapshot was abandoned: ${why}`)],
    because,
    standing: stalled('Abandoned', because),
  };
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
