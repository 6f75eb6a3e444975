import type { Answers, Deadline, PodPortrait } from '../../portrait/portrait.ts';
import type { Summary } from '../../portrait/summary.ts';
import { becauseOf, restartsPods } from './because.ts';
import { commandOf } from './command.ts';
import { everComplete, lastEnded } from './ended.ts';
import type { Read } from './instance-in.ts';
import { progressOf } from './progress.ts';
import { type Situation, waitingOf } from './situation.ts';
import { brief, counted, instantOf, names, sentence, spanText } from './wording.ts';

export interface AnswersInput {
  readonly read: Read;
  readonly situation: Situation;
  readonly summary: Summary;
  readonly pods: readonly PodPortrait[];
  readonly deadlines: readonly Deadline[];
  readonly now: number;
}

/** What whoever opens a terminal during a change wants to know. */
export function answersOf(input: AnswersInput): Answers {
  const { summary } = input;
  return {
    serves: servesNow(input),
    changing: changing(input),
    progress: progress(input),
    ifStopped: ifStopped(input),
    next: summary.needsYou ?? next(input),
  };
}

function servesNow({ summary, pods, read }: AnswersInput): string {
  if (summary.serving === 'nothing') {
    return everComplete(read.status) ? 'Nothing that is known of.' : 'Nothing yet: no plan of it has completed so far.';
  }
  if (pods.length === 0) return `${summary.serving}; no pods of it are to be seen.`;
  const ready = pods.filter((pod) => pod.ready).length;
  return `${summary.serving}: ${ready} of ${counted(pods.length, 'pod')} ${pods.length === 1 ? 'is' : 'are'} ready.`;
}

function changing({ read, situation, summary }: AnswersInput): string {
  const waits = waitingOf(read);
  switch (situation.is) {
    case 'running': {
      const { execution } = situation;
      const { plan, restarts = [], reasons = [] } = execution;
      const known = restarts.length > 0 ? restarts : reasons;
      const pods =
        known.length > 0
          ? `Pods of ${names(known.map(({ kind, name }) => `${kind} ${name}`))} restart.`
          : restartsPods(execution)
            ? 'Pods of what it applies restart.'
            : 'No pod restarts on its account.';
      const behind = waits === undefined ? '' : ` ${sentence(brief(waits))}`;
      return `Plan ${plan} runs because ${becauseOf(execution)}. ${pods}${behind}`;
    }
    case 'refused':
      return sentence(`nothing: what stands in the spec is refused (${situation.reason})`);
    case 'deleting':
      return situation.stuck ? 'It is to be deleted, but its plan cleanup failed.' : 'It is being deleted.';
    case 'aside': {
      if (!situation.paused) return sentence(brief(situation.message));
      const { execution } = read.status;
      const still = execution ? `Plan ${execution.plan} stands still` : 'Nothing';
      return `${still}: it is paused. Changes of the spec wait until it is resumed.`;
    }
    case 'unseen':
    case 'changed':
      return summary.headline;
    case 'failed':
    case 'cancelled':
      return `Nothing any more. ${summary.headline}`;
    case 'unwell':
    case 'drifted':
    case 'owed':
    case 'outdated':
    case 'resting': {
      const last = lastEnded(read.status);
      return last ? `Nothing. The last change was plan ${last.plan}, because ${becauseOf(last)}.` : 'Nothing.';
    }
    default:
      return situation satisfies never;
  }
}

function progress({ read, pods, now, deadlines }: AnswersInput): string {
  const { execution } = read.status;
  if (execution) {
    const { steps, done, at } = progressOf(read.status, execution.plan);
    const began = instantOf(execution.startedAt);
    const begun = began === undefined ? 'has begun' : `began ${spanText(Math.floor((now - began) / 1000) * 1000)} ago`;
    const open = pods.filter(({ reasons }) => reasons.some(({ when }) => when === 'will')).length;
    const message = at?.message === undefined ? '' : ` (${brief(at.message)})`;
    const where = at ? ` It is at ${at.place}${message}.` : '';
    const still = open > 0 ? ` ${counted(open, 'pod')} still to restart.` : '';
    const [deadline] = deadlines;
    const end = deadline && instantOf(deadline.at);
    const limit =
      deadline && end !== undefined ? ` In ${spanText(Math.ceil((end - now) / 1000) * 1000)} ${deadline.what}.` : '';
    return `${done} of ${counted(steps.length, 'step')} done; plan ${execution.plan} ${begun}.${where}${still}${limit}`;
  }
  const last = lastEnded(read.status);
  if (!last) return 'No plan has run yet.';
  const { steps, done } = progressOf(read.status, last.plan);
  const took = (instantOf(last.endedAt) ?? 0) - (instantOf(last.startedAt) ?? 0);
  const time = last.startedAt !== undefined && took > 0 ? ` after ${spanText(took)}` : '';
  if (last.outcome === 'COMPLETE') return `Plan ${last.plan} is complete${time}.`;
  return `Plan ${last.plan} ended in ${last.outcome}${time}, with ${done} of ${counted(steps.length, 'step')} done.`;
}

function ifStopped({ read, situation }: AnswersInput): string {
  if (situation.is === 'deleting') return 'A deletion cannot be taken back; plan cleanup cannot be cancelled.';
  const { execution } = read.status;
  if (!execution) return 'Nothing runs that could be stopped.';
  const kept = `What plan ${execution.plan} has applied stays, the rest is not applied`;
  const owed =
    read.status.restart && restartsPods(execution) ? '; the restart stays pending until a plan has done it' : '';
  const waits = waitingOf(read) === undefined ? '' : ' The change that waits begins at once.';
  const way = execution.cause === 'install' ? 'It is then installed in part' : 'It goes on with what is there';
  return `${kept}${owed}. ${way}, and \`${commandOf('retry', read)}\` runs the plan again.${waits}`;
}

/** When no person is needed. */
function next({ read, situation }: AnswersInput): string {
  switch (situation.is) {
    case 'running':
      return waitingOf(read) === undefined
        ? `Nothing: it gets on by itself. To end it, \`${commandOf('abort', read)}\`.`
        : `Nothing: the change that waits follows by itself. To have it at once, \`${commandOf('abort', read)}\`.`;
    case 'aside':
      return `To let the operator go on, \`${commandOf('resume', read)}\`.`;
    case 'deleting':
      return 'Nothing: it goes when plan cleanup is complete.';
    case 'unseen':
    case 'changed':
      return 'Wait a moment. If nothing happens, see whether the operator runs.';
    case 'unwell':
      return 'Look at the pods that are not ready: their reasons and their logs say why.';
    case 'drifted':
      return 'Nothing: it is being set right.';
    case 'refused':
    case 'failed':
    case 'cancelled':
    case 'owed':
    case 'outdated':
    case 'resting':
      return 'Nothing.';
    default:
      return situation satisfies never;
  }
}
