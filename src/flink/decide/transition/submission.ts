import { instantOf } from '../instant-text.ts';
import type { JobCase } from '../job-case.ts';
import { happened } from '../set-back.ts';

/** That the same was told again wakes nobody: whoever waits for a later answer looks again after this long. */
export const lookAgainMs = 2_000;

/** An answer that was on its way when a submission ended may speak of the time before. It takes no longer than this. */
const onItsWayMs = 10_000;

/** A session job is being submitted: Flink may run it already, though nobody has seen it. */
export function isBeingSubmitted({ is, status }: JobCase): boolean {
  const { transition } = status;
  return is === 'session job' && transition?.phase === 'starting' && transition.jobId !== undefined;
}

/**
 * Whether it is known that the session has no such job: its submission was refused, or the session told its jobs after it
 * had answered, and this one was not among them. As long as nobody knows how the submission ended, there may be one.
 */
export function isNotThere({ rest, outcomes, status, now }: JobCase, jobId: string): boolean {
  const outcome = outcomes[jobId];
  if (!outcome || !rest.jobs || rest.jobs.value.some(({ id }) => id === jobId)) return false;
  if (outcome.result === 'refused') return true;
  // If the clock was set back since, it is as long ago as anything that is known of.
  const answeredAt = outcome.at <= now ? outcome.at : (instantOf(status.transition?.phaseStartedAt) ?? now);
  return happened(rest.jobs.at, now) > answeredAt + onItsWayMs;
}
