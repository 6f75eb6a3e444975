import type { Instant } from '../../../clock/clock.ts';
import type { BlueGreenSettings } from '../../config/blue-green-options.ts';
import type { BlueGreenTransition } from '../../resources/blue-green-transition.ts';
import { notAfter } from '../set-back.ts';
import { backoffMs } from '../snapshots/backoff.ts';
import { savepointLimitMs } from './ask-savepoint.ts';
import type { Status } from './blue-green-case.ts';

/**
 * A status whose waits have all begun by now, and end no later than if they began now: those that came to lie in the future
 * when the clock was set back begin anew. So does a wait for which less time is given since.
 */
export function begunAnew(status: Status, now: Instant, settings: BlueGreenSettings): Status {
  const { transition } = status;
  return transition ? { ...status, transition: transitionAnew(transition, now, settings) } : status;
}

function transitionAnew(
  transition: BlueGreenTransition,
  now: Instant,
  settings: BlueGreenSettings,
): BlueGreenTransition {
  const { savepoint, savepointFailures = 1 } = transition;
  const begun = notAfter(now, transition, 'phaseStartedAt', 'readyAt', 'trafficAt');
  const due = notAfter(now + settings.abortGraceMs, begun, 'deadline');
  return {
    ...notAfter(now + backoffMs(savepointFailures), due, 'savepointRetryAt'),
    ...(savepoint && { savepoint: notAfter(now + savepointLimitMs(settings), savepoint, 'deadline') }),
  };
}
