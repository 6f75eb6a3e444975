import { other } from '../../decide/bluegreen/blue-green-case.ts';
import { instantOf } from '../../decide/instant-text.ts';
import type { Color } from '../../resources/blue-green-transition.ts';
import { typed } from '../command.ts';
import { found } from '../findings.ts';
import { capital, sentence, sinceText, spanText, untilText } from '../wording.ts';
import type { BlueGreenLook, Moment } from './blue-green-look.ts';
import { deadlinesOf } from './deadlines.ts';

/** What is told of one moment: four of the five answers; what serves is told the same way in all of them. */
export interface Told {
  changing(l: BlueGreenLook): string;
  progress(l: BlueGreenLook, now: number): string;
  ifStopped(l: BlueGreenLook): string;
  next(l: BlueGreenLook, now: number): string;
}

/** Every moment, in the order in which a transition goes through them. */
export const moments: Readonly<Record<Moment, Told>> = {
  deleting: {
    changing: () => 'The resource is being deleted, and both sides go with it.',
    progress: (l, now) => `Its deletion was asked for ${ago(l.resource.metadata.deletionTimestamp, now)}.`,
    ifStopped: () => 'A deletion cannot be stopped. Savepoints stay where they lie.',
    next: () => 'Nothing. If it takes long, look at the finalizers of the FlinkDeployments below it.',
  },
  new: {
    changing: () => 'Nothing yet: blue is made first, as soon as Cutover has looked at the resource.',
    progress: (l) => notBegun(l),
    ifStopped: () => 'Nothing was begun, so nothing is lost: delete the resource, or correct it.',
    next: () => 'Wait a few seconds. If nothing happens, see whether the operator runs and watches this namespace.',
  },
  unready: {
    changing: (l) => `The first deployment: ${because(l)}`,
    progress: (l, now) => `blue is starting: ${standing(l)} ${due(l, now)}`,
    ifStopped: () => 'There is no other side to fall back on: delete the resource, or set job.state to suspended.',
    next: (l) =>
      l.status.error === undefined
        ? 'Wait for blue to become ready.'
        : 'Correct the template: blue is changed in place, and no state can be lost yet.',
  },
  resting: {
    changing: (l) => `Nothing: ${x(l)} has the newest template.`,
    progress: (l, now) => lastOne(l, now),
    ifStopped: (l) => `Nothing is under way. Suspending ends the job of ${x(l)} with its state kept.`,
    next: () => 'Nothing. Before an edit, see what it would do: `cutover plan -f FILE`.',
  },
  suspended: {
    changing: () => 'Nothing: the job is suspended, as specified.',
    progress: (l, now) => lastOne(l, now),
    ifStopped: () => 'It is stopped already; its state is kept.',
    next: (l) => `To go on: ${typed('resume', l.subject)}.`,
  },
  'given-up': {
    changing: (l) => `Nothing any more: ${sentence(l.status.aborted?.reason ?? 'The transition was given up')}`,
    progress: (l, now) =>
      `It was given up ${ago(l.status.aborted?.at, now)}, and is not tried again until the template changes.`,
    ifStopped: (l) => `It is stopped already: ${x(l)} serves the template before.`,
    next: (l) =>
      `Correct the template, or put it back. To try the same once more: ${typed('retry', l.subject)}. ${leftOver(l)}`.trim(),
  },
  'in-place': {
    changing: (l) => sentence(l.status.inPlace?.because ?? `${x(l)} is changed in place`),
    progress: (l) => `${word(l.status.inPlace?.color ?? l.target)} is being patched: ${standing(l)}`,
    ifStopped: (l) => `Put the template back: ${x(l)} is then changed back where it is; no other side is involved.`,
    next: () => 'Wait a moment; the change is complete when the FlinkDeployment has it.',
  },
  pending: {
    changing: (l) => standing(l),
    progress: (l, now) => `Nothing was begun for it so far, ${ago(stuckSince(l), now)}.`,
    ifStopped: (l) => `Nothing was begun: put the template back, and ${x(l)} stays as it is.`,
    next: (l) => pendingNext(l),
  },
  elsewhere: {
    changing: (l) => `Another operator is in ${l.state}, and keeps no record of it that Cutover can read.`,
    progress: (l) => `The state is ${l.state}; more is not known.`,
    ifStopped: (l) => `${x(l)} should still serve; what the other operator does then is its own.`,
    next: () => 'Wait until that operator has brought the transition to an end before Cutover takes over.',
  },
  savepointing: {
    changing: (l) => `${way(l)}: ${because(l)}`,
    progress: (l, now) => `${savepointText(l)}, for ${elapsed(l, now)}. ${due(l, now)}`,
    ifStopped: (l) => `${x(l)} serves on as if nothing had been; ${y(l)} was not made yet. A savepoint stays recorded.`,
    next: (l) =>
      l.transition?.savepointFailures
        ? `See why savepoints of ${x(l)} fail. Without one: set savepointRedeployNonce with an initialSavepointPath, or, if the state may be dropped, ${typed('restart', l.subject, ' --stateless')}.`
        : 'Wait: the other side is made when the savepoint is complete.',
  },
  starting: {
    changing: (l) => `${way(l)}: ${because(l)}`,
    progress: (l, now) => `${y(l)} is starting for ${elapsed(l, now)}: ${standing(l)} ${due(l, now)}`,
    ifStopped: (l) => `${y(l)} is deleted and ${x(l)} serves on, untouched: ${typed('abort', l.subject)}.`,
    next: (l) =>
      l.status.error === undefined
        ? `Wait for ${y(l)} to become ready; otherwise it is given up by itself.`
        : `See what keeps ${y(l)} from starting; correct the template, or give it up: ${typed('abort', l.subject)}.`,
  },
  verifying: {
    changing: (l) => `${way(l)}: ${because(l)}`,
    progress: (l, now) => `${y(l)} is ready and is held back. ${due(l, now)}`,
    ifStopped: (l) => `${y(l)} is deleted and ${x(l)} serves on, untouched: ${typed('abort', l.subject)}.`,
    next: (l) => `Wait, or look at ${y(l)} first. To be done at once: ${typed('promote', l.subject)}.`,
  },
  awaiting: {
    changing: (l) => `${way(l)}: ${because(l)}`,
    progress: (l, now) =>
      l.serving === l.target
        ? `${y(l)} has the traffic; ${z(l)} is kept until somebody agrees.`
        : `${y(l)} has been ready for ${sinceText(l.transition?.readyAt, now) ?? 'a while'}, and waits for a person to promote it.`,
    ifStopped: (l) =>
      l.serving === l.target
        ? `Traffic goes back to ${z(l)} if it is ready: ${typed('rollback', l.subject)}.`
        : `${y(l)} is deleted and ${x(l)} serves on, untouched: ${typed('abort', l.subject)}.`,
    next: (l) => `Look at ${y(l)}; if it is well: ${typed('promote', l.subject)}.`,
  },
  switching: {
    changing: (l) => `${way(l)}: ${because(l)}`,
    progress: (l, now) => `${y(l)} is ready, and traffic moves to it, for ${elapsed(l, now)}.`,
    ifStopped: (l) => `Traffic goes back to ${z(l)}, which still runs: ${typed('rollback', l.subject)}.`,
    next: (l) => `Nothing; it takes as long as the Ingress needs. ${blocked(l)}`.trim(),
  },
  draining: {
    changing: (l) => `${way(l)}: ${because(l)}`,
    progress: (l, now) => `Traffic is at ${y(l)}; ${z(l)} is still there. ${due(l, now)}`,
    ifStopped: (l) => `Traffic goes back to ${z(l)}, which still runs: ${typed('rollback', l.subject)}.`,
    next: (l) => `Watch ${y(l)}. Until ${z(l)} is deleted you can go back: ${typed('rollback', l.subject)}.`,
  },
  keeping: {
    changing: (l) => `${way(l)} is done but for the way back: ${because(l)}`,
    progress: (l, now) => `${y(l)} serves; ${z(l)} is kept for a way back. ${due(l, now)}`,
    ifStopped: (l) =>
      `Traffic goes back to ${z(l)} with the state that it has itself: ${typed('rollback', l.subject)}.`,
    next: (l) => `Watch ${y(l)}; if it does not do what it should: ${typed('rollback', l.subject)}.`,
  },
  retiring: {
    changing: (l) => `${way(l)}: ${because(l)}`,
    progress: (l, now) => `${y(l)} serves and ${z(l)} is being deleted, for ${elapsed(l, now)}.`,
    ifStopped: (l) =>
      `As long as the deletion of ${z(l)} was not seen, traffic can go back: ${typed('rollback', l.subject)}.`,
    next: () => 'Nothing; when the old side is seen gone, the transition is complete.',
  },
  returning: {
    changing: (l) => `Traffic goes back to ${word(l.transition?.from ?? 'BLUE')}; ${because(l)}`,
    progress: (l, now) => `Traffic is on its way, for ${elapsed(l, now)}: ${standing(l)}`,
    ifStopped: (l) => `It is the way back already; ${x(l)} has the traffic until it has arrived.`,
    next: (l) => `Wait; after that ${y(l)} is made again, or given up.`,
  },
};

