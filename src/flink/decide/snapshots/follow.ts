import type { Instant } from '../../../clock/clock.ts';
import type { View } from '../../../control/controller.ts';
import type { CheckpointSeen, Rest } from '../../rest.ts';
import { happened } from '../set-back.ts';

/** A savepoint or checkpoint that was asked for. */
export interface Trigger {
  /** The trigger id; status held it before Flink was asked. */
  readonly id: string;
  readonly of: 'savepoint' | 'checkpoint';
  /** When it was written down. */
  readonly at: Instant;
}

export type Followed =
  /** Nothing to do but wait. */
  | { readonly is: 'waiting'; readonly because: string; readonly wakeAt?: Instant }
  /** The request may not have arrived: it is sent again, the same one. */
  | { readonly is: 'unsent' }
  /**
   * The JobManager has no memory of it, and nothing shows that it was taken: it is asked for once more. Under a new id only if
   * Flink is known to have had the request (`had`). Whoever sent it may have been stopped for any time, and send it still: under
   * the same id Flink takes it for what it has done already.
   */
  | { readonly is: 'lost'; readonly had: boolean }
  /** `path` is absent when Flink does not say where it lies. */
  | { readonly is: 'done'; readonly path?: string }
  | { readonly is: 'failed'; readonly message: string };

/**
 * After this long a request of a process that died has arrived: an id that Flink does not know then was most likely never asked
 * for, or is forgotten.
 */
const arrivalMs = 30_000;

/** That the same was told again wakes nobody: whoever waits for a later answer looks again after this long. */
const lookAgainMs = 2000;

/** How long something is looked for in the list of checkpoints. */
const searchMs = 60_000;

/**
 * What became of a trigger.
 *
 * A JobManager that restarted knows no triggers. Then its list of checkpoints is asked for one that is newer than the
 * trigger, so that a result is lost only if Flink lost it.
 */
export function follow(trigger: Trigger, { now, outcomes, rest }: View & { readonly rest: Rest }): Followed {
  const { id, of, at } = trigger;
  const operation = Object.hasOwn(rest.operations, id) ? rest.operations[id] : undefined;
  const outcome = Object.hasOwn(outcomes, id) ? outcomes[id] : undefined;

  switch (operation?.value.is) {
    case 'in progress':
      return { is: 'waiting', because: `the ${of} is being taken` };
    case 'failed':
      return { is: 'failed', message: operation.value.message };
    case 'done': {
      const { location, checkpointId } = operation.value;
      return location !== undefined
        ? { is: 'done', path: location }
        : located(checkpointId, happened(operation.at, now), rest, now);
    }
    case 'unknown': {
      if (outcome?.result === 'refused') return { is: 'failed', message: outcome.message };
      const arrived = outcome?.result === 'done' ? happened(outcome.at, now) : at + arrivalMs;
      if (operation.at < arrived) {
        return {
          is: 'waiting',
          because: `it is not known yet whether Flink got the request for a ${of}`,
          wakeAt: Math.max(arrived, now + lookAgainMs),
        };
      }
      return recovered(trigger, rest, { arrived, toldAt: operation.at, had: outcome?.result === 'done' }, now);
    }
    case undefined:
      if (outcome?.result === 'refused') return { is: 'failed', message: outcome.message };
      if (outcome?.result === 'unavailable') return { is: 'unsent' };
      return { is: 'waiting', because: `Flink is being asked what became of the ${of}` };
  }
}

/** A checkpoint's trigger says only its number: where it lies is in the list of checkpoints, until newer ones push it out. */
function located(checkpointId: number | undefined, toldAt: Instant, { job }: Rest, now: Instant): Followed {
  const { lastCompleted, last } = job.checkpoints?.value ?? {};
  const found = [lastCompleted, last].find((seen) => seen?.id === checkpointId && seen?.path !== undefined);
  if (found?.path !== undefined) return { is: 'done', path: found.path };
  const searched = checkpointId === undefined || (lastCompleted !== undefined && lastCompleted.id >= checkpointId);
  if (searched || now >= toldAt + searchMs) return { is: 'done' };
  return { is: 'waiting', because: `looking for where checkpoint ${checkpointId} lies`, wakeAt: toldAt + searchMs };
}

function recovered(
  { of, at }: Trigger,
  { job, jobs, trouble }: Rest,
  { arrived: since, toldAt, had }: { readonly arrived: Instant; readonly toldAt: Instant; readonly had: boolean },
  now: Instant,
): Followed {
  const { checkpoints } = job;
  // The list is asked for after the trigger. When that did not come to an answer, an older list may be from before the end of
  // what was asked for. Of a job that has ended the list is as new as the news of the job.
  const listedAt = checkpoints && happened(checkpoints.at, now);
  const listed = listedAt !== undefined && listedAt >= since;
  const fresh = listed && (listedAt >= toldAt || listedAt >= (jobs ? happened(jobs.at, now) : toldAt));
  if (!checkpoints || !fresh) {
    // A job without checkpointing has no list; then there is nothing to be found in it.
    if (!listed && !trouble && now >= since + searchMs) return { is: 'lost', had };
    const because = `Flink has forgotten the request for a ${of}: its checkpoints are being looked at`;
    return { is: 'waiting', because, wakeAt: now + lookAgainMs };
  }
  const { lastSavepoint, lastCompleted } = checkpoints.value;
  const newest: CheckpointSeen | undefined = of === 'savepoint' ? lastSavepoint : lastCompleted;
  if (!newest || newest.triggeredAt < at) return { is: 'lost', had };
  return { is: 'done', ...(newest.path !== undefined && { path: newest.path }) };
}
