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
 * when all of its tasks are done at the same time. One that fails for good does so once all before it was sent; what is
 * behind it is not begun.
 */
export function workOn(step: StepWork, around: Surroundings): StepResult {
  const results = untilFatal(step, around);
  const fatal = results.find(({ result }) => result.failure?.fatal);
  const failing = fatal ?? results.find(({ result }) => result.failure);
  const failure = failing?.result.failure && shortened(failing.result.failure);
  const waiting = results.find(({ result }) => result.is !== 'done');
  const unfinished = waiting !== undefined || results.length < step.tasks.length;
  const retries = results.flatMap(({ result }) => (result.retryAt === undefined ? [] : [result.retryAt]));
  const status = fatal ? 'FATAL_ERROR' : failure ? 'ERROR' : unfinished ? 'IN_PROGRESS' : 'COMPLETE';
  const collect = <T>(of: (result: TaskResult) => readonly T[] | undefined): readonly T[] =>
    results.flatMap(({ result }) => of(result) ?? []);
  return {
    news: {
      phase: step.phase,
      step: step.step,
      ...(step.at !== undefined && { at: step.at }),
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
    warnings: [
      ...step.tasks.flatMap((task) => ('warnings' in task ? task.warnings : [])),
      ...collect((result) => result.warnings),
    ],
    ...(waiting?.result.message !== undefined && { waitingFor: waiting.result.message }),
  };
}

/** Whether there is something to send of which nothing was refused yet. */
export function isSending({ actions, failure }: Pick<TaskResult, 'actions' | 'failure'>): boolean {
  return actions.length > 0 && !failure;
}

interface Worked {
  readonly task: TaskWork;
  readonly result: TaskResult;
}

/** The results of the tasks up to the first that fails for good, or up to it while something before it is to be sent. */
function untilFatal({ tasks, rivals }: StepWork, surroundings: Surroundings): readonly Worked[] {
  const around = rivals ? { ...surroundings, rivals } : surroundings;
  const results: Worked[] = [];
  for (const task of tasks) {
    const result = run(task, around);
    const fatal = result.failure?.fatal === true;
    if (fatal && results.some((before) => isSending(before.result))) break;
    results.push({ task, result });
    if (fatal) break;
  }
  return results;
}

/** A server repeats values that it refuses, and a template may say anything. The status has ten executions to remember. */
const longestMessage = 4000;

function shortened(failure: TaskFailure): TaskFailure {
  const { message } = failure;
  return message.length > longestMessage
    ? { ...failure, message: `${message.slice(0, longestMessage - 1)}…` }
    : failure;
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
