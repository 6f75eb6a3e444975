import { becauseOf, restartsPods } from './because.ts';
import { lastEnded } from './ended.ts';
import type { Read } from './instance-in.ts';
import { progressOf } from './progress.ts';
import { conditionOf, type Situation, waitingOf } from './situation.ts';
import { brief, names } from './wording.ts';

/** How an Instance is, in one sentence: what it is at, what it waits for, what is wrong. */
export function headlineOf(read: Read, situation: Situation): string {
  switch (situation.is) {
    case 'deleting': {
      if (situation.stuck) return `it stays, for plan cleanup failed: ${brief(situation.stuck.message ?? '')}`;
      const { execution } = read.status;
      return execution ? `it is deleted: plan ${execution.plan} runs${where(read, execution.plan)}` : 'it is deleted';
    }
    case 'aside':
      return situation.paused ? 'paused: the operator does nothing about it' : brief(situation.message);
    case 'unseen':
      return 'the operator has not looked at it yet';
    case 'running': {
      const { execution } = situation;
      const restart = restartsPods(execution) ? '; pods restart' : '';
      const behind = waitingOf(read) === undefined ? '' : '; another change waits for it';
      return `plan ${execution.plan} runs because ${becauseOf(execution)}${where(read, execution.plan)}${restart}${behind}`;
    }
    case 'refused':
      return `what stands in the spec is refused: ${brief(situation.message)}`;
    case 'changed':
      return 'it has just been changed, and the operator has not looked at that yet';
    case 'failed':
      return `plan ${situation.past.plan} failed: ${brief(situation.past.message ?? 'see its steps')}`;
    case 'cancelled':
      return `plan ${situation.past.plan} was stopped before its end; what it had applied stays`;
    case 'unwell':
      return brief(situation.condition.message) || 'not all of its resources are healthy';
    case 'drifted':
      return brief(situation.condition.message);
    case 'owed': {
      const { plan, changed = [] } = situation.restart;
      const why = changed.length > 0 ? ` because ${names(changed)} changed` : '';
      return `its pods are to restart${why}; the next run of plan ${plan} does it`;
    }
    case 'outdated':
      return brief(situation.condition.message);
    case 'resting':
      return resting(read);
    default:
      return situation satisfies never;
  }
}

function resting({ status }: Read): string {
  const ready = conditionOf(status, 'Ready');
  const last = lastEnded(status);
  const ended = last ? `plan ${last.plan} is ${last.outcome === 'COMPLETE' ? 'complete' : last.outcome}` : '';
  const how = ready?.status === 'True' ? 'all resources are healthy' : brief(ready?.message ?? '');
  return [ended, how].filter((one) => one !== '').join('; ') || 'nothing is known of its resources yet';
}

/** ` at nodes/roll (1 of 2 steps done): waits for …` */
function where({ status }: Read, plan: string): string {
  const { steps, done, at } = progressOf(status, plan);
  if (!at) return '';
  const message = at.message ? `: ${brief(at.message)}` : '';
  return `, at ${at.place} (${done} of ${steps.length} steps done)${message}`;
}
