import type { Action } from '../../control/decision.ts';
import { actionDigest, type Outcomes, outcomeId } from '../../control/outcome.ts';

/** Why this very action was refused when it was tried; `undefined` when it was not, or has not been tried. */
export function refusal(action: Action, outcomes: Outcomes): string | undefined {
  const outcome = outcomes[outcomeId(action)];
  return outcome?.result === 'refused' && outcome.of === actionDigest(action) ? outcome.message : undefined;
}
