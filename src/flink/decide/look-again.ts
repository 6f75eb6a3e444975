import type { Instant } from '../../clock/clock.ts';
import type { Decision } from '../../control/decision.ts';

/** After so long something is looked at again of which the caches do not show all: perhaps none tells when that is gone. */
const unheardMs = 10_000;

/** The decision, which does not rely on caches to tell of what they did not show. */
export function lookingAgain(decision: Decision, now: Instant, unheard: boolean | undefined): Decision {
  if (!unheard) return decision;
  const at = now + unheardMs;
  return { ...decision, wakeAt: Math.min(at, decision.wakeAt ?? at) };
}
