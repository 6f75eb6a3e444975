import type { Instant } from '../../clock/clock.ts';
import { notAfter } from './set-back.ts';
import { backoffMs } from './snapshots/backoff.ts';
import type { Status } from './status.ts';

/**
 * A status whose waits have all begun by now: those that came to lie in the future when the clock was set back begin anew.
 * Times that objects are named after stay what they are.
 */
export function begunAnew(status: Status, now: Instant): Status {
  const { transition, reconciliationStatus: record, jobStatus } = status;
  return {
    ...status,
    ...(transition && { transition: transitionAnew(transition, now) }),
    ...(record && { reconciliationStatus: notAfter(now, record, 'reconciliationTimestamp') }),
    ...(jobStatus && { jobStatus: jobAnew(jobStatus, now) }),
  };
}

type Transition = NonNullable<Status['transition']>;

function transitionAnew(transition: Transition, now: Instant): Transition {
  const stop = notAfter(now, transition.stop, 'askedAt');
  const longest = backoffMs(stop.failures ?? 1);
  return { ...notAfter(now, transition, 'phaseStartedAt'), stop: notAfter(now + longest, stop, 'retryAt') };
}

type Job = NonNullable<Status['jobStatus']>;

function jobAnew(job: Job, now: Instant): Job {
  const { savepointInfo: savepoint, checkpointInfo: checkpoint } = job;
  return {
    ...notAfter(now, job, 'updateTime'),
    ...(savepoint && { savepointInfo: askedAnew(notAfter(now, savepoint, 'lastPeriodicSavepointTimestamp'), now) }),
    ...(checkpoint && { checkpointInfo: askedAnew(notAfter(now, checkpoint, 'lastPeriodicCheckpointTimestamp'), now) }),
  };
}

/** A FlinkStateSnapshot that is being made is named after the time when it was asked for; a trigger has an id. */
function askedAnew<T extends { readonly triggerId?: string; readonly triggerTimestamp?: number }>(
  info: T,
  now: Instant,
): T {
  return info.triggerId ? notAfter(now, info, 'triggerTimestamp') : info;
}
