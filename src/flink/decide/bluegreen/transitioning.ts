import { annotations } from './annotations.ts';
import { isSuspended, type Moving } from './blue-green-case.ts';
import { type BlueGreenStep, wait } from './blue-green-step.ts';
import {
  cancelled,
  givenUpByHand,
  isAsked,
  isResourced,
  madeAgain,
  remade,
  superseded,
  suspendedBefore,
} from './edit-during.ts';
import { inPlace, underWay } from './in-place-change.ts';
import { cleared, leaving } from './leaving.ts';
import { notReady } from './not-ready.ts';
import { finished, promotion } from './promotion.ts';
import { attempted, idOf, lacking, moved } from './record.ts';
import { isRevert } from './revert.ts';
import type { Row } from './row.ts';
import { isGone, isReady, trouble } from './side.ts';
import { creation, isTarget, word } from './target.ts';
import { isAhead } from './traffic.ts';
import { returned, toReturn } from './way-back.ts';

/**
 * Seed 001, TRANSITIONING_TO_BLUE and TRANSITIONING_TO_GREEN: y is made while x serves. Traffic is at x until `switching`,
 * and at y from then on.
 */
export const transitioningRows: readonly Row<Moving>[] = [
  {
    id: 'old-side-gone',
    in: 'transitioning',
    on: 'x’s deletion is observed, or x was deleted by hand, once traffic is at y',
    does: 'ACTIVE_y: the point of no return; edits are handled from there',
    when: (c) => isGone(c.x) && (isAhead(c.status.transition) || c.status.transition.phase === 'returning'),
    step: finished,
  },
  underWay('transitioning'),
  {
    id: 'returning',
    in: 'transitioning',
    on: 'traffic is on its way back to x',
    does: 'x is marked if its deletion was decided, seen to stay, gets the traffic; then the transition stands as before it moved',
    when: (c) => c.status.transition.phase === 'returning',
    step: returned,
  },
  {
    id: 'rollback-asked',
    in: 'transitioning',
    on: `the annotation ${annotations.rollback} names the transition`,
    does: 'traffic back to x first if it moved; y deleted, ACTIVE_x; the template is not tried again until it changes',
    when: (c) => isAsked(c, annotations.rollback) && canGoBack(c),
    step: (c) => (isAhead(c.status.transition) ? toReturn(c, 'A person asked for it.') : givenUpByHand(c)),
  },
  {
    id: 'rollback-waits',
    in: 'transitioning',
    on: `the annotation ${annotations.rollback} names the transition, traffic moved and x is not ready`,
    does: 'y serves on and x is not deleted; traffic goes back when x is ready',
    when: (c) => isAsked(c, annotations.rollback) && isAhead(c.status.transition) && isReady(c.y),
    step: (c) =>
      wait(c, `Traffic is to go back to ${word(c.x.color)}, but ${trouble(c.x)}.`, {
        stands: { is: 'waiting', reason: 'RollbackWaits' },
      }),
  },
  {
    id: 'reverted',
    in: 'transitioning',
    on: 'revert to x’s recorded template (nonces included; only ignorable differences left)',
    does: 'traffic back to x first if it moved; transition cancelled, y deleted, x untouched',
    when: (c) => c.served !== undefined && isRevert(c.served, c.desired) && canGoBack(c),
    step: (c) => (isAhead(c.status.transition) ? toReturn(c, 'The template was put back.') : cancelled(c)),
  },
  {
    id: 'kept-side-edit',
    in: 'transitioning',
    on: 'edit or nonce while x is only kept for a way back',
    does: 'the window ends: forward to ACTIVE_y, the edit is handled from there',
    when: (c) => c.status.transition.phase === 'keeping' && isEdited(c) && isReady(c.y),
    step: (c) => ({
      status: moved(c, c.status, 'retiring'),
      because: 'The template changed: the way back is given up.',
      again: true,
    }),
  },
  {
    id: 'redeploy-during',
    in: 'transitioning',
    on: 'SAVEPOINT_REDEPLOY or STATELESS_REDEPLOY (seed 003), also together with SUSPEND',
    does: 'traffic back to x first if it moved; y’s deletion requested, ACTIVE_x at once; once y is seen gone, a new transition from the new source (with SUSPEND: x suspended, the nonce acts on resume); the last nonce wins',
    when: (c) => c.change.redeploy !== undefined && !isResourced(c) && (canRedo(c) || isForlorn(c) || isDown(c)),
    step: (c) =>
      isAhead(c.status.transition) ? toReturn(c, `${c.change.redeploy}RedeployNonce changed.`) : superseded(c),
  },
  {
    id: 'suspend-before-target',
    in: 'transitioning',
    on: 'SUSPEND while no target exists',
    does: 'the transition ends, x is suspended',
    when: (c) => isSuspended(c.desired) && c.target === undefined,
    step: suspendedBefore,
  },
  {
    id: 'edit-during',
    in: 'transitioning',
    on: 'TRANSITION (“spec changes apply to the new side”)',
    does: 'traffic back to x first if it moved and x is ready; y deleted, seen gone, made again from the newest spec and the same savepoint, with a fresh deadline; a new savepoint only if x’s job changed, the restore mode claims it, or state is newly needed',
    when: (c) => c.target !== undefined && c.change.type === 'TRANSITION' && (canRedo(c) || isForlorn(c) || isDown(c)),
    step: (c) => (isAhead(c.status.transition) ? toReturn(c, 'The template changed.') : remade(c)),
  },
  {
    id: 'target-unmade',
    in: 'transitioning',
    on: 'y is to be made again',
    does: 'the one before is deleted and seen gone first',
    when: (c) => c.target === undefined,
    step: (c) => cleared(c, () => madeAgain(c)),
  },
  {
    id: 'target-stranger',
    in: 'transitioning',
    on: 'what has y’s name is not the y of this transition',
    does: 'ours: deleted and seen gone; somebody else’s: waited for. If traffic moved: back to x first, or, while x is not ready, it is taken for y',
    when: (c) => c.y.is === 'taken' || (c.y.seen !== undefined && !isTarget(c.status.transition, c.y)),
    step: (c) => {
      if (isAhead(c.status.transition)) return replacedTarget(c);
      return c.y.is === 'taken' ? nameTaken(c) : cleared(c, () => wait(c, `${c.y.name} is in the way.`));
    },
  },
  {
    id: 'target-deleted',
    in: 'transitioning',
    on: 'y deleted by hand, or not made yet',
    does: 'traffic back to x first if it moved; y made again, same deadline',
    when: (c) => isGone(c.y),
    step: targetGone,
  },
  {
    id: 'patch-target',
    in: 'transitioning',
    on: 'PATCH_CHILD',
    does: 'y patched in place',
    when: (c) => c.change.type === 'PATCH_CHILD',
    step: patchTarget,
  },
  {
    id: 'target-ready',
    in: 'transitioning',
    on: 'y is ready; SUSPEND, or an edit that cannot go back because x is not ready',
    does: 'promotion gate, traffic, deletion delay, rollback window, deletion of x: forward to ACTIVE_y. SUSPEND is deferred, visibly',
    when: (c) => isReady(c.y),
    step: promotion,
  },
  {
    id: 'target-not-ready',
    in: 'transitioning',
    on: 'y is not ready; the grace period ends',
    does: 'abort: y left as it is (or suspended, or deleted), ACTIVE_x, FAILING until the next edit. No abort while x is dead: nothing better serves. Once traffic moved: it returns to x, if x is ready, when y is lost or the period ends',
    when: () => true,
    step: notReady,
  },
];

