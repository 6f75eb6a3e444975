import type { Action } from '../../control/decision.ts';
import { actionDigest, type Outcomes, outcomeId } from '../../control/outcome.ts';

/**
 * For so long an action is tried again before its refusal is believed. A server that starts, a quota that is full for a
 * moment and a webhook that is replaced say no as well, and what is said of it here is final.
 */
const believedAfterMs = 30_000;

/** The answer to an action that was refused. */
export interface Refusal {
  /** It has been refused for so long that it is over. Else it is to be tried again. */
  readonly isFinal: boolean;
  /** In the words of the server. */
  readonly why: string;
}

/**
 * Why this very action is refused; `undefined` when it was not refused, or has not been tried. By the refusals themselves: how the
 * clock stands now proves nothing. One that was set back between two of them makes nobody wait longer.
 */
export function refusal(action: Action, outcomes: Outcomes): Refusal | undefined {
  const outcome = outcomes[outcomeId(action)];
  if (outcome?.result !== 'refused' || outcome.of !== actionDigest(action)) return undefined;
  return { isFinal: Math.abs(outcome.at - outcome.since) >= believedAfterMs, why: outcome.message };
}

/** What is said of something while its refusal is not final. */
export function refusedSoFar(what: string, { why }: Refusal): string {
  return `${what} was refused so far, and is tried again: ${why}`;
}
