import { errorMessage } from '../../decide/error-text.ts';
import { instantOf } from '../../decide/instant-text.ts';
import type { Transition } from '../../resources/transition.ts';
import { typed } from '../command.ts';
import { found } from '../findings.ts';
import { brief, capital, sentence, sinceText, spanText, untilText } from '../wording.ts';
import type { JobLook, Moment } from './job-look.ts';

/** What is told of one moment: four of the five answers; what serves is told the same way in all of them. */
export interface Told {
  changing(l: JobLook): string;
  progress(l: JobLook, now: number): string;
  ifStopped(l: JobLook): string;
  next(l: JobLook): string;
}

/** What is being redone cannot be taken back in the middle: the job is stopped or about to be. */
const cannotStop = (l: JobLook): string =>
  l.transition?.cause === 'first-deployment'
    ? 'Nothing was there before, so nothing is lost: delete it, or suspend it.'
    : `A change in place cannot be stopped half way. Put the specification back, and ${thing(l)} is brought back to it, from the same state.`;

export const moments: Readonly<Record<Moment, Told>> = {
  deleting: {
    changing: () => 'It is being deleted, and its cluster goes with it.',
    progress: (l, now) => `Its deletion was asked for ${ago(l.resource.metadata.deletionTimestamp, now)}.`,
    ifStopped: () => 'A deletion cannot be stopped. Savepoints stay where they lie.',
    next: () => 'Nothing. If it takes long, look at its finalizers and whether Flink answers.',
  },
  new: {
    changing: () => 'Nothing yet: it was not deployed so far.',
    progress: (l) => (found(l.status, 'Ready') ? standing(l) : 'It was not looked at yet.'),
    ifStopped: () => 'Nothing was begun, so nothing is lost: delete it, or correct it.',
    next: () => 'Wait a few seconds. If nothing happens, see whether the operator runs and watches this namespace.',
  },
  suspending: {
    changing: because,
    progress: (l, now) => `${stopText(l.transition)}, for ${elapsed(l, now)}.${failures(l, now)}`,
    ifStopped: cannotStop,
    next: (l) =>
      l.transition?.stop.failures
        ? `See why that fails. If the state may be dropped: ${typed('restart', l.subject, ' --stateless')}.`
        : 'Wait: what is new starts when the old job has ended.',
  },
  clearing: {
    changing: because,
    progress: (l, now) => `The old objects of ${thing(l)} are being removed, for ${elapsed(l, now)}.`,
    ifStopped: cannotStop,
    next: () => 'Wait; if it takes long, look at the pods that do not go.',
  },
  starting: {
    changing: because,
    progress: (l, now) => `${capital(thing(l))} is being made, ${restoreText(l.transition)}, for ${elapsed(l, now)}.`,
    ifStopped: cannotStop,
    next: (l) => (l.status.error === undefined ? 'Wait for its pods to come up.' : `See what is wrong: ${error(l)}`),
  },
  rescaling: {
    changing: because,
    progress: (l, now) => `Flink is told the new parallelism while the job runs, for ${elapsed(l, now)}.`,
    ifStopped: () => 'Set the parallelism back; the job is not stopped for it.',
    next: () => 'Wait; if it cannot be rescaled while it runs, an upgrade follows.',
  },
  settling: {
    changing: (l) => last(l) ?? 'It was deployed, and has to become stable.',
    progress: (l) => `It is deployed and not stable yet: ${standing(l)}`,
    ifStopped: () => 'Nothing is left to stop: the new specification is deployed.',
    next: (l) => (l.status.error === undefined ? 'Wait until it is stable.' : `See what is wrong: ${error(l)}`),
  },
  stable: {
    changing: () => 'Nothing: it runs as specified.',
    progress: lastOne,
    ifStopped: (l) =>
      l.is === 'session'
        ? 'Nothing is under way. A session cluster is stopped by deleting it; suspend the jobs in it first.'
        : `Nothing is under way. To stop the job and keep its state: ${typed('suspend', l.subject)}.`,
    next: () => 'Nothing. Before an edit, see what it would do: `cutover plan -f FILE`.',
  },
  finished: {
    changing: () => 'Nothing: the job has finished.',
    progress: lastOne,
    ifStopped: () => 'Nothing is under way.',
    next: (l) => `Nothing. To run it once more: ${typed('restart', l.subject)}.`,
  },
  suspended: {
    changing: () => 'Nothing: it is suspended, as specified.',
    progress: lastOne,
    ifStopped: () => 'It is stopped already; its state is kept.',
    next: (l) => `To go on: ${typed('resume', l.subject)}.`,
  },
  restarting: {
    changing: () => 'Nothing is changed by Cutover: Flink restarts the job by itself.',
    progress: (l) => `The job is ${l.job}. ${standing(l)}`,
    ifStopped: (l) => `Flink goes on trying. To stop it: ${typed('suspend', l.subject)}.`,
    next: (l) => `Look at the exceptions of the job. ${error(l)}`.trim(),
  },
  'rolled-back': {
    changing: () => 'Nothing any more: the new specification did not become stable and was rolled back.',
    progress: lastOne,
    ifStopped: () => 'It is stopped already: the specification before runs.',
    next: (l) => `Correct the specification, or try the same once more: ${typed('retry', l.subject)}.`,
  },
  failed: {
    changing: (l) => `Nothing: it will not get on by itself. ${error(l) || standing(l)}`,
    progress: lastOne,
    ifStopped: () => 'Nothing is under way.',
    next: (l) =>
      `Correct the specification, or: ${typed('retry', l.subject)}. Its last state is ${lastState(l) ?? 'not known'}.`,
  },
  pending: {
    changing: (l) => standing(l),
    progress: (l, now) =>
      `Nothing was begun for it so far, ${ago(found(l.status, 'Reconciling')?.lastTransitionTime, now)}.`,
    ifStopped: () => 'Nothing was begun: put the specification back, and everything stays as it is.',
    next: (l) =>
      `Wait, or mend what it waits for. If the state may be dropped: ${typed('restart', l.subject, ' --stateless')}.`,
  },
};

