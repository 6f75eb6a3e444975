import type { Instant } from '../../../clock/clock.ts';
import type { Action } from '../../../control/decision.ts';
import { actionDigest, outcomeId } from '../../../control/outcome.ts';
import type { Surroundings } from './run.ts';
import type { TaskFailure } from './work.ts';

/** An action that is to be sent, or one that was refused and has to wait. */
export interface Sent {
  readonly actions: readonly Action[];
  readonly failure?: TaskFailure;
  readonly retryAt?: Instant;
}

const firstWaitMs = 1000;
const longestWaitMs = 60_000;

/**
 * Sends an action, unless this very action was refused a moment ago. The first repetition comes after a second, then ever
 * later, for as long as it fails, but at least once a minute: what is wrong may be mended on the other side.
 */
export function send(action: Action, { outcomes, now }: Pick<Surroundings, 'outcomes' | 'now'>): Sent {
  const outcome = outcomes[outcomeId(action)];
  if (!outcome || outcome.result === 'done') return { actions: [action] };
  const message = told(outcome.message, action);
  const failure: TaskFailure = { reason: 'TaskExecutionError', message, fatal: false, at: outcome.at };
  // A patch says how the object was: one object's patches differ as often as somebody writes to it. A key that is to be
  // created is another one every time.
  const isSame = action.do === 'patch' || action.do === 'create' || outcome.of === actionDigest(action);
  // What cannot be reached is tried again by the loop, which also knows how long the server wants to be left alone.
  if (outcome.result === 'unavailable' || !isSame) return { actions: [action], failure };
  const wait = Math.min(longestWaitMs, Math.max(firstWaitMs, outcome.at - outcome.since));
  const retryAt = outcome.at + wait;
  return now >= retryAt ? { actions: [action], failure } : { actions: [], failure, retryAt };
}

/** Of a Secret, what the server says up to where it may quote what is in it: messages end up where anybody may read them. */
function told(message: string, action: Action): string {
  if (!outcomeId(action).startsWith(`${action.do} v1 Secret `)) return message;
  return message.replace(/\b(got|error found in)\b.*$/s, '$1 (not shown)');
}
