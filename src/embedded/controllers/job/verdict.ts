import type { Pod } from '../../kinds/objects/pod.ts';
import type { Job } from '../../kinds/objects/workload.ts';
import { instantOf } from '../../timestamp.ts';
import { indexOf } from './indexes.ts';

/** How a Job ends. */
export interface Verdict {
  readonly outcome: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

/** What a Job has come to. */
export interface Tally {
  readonly succeeded: number;
  readonly failed: number;
  readonly completed: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
}

/** Whether a Job is done, and how; undefined while it should go on. */
export function verdictOf(job: Job, pods: readonly Pod[], tally: Tally, now: number): Verdict | undefined {
  const { spec, status = {} } = job;
  const { completions, backoffLimit = 6, activeDeadlineSeconds: deadline } = spec;
  if (spec.suspend) return undefined;
  const fail = (reason: string, message: string): Verdict => ({ outcome: 'Failed', reason, message });
  if (deadline !== undefined && status.startTime && now >= instantOf(status.startTime) + deadline * 1000) {
    return fail('DeadlineExceeded', 'Job was active longer than specified deadline');
  }
  const restarts = spec.template.spec.restartPolicy === 'OnFailure' ? restartsOf(pods) : 0;
  if (tally.failed > backoffLimit || (restarts > 0 && restarts > backoffLimit)) {
    return fail('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  if (spec.maxFailedIndexes !== undefined && tally.failedIndexes.size > spec.maxFailedIndexes) {
    return fail('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
  }
  const done: Verdict = {
    outcome: 'Complete',
    reason: 'CompletionsReached',
    message: 'Reached expected number of succeeded pods',
  };
  if (completions === undefined) {
    return tally.succeeded > 0 && pods.every((pod) => isFinished(pod)) ? done : undefined;
  }
  if (spec.completionMode === 'Indexed') {
    if (tally.completed.size + tally.failedIndexes.size < completions) return undefined;
    return tally.failedIndexes.size > 0 ? fail('FailedIndexes', 'Job has failed indexes') : done;
  }
  return tally.succeeded >= completions ? done : undefined;
}

const isFinished = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

const restartsOf = (pods: readonly Pod[]): number =>
  pods.reduce(
    (sum, pod) => sum + (pod.status?.containerStatuses ?? []).reduce((inner, one) => inner + one.restartCount, 0),
    0,
  );

/** The parts of an indexed Job that nobody works on and that are not done: the lowest first. */
export function openIndexes(job: Job, active: readonly Pod[], tally: Tally): readonly number[] {
  const taken = new Set(active.map(indexOf));
  return Array.from({ length: job.spec.completions ?? 0 }, (_, index) => index).filter(
    (index) => !taken.has(index) && !tally.completed.has(index) && !tally.failedIndexes.has(index),
  );
}

/** How many pods should be at work now. */
export function wantedActive(job: Job, active: number, tally: Tally): number {
  const { parallelism = 1, completions, suspend } = job.spec;
  if (suspend) return 0;
  if (completions === undefined) return tally.succeeded > 0 ? active : parallelism;
  const left = Math.max(0, completions - tally.succeeded - tally.failedIndexes.size);
  return Math.min(parallelism, left);
}
