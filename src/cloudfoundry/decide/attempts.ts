import type { Instant } from '../../clock/clock.ts';
import type { Action } from '../../control/decision.ts';
import { actionDigest, type Outcomes, outcomeId } from '../../control/outcome.ts';

/** How long what was refused is left alone: only somebody else can change the answer, and nobody need be asked often. */
const pauseMs = 30_000;

/** What to try of a list of actions, and what is in the way. */
export interface Attempts {
  /** Without those that were refused a moment ago: they would keep the others from their turn. */
  readonly actions: readonly Action[];
  /** The first that does not work, and why. */
  readonly failure?: { readonly of: Action; readonly message: string };
  /** When what was refused is tried again. */
  readonly wakeAt?: Instant;
}

/** Looks up what became of the actions when they were tried last. */
export function attempts(actions: readonly Action[], outcomes: Outcomes, now: Instant): Attempts {
  const due: Action[] = [];
  let failure: Attempts['failure'];
  let wakeAt: Instant | undefined;
  for (const action of actions) {
    const outcome = outcomes[outcomeId(action)];
    const failed = outcome && outcome.result !== 'done' && outcome.of === actionDigest(action) ? outcome : undefined;
    if (failed) failure ??= { of: action, message: failed.message };
    const retryAt = failed?.result === 'refused' ? failed.at + pauseMs : now;
    if (retryAt <= now) due.push(action);
    else wakeAt = Math.min(wakeAt ?? retryAt, retryAt);
  }
  return { actions: due, ...(failure && { failure }), ...(wakeAt !== undefined && { wakeAt }) };
}
