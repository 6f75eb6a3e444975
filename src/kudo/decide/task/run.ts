import type { Instant } from '../../../clock/clock.ts';
import type { Action } from '../../../control/decision.ts';
import type { Outcomes } from '../../../control/outcome.ts';
import type { Restarting } from '../../render/place.ts';
import type { Restart } from '../../resources/instance.ts';
import type { Rivals } from '../rivals.ts';
import type { ThingRef, World } from '../view.ts';
import { runApply } from './apply.ts';
import { runChild } from './child.ts';
import { runDelete } from './delete.ts';
import { runPipe } from './pipe.ts';
import type { TaskFailure, TaskWork } from './work.ts';

/** What a task is done in the light of. */
export interface Surroundings {
  readonly world: World;
  readonly restarting: Restarting;
  readonly outcomes: Outcomes;
  readonly now: Instant;
  /** What plans of the Instance have applied. */
  readonly objects?: readonly ThingRef[];
  /** Of the step that the task stands in. */
  readonly rivals?: Rivals;
}

/** How far a task is, and what to do for it next. */
export interface TaskResult {
  readonly is: 'done' | 'working' | 'failed';
  readonly actions: readonly Action[];
  /** What is being waited for. */
  readonly message?: string;
  readonly failure?: TaskFailure;
  /** Nobody will tell when it changes: look again. */
  readonly unwatched?: boolean;
  /** Do nothing before: what was refused is not sent again at once. */
  readonly retryAt?: Instant;
  /** Workloads whose pods restart by these actions. */
  readonly restarts?: readonly Restart[];
  /** Objects that exist on account of this task now, or no longer. */
  readonly applied?: readonly ThingRef[];
  readonly deleted?: readonly ThingRef[];
  /** What people should know about it. */
  readonly warnings?: readonly string[];
}

/** Does nothing itself: says how far the task is by what is there, and what is missing. Pure and total. */
export function run(work: TaskWork, around: Surroundings): TaskResult {
  switch (work.does) {
    case 'apply':
      return runApply(work, around);
    case 'delete':
      return runDelete(work, around);
    case 'pipe':
      return runPipe(work, around);
    case 'child':
      return runChild(work, around);
    case 'dummy':
      if (work.wantErr) return failed({ reason: 'DummyTaskError', message: 'dummy error', fatal: work.fatal });
      return work.done
        ? done()
        : { is: 'working', actions: [], message: `task ${work.name} never completes: its \`done\` is not set` };
    case 'wait':
      return { is: 'working', actions: [], message: work.message, unwatched: true };
    case 'fail':
      return failed(work.failure);
  }
}

export function done(result: Partial<TaskResult> = {}): TaskResult {
  return { actions: [], ...result, is: 'done' };
}

export function failed(failure: TaskFailure, result: Partial<TaskResult> = {}): TaskResult {
  return { actions: [], ...result, is: 'failed', failure };
}