/** Traffic is at x, and x is there; or it can be brought back to x. */
function canGoBack(c: Moving): boolean {
  return isAhead(c.status.transition) ? isReady(c.x) : !isGone(c.x);
}

/** As above, for an edit: once x is about to go, or only kept, the way to the new template leads through ACTIVE_y. */
function canRedo(c: Moving): boolean {
  const { phase } = c.status.transition;
  return canGoBack(c) && phase !== 'keeping' && phase !== 'retiring';
}

/** Nobody serves, and y does not come up as it is: a fix must be admitted. */
function isForlorn(c: Moving): boolean {
  return isGone(c.x) && !isAhead(c.status.transition) && !isReady(c.y);
}

/** Traffic has moved, and now neither side is ready: the fix begins where traffic came from. */
function isDown(c: Moving): boolean {
  return isAhead(c.status.transition) && !isReady(c.x) && !isGone(c.x) && !isReady(c.y);
}

function isEdited({ change }: Moving): boolean {
  return change.redeploy !== undefined || change.transition;
}

/** Waited for as long as for a target that does not come up. */
function nameTaken(c: Moving): BlueGreenStep {
  const step = notReady(c);
  return step.again ? step : { ...leaving(c, c.y), wakeAt: step.wakeAt };
}

/** The side that has the traffic is not the one that was made for it. Nobody is left without a side that serves. */
function replacedTarget(c: Moving): BlueGreenStep {
  const { transition } = c.status;
  const because = `${c.y.name} is not the one it was.`;
  if (!c.y.seen || isReady(c.x)) return toReturn(c, because);
  const status = { ...c.status, transition: { ...transition, targetUid: c.y.seen.ref.uid } };
  return { status, because, again: true };
}

function targetGone(c: Moving): BlueGreenStep {
  const { transition } = c.status;
  // Whether or not x is ready: it is the only one that is there.
  if (isAhead(transition)) return toReturn(c, `${c.y.name} was deleted.`);
  if (c.y.is === 'leaving') return leaving(c, c.y);
  if (transition.targetUid === undefined) return notReady(c, creation(c, transition));
  const stopped = lacking({ ...attempted(c.status), transition }, 'targetUid', 'readyAt', 'trafficAt', 'retire');
  const status = moved(c, stopped, 'starting', { targetId: idOf(c, stopped) });
  return { status, because: `${c.y.name} was deleted, and is made again.`, again: true };
}

function patchTarget(c: Moving): BlueGreenStep {
  const { y, desired } = c;
  return inPlace(c, y, { how: 'patched', spec: desired, because: `${word(y.color)} is patched in place.` });
}
