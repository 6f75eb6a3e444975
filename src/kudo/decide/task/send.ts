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
export function send(action: Action, { outcomes, now }: Surroundings): Sent {
  const outcome = outcomes[outcomeId(action)];
  if (!outcome || outcome.result === 'done') return { actions: [action] };
  const failure: TaskFailure = { reason: 'TaskExecutionError', message: outcome.message, fatal: false };
  // What cannot be reached is tried again by the loop, which also knows how long the server wants to be left alone.
  if (outcome.result === 'unavailable' || outcome.of !== actionDigest(action)) return { actions: [action], failure };
  const wait = Math.min(longestWaitMs, Math.max(firstWaitMs, outcome.at - outcome.since));
  const retryAt = outcome.at + wait;
  return now >= retryAt ? { actions: [action], failure } : { actions: [], failure, retryAt };
}
