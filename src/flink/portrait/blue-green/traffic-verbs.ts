import type { Verb } from '../../../portrait/verb.ts';
import type { BlueGreenView } from '../../blue-green-view.ts';
import { annotations } from '../../decide/bluegreen/annotations.ts';
import { isGone, isReady, sideOf, trouble } from '../../decide/bluegreen/side.ts';
import { isAhead } from '../../decide/bluegreen/traffic.ts';
import type { BlueGreenTransition } from '../../resources/blue-green-transition.ts';
import { flinkBlueGreenDeployment } from '../../resources/flink-blue-green-deployment.ts';
import { annotated, patchOf, refused } from '../steering.ts';
import { spanText } from '../wording.ts';
import type { BlueGreenLook } from './blue-green-look.ts';
import { word } from './moments.ts';
import { type Asked, blueGreenVerb } from './verb.ts';

const { type } = flinkBlueGreenDeployment;

/** Says something to this very transition: a later one is never meant. */
function noted({ resource }: BlueGreenLook, annotation: string, { id }: BlueGreenTransition) {
  return [patchOf(type, resource, [annotated(resource, annotation, id)])];
}

export const promote: (asked: Asked) => Verb = blueGreenVerb(
  'promote',
  'move traffic to the side that is ready and waits',
  (l, _, { force }) => {
    const { transition, settings, moment } = l;
    if (!transition?.from) return refused(nothingUnderWay(l));
    const [old, next] = [word(transition.from), word(transition.to)];
    if (l.resource.metadata.annotations?.[annotations.promote] === transition.id) {
      return refused(`${next} is promoted already; it gets the traffic as soon as it is ready.`);
    }
    const waits = settings.promotion === 'manual' || settings.promotionHoldMs > 0;
    if (isAhead(transition) && moment !== 'awaiting') return refused(`Traffic is at ${next} already.`);
    if (transition.phase === 'returning') return refused(`Traffic is on its way back to ${old}.`);
    if (!waits) return refused(`${next} gets the traffic by itself as soon as it is ready.`);
    const after = afterwards(l, old);
    const writes = noted(l, annotations.promote, transition);
    if (isAhead(transition)) return { is: 'writes', writes, said: `${next} stays; ${after}.` };
    if (moment === 'awaiting' || transition.phase === 'verifying') {
      return { is: 'writes', writes, said: `${next} gets the traffic; ${after}.` };
    }
    return force
      ? {
          is: 'writes',
          writes,
          said: `${next} gets the traffic as soon as it is ready, and is not held back; ${after}.`,
        }
      : refused(`${next} is not ready yet. With --force it gets the traffic as soon as it is.`);
  },
);

export const abort: (asked: Asked) => Verb = blueGreenVerb(
  'abort',
  'give the transition up before traffic moves; the old side serves on',
  (l) => {
    const { transition } = l;
    if (!transition) return refused(nothingUnderWay(l));
    if (!transition.from) {
      return refused('It is the first deployment: there is no other side. Suspend it, or delete the resource.');
    }
    const [old, next] = [word(transition.from), word(transition.to)];
    if (isAhead(transition)) return refused(`Traffic has moved to ${next}: rollback brings it back to ${old}.`);
    const made = transition.spec !== undefined;
    return {
      is: 'writes',
      writes: noted(l, annotations.rollback, transition),
      said: `${made ? `${next} is deleted` : `${next} is not made`} and ${old} serves on; the template is not tried again until it changes.`,
    };
  },
);

export const rollback: (asked: Asked) => Verb = blueGreenVerb(
  'rollback',
  'bring traffic back to the old side, as long as it is there',
  (l, view) => {
    const { transition } = l;
    if (!transition?.from) {
      return refused(
        'No old side is kept any more. To go back, put the template back: that is a transition of its own.',
      );
    }
    const [old, next] = [word(transition.from), word(transition.to)];
    if (transition.phase === 'returning') return refused(`Traffic is on its way back to ${old} already.`);
    if (!isAhead(transition)) return refused(`Traffic has not moved: ${old} serves. To give ${next} up, abort.`);
    const side = oldSide(l, view, transition);
    if (isGone(side)) return refused(`${side.name} is gone or going: there is no way back to it any more.`);
    const waits = isReady(side) ? '' : ` It waits until ${old} is ready: ${trouble(side)}.`;
    return {
      is: 'writes',
      writes: noted(l, annotations.rollback, transition),
      said: `Traffic goes back to ${old}, then ${next} is deleted; the template is not tried again until it changes.${waits}`,
      stake: {
        what: 'state',
        question: `${next} is deleted with all state that it has built up since it serves; ${old} goes on with its own. Go back to ${old}?`,
      },
    };
  },
);

function oldSide({ subject }: BlueGreenLook, view: BlueGreenView, { from = 'BLUE' }: BlueGreenTransition) {
  return sideOf(subject, from, view.sides[from]);
}

function nothingUnderWay({ moment, transition }: BlueGreenLook): string {
  if (transition) return 'It is the first deployment: it serves as soon as it is ready.';
  return moment === 'given-up'
    ? 'The transition was given up already: retry tries it once more.'
    : 'No transition is under way.';
}

/** What becomes of the old side. */
function afterwards({ settings }: BlueGreenLook, old: string): string {
  const { deletionDelayMs, rollbackWindowMs } = settings;
  if (rollbackWindowMs > 0) return `${old} is kept for ${spanText(deletionDelayMs + rollbackWindowMs)}, then deleted`;
  return deletionDelayMs > 0 ? `${old} goes after ${spanText(deletionDelayMs)}` : `${old} goes then`;
}
