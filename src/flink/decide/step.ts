import type { Instant } from '../../clock/clock.ts';
import type { Action, Reason, StatusAction } from '../../control/decision.ts';

export type Effect = Exclude<Action, StatusAction>;

/** What one rule concludes: the status as it should be, then effects. `conclude` makes the Decision of it. */
export interface Step<S> {
  /** The whole status after this step; written first, and only if it differs. */
  readonly status: S;
  /** Done after the status is written, in this order. */
  readonly effects: readonly Effect[];
  /** One sentence; also the message of the conditions unless all is well, so it must not change from look to look. */
  readonly because: string;
  readonly wakeAt?: Instant;
  /** How the resource stands, where its status does not say so by itself. */
  readonly stands?: {
    /** `ready`: as it should be. `waiting`: goes on by itself when something else has happened. `stalled`: somebody must act. */
    readonly is: 'ready' | 'waiting' | 'stalled';
    readonly reason: Reason;
  };
}