export function word(color: Color): string {
  return color.toLowerCase();
}

/** The side that serves. */
function x(l: BlueGreenLook): string {
  return word(l.serving ?? 'BLUE');
}

/** The side that is made. */
function y(l: BlueGreenLook): string {
  return word(l.target);
}

/** The side that had the traffic before the target. */
function z(l: BlueGreenLook): string {
  return word(l.transition?.from ?? other(l.target));
}

export function way({ transition }: BlueGreenLook): string {
  return transition ? `${transition.from ? `${word(transition.from)} → ` : ''}${word(transition.to)}` : 'no transition';
}

function because({ transition }: BlueGreenLook): string {
  return sentence(transition?.because || 'The template changed');
}

/** What the operator says that it waits for. */
export function standing({ status }: BlueGreenLook): string {
  return sentence(found(status, 'Ready')?.message || status.error || 'It was not looked at yet');
}

function elapsed({ transition }: BlueGreenLook, now: number): string {
  return sinceText(transition?.phaseStartedAt, now) ?? 'a while';
}

function ago(at: string | undefined, now: number): string {
  const text = sinceText(at, now);
  return text === undefined ? 'some time ago' : `${text} ago`;
}

/** What happens by itself, and when. */
function due(l: BlueGreenLook, now: number): string {
  const [first] = deadlinesOf(l);
  return first ? sentence(`${capital(first.what)} ${untilText(first.at, now) ?? ''}`) : '';
}

