import type { Instant } from '../../../clock/clock.ts';
import type { Reason } from '../../../control/decision.ts';
import type { Effect } from '../step.ts';
import type { BlueGreenCase, Status } from './blue-green-case.ts';

/** What one row of the table concludes. `conclude` makes the Decision of it. */
export interface BlueGreenStep {
  /** The whole status after this step; written first, and only if it differs. */
  readonly status: Status;
  /** Done after the status is written, in this order. */
  readonly effects?: readonly Effect[];
  /** One sentence; also the message of the conditions, so it must not change from look to look. */
  readonly because: string;
  readonly wakeAt?: Instant | undefined;
  /** Something is wrong: FAILING, with this text. */
  readonly error?: string;
  /** How the resource stands, where its status does not say so by itself. */
  readonly stands?: { readonly is: 'waiting' | 'stalled'; readonly reason: Reason };
  /** The table is asked once more with this status before anything is done. Such a step has no effects but events. */
  readonly again?: true;
}

/** Nothing to do but wait. */
export function wait(
  c: BlueGreenCase,
  because: string,
  more: Partial<Pick<BlueGreenStep, 'wakeAt' | 'error' | 'stands' | 'effects' | 'status'>> = {},
): BlueGreenStep {
  return { status: c.status, because, ...more };
}
