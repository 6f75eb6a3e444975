import type { AnyObject } from '../../../kube/object.ts';
import type { Phase, Summary } from '../../../portrait/summary.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { typed } from '../command.ts';
import { aside, found, holds, refusal } from '../findings.ts';
import { sentence } from '../wording.ts';
import { type BlueGreenLook, blueGreenLook, type Moment } from './blue-green-look.ts';
import { standing, way, word } from './moments.ts';

export function summarizeBlueGreen(object: AnyObject, operator: OperatorConfig): Summary {
  return summaryOf(blueGreenLook(object, operator));
}

export function summaryOf(l: BlueGreenLook): Summary {
  const { resource, subject, state, status } = l;
  const needsYou = needs(l);
  const since = sinceOf(l);
  const createdAt = resource.metadata.creationTimestamp;
  return {
    subject,
    phase: phaseOf(l),
    ...(isKnown(l) && { state }),
    headline: headline(l),
    serving: l.serving === undefined || l.moment === 'suspended' || l.down ? 'nothing' : word(l.serving),
    inTransition: status.transition !== undefined || l.moment === 'elsewhere' || l.moment === 'in-place',
    ...(needsYou !== undefined && { needsYou }),
    ...(since !== undefined && { since }),
    ...(createdAt !== undefined && { createdAt }),
  };
}

/** How each moment counts while nothing is wrong. */
const phases: Readonly<Record<Moment, Phase>> = {
  deleting: 'deleting',
  new: 'progressing',
  unready: 'progressing',
  resting: 'healthy',
  suspended: 'suspended',
  'given-up': 'degraded',
  'in-place': 'progressing',
  pending: 'progressing',
  elsewhere: 'progressing',
  awaiting: 'waiting',
  savepointing: 'progressing',
  starting: 'progressing',
  verifying: 'progressing',
  switching: 'progressing',
  draining: 'progressing',
  keeping: 'progressing',
  retiring: 'progressing',
  returning: 'progressing',
};

function phaseOf(l: BlueGreenLook): Phase {
  const { status, moment } = l;
  if (moment === 'deleting') return 'deleting';
  const why = aside(status);
  if (why) return why.type === 'Paused' ? 'paused' : 'waiting';
  if (!isKnown(l)) return 'unknown';
  const serves = l.serving !== undefined && !l.down;
  if (moment === 'suspended') return refusal(status) === undefined ? 'suspended' : 'degraded';
  // A side that is resumed in place does not serve for a while, and nothing is wrong.
  if (moment === 'in-place') return 'progressing';
  if (holds(status, 'Stalled')) return serves ? 'degraded' : 'failed';
  if (l.down) return 'failed';
  if (moment === 'pending') return pendingPhase(l);
  return phases[moment];
}

/** What it waits for by itself is progress; a side that is not well, or cannot give its state, is not. */
function pendingPhase({ status }: BlueGreenLook): Phase {
  const reason = holds(status, 'Reconciling')?.reason;
  return reason === 'ServingUnhealthy' || reason === 'ServingNotReady' || reason === 'Failing'
    ? 'degraded'
    : 'progressing';
}

function isKnown({ status }: BlueGreenLook): boolean {
  return status.blueGreenState !== undefined || status.serving !== undefined || status.transition !== undefined;
}

function headline(l: BlueGreenLook): string {
  const { status, moment } = l;
  const why = aside(status);
  if (moment === 'deleting') return 'It is being deleted; both sides go with it.';
  if (why) return sentence(why.message || why.reason);
  if (!isKnown(l)) return found(status, 'Ready') ? standing(l) : 'It was not looked at yet.';
  const refused = refusal(status);
  if (refused !== undefined) return `The specification is refused: ${sentence(refused)}`;
  if (moment === 'awaiting') return `${way(l)}: ${word(l.target)} is ready and waits to be promoted.`;
  if (moment === 'resting') return `${word(l.serving ?? 'BLUE')} serves as specified.`;
  if (moment === 'elsewhere') return `Another operator is in ${l.state}.`;
  if (moment === 'suspended') return 'It is suspended, as specified.';
  if (!l.transition?.from) return standing(l);
  return `${way(l)}: ${afterTraffic(l) ?? standing(l)}`;
}

/** Once traffic moves, what is left to be done is known. */
function afterTraffic({ moment, target, transition }: BlueGreenLook): string | undefined {
  const [old, next] = [word(transition?.from ?? 'BLUE'), word(target)];
  switch (moment) {
    case 'switching':
      return `traffic moves to ${next}.`;
    case 'draining':
      return `${next} serves; ${old} drains.`;
    case 'keeping':
      return `${next} serves; ${old} is kept for a way back.`;
    case 'retiring':
      return `${next} serves; ${old} is being deleted.`;
    default:
      return undefined;
  }
}

/** Why a person is needed, and what they can do. */
function needs(l: BlueGreenLook): string | undefined {
  const { status, moment, subject, transition } = l;
  if (moment === 'deleting') return undefined;
  const why = aside(status);
  if (why) return why.type === 'Paused' ? undefined : sentence(why.message || why.reason);
  const refused = refusal(status);
  if (refused !== undefined) return `The specification is refused: ${sentence(refused)} Correct it.`;
  if (moment === 'awaiting') {
    const stop = typed(l.serving === l.target ? 'rollback' : 'abort', subject);
    return `${word(l.target)} waits to be promoted: ${typed('promote', subject)}, or ${stop}.`;
  }
  if (moment === 'given-up' && status.aborted && !status.aborted.byHand) {
    return `${sentence(status.aborted.reason)} Correct the template or put it back; the same once more: ${typed('retry', subject)}.`;
  }
  if (transition?.savepointFailures) {
    const told = sentence(transition.savepointError ?? 'it does not say why');
    return `Savepoints of ${word(l.serving ?? 'BLUE')} fail: ${told} Mend that, or: ${typed('abort', subject)}.`;
  }
  const stalled = holds(status, 'Stalled');
  if (stalled && moment !== 'given-up') return sentence(stalled.message || stalled.reason);
  const waits = holds(status, 'Reconciling')?.reason;
  const stuck = waits === 'NothingServes' || waits === 'ServingNotReady' || waits === 'ServingUnhealthy';
  return stuck ? standing(l) : undefined;
}

function sinceOf({ status, transition, moment }: BlueGreenLook): string | undefined {
  if (transition) return transition.startedAt;
  if (moment === 'given-up') return status.aborted?.at;
  return found(status, 'Ready')?.lastTransitionTime ?? status.serving?.since;
}
