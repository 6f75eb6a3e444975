import type { Clock } from '../clock/clock.ts';
import type { View } from './controller.ts';
import type { Decision } from './decision.ts';
import { digest } from './digest.ts';

/** So many times may the same be done before it is called going in circles. */
const most = 3;
const firstHoldMs = 1000;
const longestHoldMs = 5 * 60_000;

/**
 * Notices when the same decision is carried out again and again on an unchanged view: something does not take effect,
 * or somebody undoes it in a way that the view does not show. Then it is done ever more slowly.
 */
export class Repetition {
  readonly #clock: Clock;
  readonly #keys = new Map<string, { readonly what: string; readonly count: number; readonly until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long this must wait before it is done once more; 0 when nothing is wrong. */
  hold(key: string, view: View, decision: Decision): number {
    const last = this.#keys.get(key);
    if (!last || last.count < most || decision.actions.length === 0) return 0;
    return last.what === fingerprint(view, decision) ? Math.max(0, last.until - this.#clock.monotonic()) : 0;
  }

  /** It was done. Returns true when that was once too often. */
  done(key: string, view: View, decision: Decision): boolean {
    const what = fingerprint(view, decision);
    const last = this.#keys.get(key);
    const count = last?.what === what ? last.count + 1 : 1;
    const pause = count < most ? 0 : Math.min(longestHoldMs, firstHoldMs * 2 ** (count - most));
    this.#keys.set(key, { what, count, until: this.#clock.monotonic() + pause });
    return count >= most;
  }

  forget(key: string): void {
    this.#keys.delete(key);
  }
}

/** View and decision without the passing of time. */
function fingerprint(view: View, decision: Decision): string {
  const outcomes = Object.entries(view.outcomes).map(([id, { at: _at, since: _since, ...outcome }]) => [id, outcome]);
  return digest([{ ...view, now: 0, outcomes }, decision.actions]);
}
