import type { Cause, SuspendMode, Transition } from '../../resources/transition.ts';
import type { Restore } from '../availability.ts';
import { instantText } from '../instant-text.ts';
import type { JobCase } from '../job-case.ts';
import { ended, type Status, withJob, without, withRecord } from '../status.ts';
import type { Effect, Step } from '../step.ts';
import { advance } from './advance.ts';
import { supersededStop } from './snapshot-of-stop.ts';
import { isBeingSubmitted } from './submission.ts';

/** A change to be made, before it has an id. */
export interface Intent {
  readonly cause: Cause;
  /** One sentence. */
  readonly because: string;
  readonly stop: SuspendMode;
  readonly restore: Restore;
  /** Where the state that is left behind lies, if it is known already. */
  readonly dropped?: NonNullable<Transition['dropped']>;
  /** What there is to say about it. */
  readonly events: readonly Effect[];
}

/** Takes a new attempt: whatever derives its id from it is told from everything before. */
export function attempted(status: Status): Status & { readonly attempt: number } {
  return { ...status, attempt: (status.attempt ?? 0) + 1 };
}

/**
 * Writes a change down and takes its first step. One that is under way already is superseded: it becomes history, and
 * what it had removed stays removed, and what it had saved is on record. Nothing of it holds the new one back: that it is
 * acted upon is in this very status.
 */
export function begin(c: JobCase, intent: Intent): Step<Status> {
  const at = instantText(c.now);
  const { transition: before } = c.status;
  // What the one before has saved is recorded now, if it was not yet.
  const saved = supersededStop(c, intent.cause);
  const superseded = ended(saved.status, `superseded: ${intent.because}`, at);
  const submitted = isBeingSubmitted(c);
  const fresh = attempted(without(superseded, 'error'));
  // What status says of a job is about the one before.
  const status = submitted ? { ...fresh, ...withJob(fresh, { state: 'RECONCILING' }) } : fresh;
  const jobId = status.jobStatus?.jobId;
  const running = before === undefined || before.phase === 'suspending' || before.phase === 'rescaling' || submitted;
  const transition: Transition = {
    id: `${c.uid}-${status.attempt}`,
    cause: intent.cause,
    because: intent.because,
    generation: c.generation,
    phase: running && intent.stop !== 'none' ? 'suspending' : 'clearing',
    startedAt: at,
    phaseStartedAt: at,
    stop: { mode: running ? intent.stop : 'none', ...(jobId !== undefined && { jobId }) },
    restore: intent.restore,
    ...(intent.dropped && { dropped: intent.dropped }),
  };
  const state = intent.cause === 'rollback' ? 'ROLLING_BACK' : 'UPGRADING';
  const begun = withRecord({ ...status, observedGeneration: c.generation, transition }, { state });
  const step = advance({ ...c, status: begun });
  return { ...step, effects: [...saved.events, ...intent.events, ...step.effects, ...saved.last] };
}