/** What it is, in a sentence. */
export function thing({ is }: JobLook): string {
  return is === 'session' ? 'the session cluster' : 'the job';
}

/** What the operator says that it waits for. */
export function standing({ status }: JobLook): string {
  return sentence(found(status, 'Ready')?.message || status.error || 'It was not looked at yet');
}

export function error({ status }: JobLook): string {
  return status.error === undefined ? '' : sentence(errorMessage(status.error));
}

/** Where the last state of a job lies, as far as is known. */
export function lastState({ status }: JobLook): string | undefined {
  const { upgradeSavepointPath, savepointInfo } = status.jobStatus ?? {};
  return upgradeSavepointPath ?? savepointInfo?.lastSavepoint?.location;
}

/** How the old job is brought to an end. */
export function stopText(transition: Transition | undefined): string {
  switch (transition?.stop.mode) {
    case 'savepoint':
      return 'The job is being stopped with a savepoint';
    case 'cancel':
      return 'The job is being cancelled, and its last checkpoint kept';
    case 'last-state':
      return 'The cluster is being removed, and its recovery metadata kept';
    case 'stateless':
      return 'The job is being cancelled, and its state left behind';
    default:
      return 'There is nothing to stop';
  }
}

/** What the new job starts from. */
export function restoreText(transition: Pick<Transition, 'restore' | 'stop'> | undefined): string {
  if (!transition) return 'without state';
  const { mode, path } = transition.restore;
  if (mode === 'last-state') return 'from its last checkpoint';
  if (mode === 'stateless') return 'without state';
  if (path !== undefined) return `from ${path}`;
  return transition.stop.mode === 'cancel' ? 'from its last checkpoint' : 'from that savepoint';
}

function because(l: JobLook): string {
  return sentence(l.transition?.because || 'The specification changed');
}

function elapsed({ transition }: JobLook, now: number): string {
  return sinceText(transition?.phaseStartedAt, now) ?? 'a while';
}

function ago(at: string | undefined, now: number): string {
  const text = sinceText(at, now);
  return text === undefined ? 'some time ago' : `${text} ago`;
}

function failures({ transition }: JobLook, now: number): string {
  const { failures: count, error: why, retryAt } = transition?.stop ?? {};
  if (!count) return '';
  const again = untilText(retryAt, now);
  return ` It failed ${count === 1 ? 'once' : `${count} times`}${why ? `: ${sentence(why)}` : '.'}${again ? ` Tried again ${again}.` : ''}`;
}

function last({ status }: JobLook): string | undefined {
  const [entry] = status.history ?? [];
  return entry && sentence(entry.because);
}

function lastOne({ status }: JobLook, now: number): string {
  const [entry] = status.history ?? [];
  if (!entry) return 'Nothing has been changed since it was taken over.';
  const [from, to] = [instantOf(entry.startedAt), instantOf(entry.endedAt)];
  const took = from !== undefined && to !== undefined && to >= from ? ` It took ${spanText(to - from)}.` : '';
  return `The last change (${brief(entry.because).replace(/\.$/, '')}) ended ${ago(entry.endedAt, now)}: ${brief(entry.outcome)}.${took}`;
}
