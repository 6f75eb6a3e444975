import type { Pod } from '../../kinds/objects/pod.ts';
import type { Job, JobStatus } from '../../kinds/objects/workload.ts';
import { pods } from '../../kinds/resource-types.ts';
import { StatusError } from '../../status-error.ts';
import type { World } from '../../world.ts';
import { hasEnded } from '../pods.ts';
import { formatIndexes, indexOf, parseIndexes } from './indexes.ts';
import type { Tally } from './verdict.ts';

/** Keeps a finished pod until it is counted, so that no result is lost or counted twice. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

/** What the status says after counting, and the pods whose finalizer can go once that status is stored. */
export interface Count {
  readonly status: JobStatus;
  readonly tally: Tally;
  readonly release: readonly Pod[];
}

/**
 * Counts finished pods in two writes: the first names them in `uncountedTerminatedPods`, then their finalizers go, and
 * the next status adds those that lost theirs to the totals. A crash in between repeats a step, never a count.
 */
export function count(job: Job, all: readonly Pod[]): Count {
  const status = job.status ?? {};
  const byUid = new Map(all.map((pod) => [pod.metadata.uid ?? '', pod] as const));
  const isHeld = (uid: string): boolean => byUid.get(uid)?.metadata.finalizers?.includes(trackingFinalizer) === true;
  const uncounted = status.uncountedTerminatedPods ?? {};
  const settled = {
    succeeded: (uncounted.succeeded ?? []).filter((uid) => !isHeld(uid)),
    failed: (uncounted.failed ?? []).filter((uid) => !isHeld(uid)),
  };
  const ended = all.filter((pod) => hasEnded(pod) && isHeld(pod.metadata.uid ?? ''));
  const uidsOf = (phase: string): readonly string[] =>
    ended.filter((pod) => pod.status?.phase === phase).map((pod) => pod.metadata.uid ?? '');
  const completed = new Set(parseIndexes(status.completedIndexes));
  const indexed = job.spec.completionMode === 'Indexed';
  const fresh = uidsOf('Succeeded').filter((uid) => {
    if (!indexed) return true;
    const index = indexOf(byUid.get(uid) as Pod);
    if (index === undefined || index >= (job.spec.completions ?? 0)) return false;
    completed.add(index);
    return true;
  });
  const next = { succeeded: fresh, failed: uidsOf('Failed') };
  const failedIndexes = new Set([...parseIndexes(status.failedIndexes), ...exhausted(job, all)]);
  const succeeded = indexed ? completed.size : (status.succeeded ?? 0) + settled.succeeded.length;
  const failed = (status.failed ?? 0) + settled.failed.length;
  const pending = next.succeeded.length + next.failed.length > 0;
  const { succeeded: _s, failed: _f, completedIndexes: _c, failedIndexes: _i, ...rest } = status;
  return {
    status: {
      ...rest,
      ...(succeeded > 0 && { succeeded }),
      ...(failed > 0 && { failed }),
      ...(indexed && completed.size > 0 && { completedIndexes: formatIndexes(completed) }),
      ...(job.spec.backoffLimitPerIndex !== undefined && { failedIndexes: formatIndexes(failedIndexes) }),
      uncountedTerminatedPods: pending
        ? {
            ...(next.succeeded.length > 0 && { succeeded: next.succeeded }),
            ...(next.failed.length > 0 && { failed: next.failed }),
          }
        : {},
    },
    tally: {
      succeeded: indexed ? completed.size : succeeded + next.succeeded.length,
      failed: failed + next.failed.length,
      completed,
      failedIndexes,
    },
    release: ended,
  };
}

/** Indexes whose pods failed more often than one index may. */
function exhausted(job: Job, all: readonly Pod[]): readonly number[] {
  const limit = job.spec.backoffLimitPerIndex;
  if (limit === undefined) return [];
  const failures = new Map<number, number>();
  for (const pod of all.filter((one) => one.status?.phase === 'Failed')) {
    const index = indexOf(pod);
    if (index !== undefined) failures.set(index, (failures.get(index) ?? 0) + 1);
  }
  return [...failures].filter(([, count]) => count > limit).map(([index]) => index);
}

/** Lets a pod go that is counted, or whose Job is gone. */
export async function release(world: World, pod: Pod): Promise<void> {
  const finalizers = (pod.metadata.finalizers ?? []).filter((one) => one !== trackingFinalizer);
  if (finalizers.length === (pod.metadata.finalizers ?? []).length) return;
  try {
    await world.update(pods, { ...pod, metadata: { ...pod.metadata, finalizers } });
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.reason !== 'NotFound') throw error;
  }
}
