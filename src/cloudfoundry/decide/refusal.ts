import type { Action } from '../../control/decision.ts';
import { actionDigest, type Outcomes, outcomeId } from '../../control/outcome.ts';

/**
 * For so long an action is tried again before its refusal is believed. A server that starts, a quota that is full for a
 * moment and a webhook that is replaced say no as well, and what is said of it here is final.
 */
const believedAfterMs = 30_000;

/**
 * Why this very action is refused for good; `undefined` when it was not refused, has not been tried, or is to be tried again.
 * By the refusals themselves: a clock that leaps between two of them proves nothing.
 */
export function refusal(action: Action, outcomes: Outcomes): string | undefined {
  const outcome = outcomes[outcomeId(action)];
  const refused = outcome?.result === 'refused' && outcome.of === actionDigest(action) ? outcome : undefined;
  return refused && refused.at - refused.since >= believedAfterMs ? refused.message : undefined;
}
