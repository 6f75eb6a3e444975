import type { Instant } from '../../../clock/clock.ts';
import type { TaskManagerPort } from './flink-world.ts';
import { jobMasterNotStarted, recoverySuppressed, type Throwable } from './throwable.ts';

/** A failure as the exception history shows it. */
export interface JobFailure {
  readonly at: Instant;
  readonly throwable: Throwable;
  /** Undefined when it was not a task that failed. */
  readonly task: string | undefined;
  readonly worker: TaskManagerPort | undefined;
  /** The failure behind one that ended the job. */
  readonly concurrent: readonly JobFailure[];
}

/** The job never came to run: there was something wrong with what it should begin from. */
export function failureToStart(at: Instant, problem: Throwable): JobFailure {
  return { at, throwable: jobMasterNotStarted(problem), task: undefined, worker: undefined, concurrent: [] };
}

/** The last failure of a job whose restart strategy gave up. */
export function finalFailure(strategy: string, failure: JobFailure): JobFailure {
  const throwable = recoverySuppressed(strategy, failure.throwable);
  return { at: failure.at, throwable, task: undefined, worker: undefined, concurrent: [failure] };
}
