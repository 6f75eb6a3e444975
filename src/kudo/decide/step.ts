import type { Instant } from '../../clock/clock.ts';
import type { Action } from '../../control/decision.ts';
import type { Restart } from '../resources/instance.ts';
import type { StepNews } from './plan-status.ts';
import { taskPath } from './task/prepare.ts';
import { run, type Surroundings, type TaskResult } from './task/run.ts';
import type { StepWork, TaskFailure, TaskWork } from './task/work.ts';
import type { ThingRef } from './view.ts';

/** What one look at a step amounts to. */
export interface StepResult {
  readonly news: StepNews;
  readonly actions: readonly Action[];
  readonly failure?: TaskFailure;
  readonly unwatched: boolean;
  readonly retryAt?: Instant;
  readonly restarts: readonly Restart[];
  readonly applied: readonly ThingRef[];
  readonly deleted: readonly ThingRef[];
  readonly warnings: readonly string[];
  /** What is being waited for. */
  readonly waitingFor?: string;
}

/**
 * Works on all tasks of a step, in their order. A task that is not done does not keep back the next one; a step is complete
 * when all of its tasks are done at the same time.
 */
export function workOn(step: StepWork, around: Surroundings): StepResult {
  const results = step.tasks.map((task) => ({ task, result: run(task, around) }));
  const fatal = results.find(({ result }) => result.failure?.fatal);
  const failing = fatal ?? results.find(({ result }) => result.failure);
  const failure = failing?.result.failure;
  const waiting = results.find(({ result }) => result.is !== 'done');
  const retries = results.flatMap(({ result }) => (result.retryAt === undefined ? [] : [result.retryAt]));
  const status = fatal ? 'FATAL_ERROR' : failure ? 'ERROR' : waiting ? 'IN_PROGRESS' : 'COMPLETE';
  const collect = <T>(of: (result: TaskResult) => readonly T[] | undefined): readonly T[] =>
    results.flatMap(({ result }) => of(result) ?? []);
  return {
    news: {
      phase: step.phase,
      step: step.step,
      status,
      ...(failing && failure && { message: worded(failure, failing.task) }),
    },
    actions: fatal ? [] : collect((result) => result.actions),
    ...(failure && { failure }),
    unwatched: results.some(({ result }) => result.unwatched === true),
    ...(retries.length > 0 && { retryAt: Math.min(...retries) }),
    restarts: fatal ? [] : collect((result) => result.restarts),
    applied: collect((result) => result.applied),
    deleted: collect((result) => (result.is === 'done' ? result.deleted : [])),
    warnings: step.tasks.flatMap((task) => ('warnings' in task ? task.warnings : [])),
    ...(waiting?.result.message !== undefined && { waitingFor: waiting.result.message }),
  };
}

/** As KUDO words it, so that people find what they searched for before. */
function worded({ reason, message, fatal }: TaskFailure, task: TaskWork): string {
  const { instance } = task.place;
  const who = `${instance.namespace}/${instance.name}`;
  const where = taskPath(task.name, task.place);
  if (!fatal) return `A transient error when executing task ${where}. Will retry. ${message}`;
  if (reason === 'UnknownTaskName' || reason === 'TaskBuildError') return `${who} fatal error:  ${message}`;
  return `Error during execution: fatal error: ${who} failed in ${where}: ${message}`;
}