function savepointText({ transition, serving }: BlueGreenLook): string {
  const of = word(serving ?? 'BLUE');
  const { savepoint, savepointFailures, savepointError } = transition ?? {};
  if (savepointFailures) {
    const why = savepointError ? `: ${sentence(savepointError)}` : '';
    return `The savepoint of ${of} failed ${savepointFailures === 1 ? 'once' : `${savepointFailures} times`}${why} It is tried again`;
  }
  return savepoint?.path === undefined ? `A savepoint of ${of} is being taken` : `The savepoint of ${of} is complete`;
}

function lastOne({ status }: BlueGreenLook, now: number): string {
  const [last] = status.history ?? [];
  if (!last) return 'Nothing has been changed since it was taken over.';
  const [from, to] = [instantOf(last.startedAt), instantOf(last.endedAt)];
  const took = from !== undefined && to !== undefined && to >= from ? ` It took ${spanText(to - from)}.` : '';
  const what = last.from ? `${word(last.from)} → ${word(last.to)}` : `the first deployment of ${word(last.to)}`;
  return `The last change, ${what}, ended ${ago(last.endedAt, now)}: ${last.outcome}.${took}`;
}

function notBegun(l: BlueGreenLook): string {
  return found(l.status, 'Ready') ? standing(l) : 'It was not looked at yet.';
}

function stuckSince({ status }: BlueGreenLook): string | undefined {
  return (found(status, 'Stalled') ?? found(status, 'Reconciling'))?.lastTransitionTime;
}

function pendingNext(l: BlueGreenLook): string {
  const why = (found(l.status, 'Stalled') ?? found(l.status, 'Reconciling'))?.reason;
  const empty = typed('restart', l.subject, ' --stateless');
  switch (why) {
    case 'ServingNotReady':
    case 'ServingUnhealthy':
      return `Mend ${x(l)}, whose state is needed. Otherwise set savepointRedeployNonce with an initialSavepointPath, or, if the state may be dropped, ${empty}.`;
    case 'ServingDeleted':
      return `Set savepointRedeployNonce with the last savepoint as initialSavepointPath, or, if the state may be dropped, ${empty}.`;
    case 'SideLeaving':
    case 'NameTaken':
      return 'See what keeps the old object, and remove that.';
    default:
      return 'Wait; it goes on by itself as soon as it can.';
  }
}

function leftOver({ status, settings }: BlueGreenLook): string {
  const { aborted } = status;
  if (!aborted || aborted.byHand || settings.abortAction !== 'keep') return '';
  return `${word(aborted.color)} was left as it is, so that you can look at it.`;
}

function blocked({ status }: BlueGreenLook): string {
  const trouble = found(status, 'IngressBlocked');
  return trouble ? sentence(trouble.message) : '';
}
