import type { Instant } from '../../clock/clock.ts';
import type { Action, StatusAction } from '../../control/decision.ts';

/** What one rule concludes: the status as it should be, then effects. `conclude` makes the Decision of it. */
export interface Step<S> {
  /** The whole status after this step; written first, and only if it differs. */
  readonly status: S;
  /** Done after the status is written, in this order. */
  readonly effects: readonly Exclude<Action, StatusAction>[];
  readonly because: string;
  readonly wakeAt?: Instant;
}
