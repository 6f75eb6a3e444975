import { childObject } from '../../manifests/blue-green-child.ts';
import { remove } from '../in-the-way.ts';
import { instantText } from '../instant-text.ts';
import { told, warned } from '../reasons.ts';
import { refusalOf, toCreate } from '../refusal.ts';
import { without } from '../status.ts';
import { beginFrom, beginRedeploy, beginSavepoint, beginSuspension } from './begin.ts';
import {
  type BlueGreenCase,
  changeTo,
  isSuspended,
  jobOf,
  needsState,
  type Spec,
  withNonces,
} from './blue-green-case.ts';
import { type BlueGreenStep, wait } from './blue-green-step.ts';
import { patchedSpec, specPatch } from './in-place.ts';
import { inPlace, replacedBy, underWay } from './in-place-change.ts';
import { leaving } from './leaving.ts';
import { acted, attempted, idOf, recorded, unacted } from './record.ts';
import { atRest, givenUpText } from './rest.ts';
import { isRevert } from './revert.ts';
import type { Row } from './row.ts';
import { isGone, trouble } from './side.ts';
import { lastKnown, sourceOf } from './source.ts';
import { word } from './target.ts';

/** Seed 001, ACTIVE_BLUE and ACTIVE_GREEN: x serves, and nothing has been begun. */
export const activeRows: readonly Row[] = [
  ((row) => ({ ...row, step: (c) => shown(c, row.step(c)) }))(underWay('active')),
  {
    id: 'reverted-after-abort',
    in: 'active',
    on: 'after an abort: the template is x’s own again',
    does: 'the abort is forgotten, what is left of y is deleted, x is untouched',
    when: (c) => c.givenUp !== undefined && c.served !== undefined && isRevert(c.served, c.desired),
    step: (c) => ({
      status: acted(unacted(without(c.status, 'aborted'), c.status.aborted?.noncesBefore), c.desired),
      because: `The template is that of ${word(c.x.color)} again.`,
      again: true,
    }),
  },
  {
    id: 'edited-after-abort',
    in: 'active',
    on: 'after an abort: the template changes, or a redeploy nonce',
    does: 'the abort is forgotten, what is left of y is deleted, and the edit is taken up',
    when: (c) => c.status.aborted !== undefined && !isAsGivenUp(c),
    step: (c) => ({
      // A mended template starts from the state that the nonce asked for, not from that of x; unless another one was changed.
      status: unacted(without(c.status, 'aborted'), isMended(c) ? c.status.aborted?.noncesBefore : undefined),
      because: 'The template changed after an abort.',
      again: true,
    }),
  },
  {
    id: 'left-over',
    in: 'active',
    on: 'a y that nobody needs: of a transition that was superseded or cancelled',
    does: 'deleted; a new y is made, and a savepoint taken, only when it is seen gone',
    when: (c) => isLeftOver(c) && c.y.is !== 'leaving',
    step: deleteLeftOver,
  },
  {
    id: 'left-over-after-abort',
    in: 'active',
    on: 'after an abort, where the failed side is not to be left as it is',
    does: 'y is suspended or deleted',
    when: (c) => leftOverAction(c) !== undefined,
    step: (c) => leftOverAction(c) ?? atRest(c),
  },
  {
    id: 'suspended-for-checkpoint',
    in: 'active',
    on: 'x was suspended for the sake of its last checkpoint, and that is no longer needed',
    does: 'x is resumed',
    when: (c) => isSuspendedInVain(c) && !isGone(c.x),
    step: resumeServing,
  },
  {
    id: 'given-up',
    in: 'active',
    on: 'after an abort: PATCH_CHILD, SUSPEND or RESUME, the template otherwise as it was given up',
    does: 'applied to x’s own spec; what was given up is not tried again until the template changes',
    when: (c) => c.givenUp !== undefined,
    step: (c) => (isGone(c.x) && !isSuspended(c.desired) ? servingDeleted(c) : givenUp(c)),
  },
  {
    id: 'suspend-resume',
    in: 'active',
    on: 'SUSPEND or RESUME; x suspended: also TRANSITION or a redeploy nonce',
    does: 'x in place; a nonce acts on resume',
    when: (c) => isInPlace(c) && !isGone(c.x),
    step: (c) => changeInPlace(c),
  },
  {
    id: 'suspend-without-side',
    in: 'active',
    on: 'SUSPEND while x is not there',
    does: 'recorded: there is nothing to suspend',
    when: (c) => isSuspended(c.desired) && isGone(c.x) && c.change.type !== 'IGNORE' && !isSuspended(c.served),
    step: (c) => ({
      status: { ...c.status, lastReconciledSpec: recorded(c.status, withoutNonces(c)).lastReconciledSpec as string },
      because: `The job is suspended; ${trouble(c.x)}.`,
      again: true,
    }),
  },
  {
    id: 'previous-side-leaving',
    in: 'active',
    on: 'a new side is needed while the previous y is still being deleted',
    does: 'waits for it, with a warning when it takes long; the edit stays pending',
    when: (c) => demandsSide(c) && (c.y.is === 'leaving' || c.y.is === 'taken'),
    step: (c) => leaving(c, c.y),
  },
  {
    id: 'redeploy',
    in: 'active',
    on: 'SAVEPOINT_REDEPLOY or STATELESS_REDEPLOY',
    does: 'TRANSITIONING_TO_y from the user’s path, or empty; also when x is unhealthy or gone',
    when: (c) => !isSuspended(c.desired) && c.change.redeploy !== undefined,
    step: (c) => beginRedeploy(c, c.change.redeploy ?? 'stateless'),
  },
  {
    id: 'transition',
    in: 'active',
    on: 'TRANSITION',
    does: 'stateless: TRANSITIONING_TO_y, empty; else SAVEPOINTING_x, or directly from a checkpoint that an ended job left',
    when: (c) => !isSuspended(c.desired) && c.change.transition && sourceOf(c).from !== 'nowhere',
    step: begin,
  },
  {
    id: 'transition-of-unhealthy',
    in: 'active',
    on: 'TRANSITION with state while x is unhealthy or gone',
    does: 'waits visibly, the edit stays pending; by policy x is suspended first and its last checkpoint used',
    when: (c) => !isSuspended(c.desired) && c.change.transition,
    step: waitForState,
  },
  {
    id: 'serving-deleted',
    in: 'active',
    on: 'x deleted by hand',
    does: 'stateless: made again; else FAILING, naming the last known state: never started empty silently. Nonces act',
    when: (c) => isGone(c.x) && !isSuspended(c.desired),
    step: servingDeleted,
  },
  {
    id: 'patch-child',
    in: 'active',
    on: 'PATCH_CHILD',
    does: 'x patched in place, only where the templates differ; never an abort of x',
    when: (c) => c.change.type === 'PATCH_CHILD' && !isGone(c.x) && c.served !== undefined,
    step: (c) =>
      inPlace(c, c.x, { how: 'patched', spec: c.desired, because: `${word(c.x.color)} is patched in place.` }),
  },
  {
    id: 'at-rest',
    in: 'active',
    on: 'IGNORE; x becomes unhealthy or recovers; a child is edited by hand',
    does: 'nothing is redone: FAILING is shown or cleared, `Available` tells whether traffic is served, a hand-made change is reported',
    when: () => true,
    step: atRest,
  },
];

/** A new side must be made before what is wanted is true. */
function demandsSide({ desired, change }: BlueGreenCase): boolean {
  return !isSuspended(desired) && (change.redeploy !== undefined || change.transition);
}

/** A y that no abort left for somebody to look at. */
function isLeftOver({ y, status }: BlueGreenCase): boolean {
  if (!y.seen) return false;
  return status.aborted?.uid === undefined || status.aborted.uid !== y.seen.ref.uid;
}

/** x was suspended for a transition that is over, and nobody wants it to stay so. */
function isSuspendedInVain(c: BlueGreenCase): boolean {
  const { serving, aborted } = c.status;
  return serving?.suspended === true && !isSuspended(c.desired) && (aborted !== undefined || !demandsSide(c));
}

function isAsGivenUp(c: BlueGreenCase): boolean {
  if (!c.givenUp) return false;
  const since = changeTo(c.desired, c.givenUp, c.status);
  return since.redeploy === undefined && !since.transition;
}

function isMended({ change }: BlueGreenCase): boolean {
  return change.transition && change.redeploy === undefined;
}

/** What changed since the abort reaches x, and nothing else of what was given up. */
function givenUp(c: BlueGreenCase): BlueGreenStep {
  const { givenUp: before, served, desired, x, status } = c;
  const { aborted } = status;
  if (!before || !served || !aborted || changeTo(desired, before, status).type === 'IGNORE') {
    return atRest(c);
  }
  const template = patchedSpec(served.template?.spec ?? {}, before.template?.spec ?? {}, desired.template?.spec ?? {});
  const next: Spec = { ...served, template: { ...served.template, spec: template } };
  const because = `${word(x.color)} is changed in place.`;
  return shown(c, inPlace(c, x, { how: 'patched', spec: next, givenUp: desired, because }));
}

function deleteLeftOver(c: BlueGreenCase): BlueGreenStep {
  const { y, change, resource } = c;
  if (!y.seen) return atRest(c);
  const nonce = change.redeploy && `${change.redeploy}RedeployNonce`;
  const note = nonce
    ? `Deleted transitioning FlinkDeployment '${y.name}' due to ${nonce} change`
    : `Deleted FlinkDeployment '${y.name}', which is left of an earlier transition`;
  const because = `${y.name} is left of an earlier transition and is deleted.`;
  return shown(c, wait(c, because, { effects: [remove(y.seen.ref), told(resource, 'SideDeleted', note)] }));
}

/** What was given up is FAILING until the next edit, whatever is done meanwhile; unless a person gave it up. */
function shown(c: BlueGreenCase, step: BlueGreenStep): BlueGreenStep {
  const { aborted } = c.status;
  return aborted && !aborted.byHand && !step.again ? { error: givenUpText(c, aborted), ...step } : step;
}

function resumeServing(c: BlueGreenCase): BlueGreenStep {
  const { serving } = c.status;
  if (!serving || !c.served) return atRest(c);
  const because = `${word(c.x.color)} is resumed.`;
  // The mark on `serving` says what is to be done for as long as it is there.
  const patch = c.x.seen && specPatch(c.x.seen, replacedBy(c.x, c.served, false));
  if (patch) return shown(c, wait(c, because, { effects: [patch] }));
  return { status: { ...c.status, serving: without(serving, 'suspended') }, because, again: true };
}

function isInPlace({ change, served }: BlueGreenCase): boolean {
  return change.type === 'SUSPEND' || (change.type !== 'IGNORE' && isSuspended(served));
}

function changeInPlace(c: BlueGreenCase): BlueGreenStep {
  const { x, desired, change } = c;
  const doing = change.type === 'SUSPEND' ? 'suspended' : change.type === 'RESUME' ? 'resumed' : 'changed';
  const how = change.redeploy === undefined ? 'replaced' : 'restarted';
  return inPlace(c, x, { how, spec: desired, because: `${word(x.color)} is ${doing} in place.` });
}

/** The wanted spec with the redeploy nonces of the one that is served: they have not been acted upon. */
function withoutNonces({ desired, served }: BlueGreenCase): Spec {
  return withNonces(desired, served ? jobOf(served) : {});
}

function begin(c: BlueGreenCase): BlueGreenStep {
  const source = sourceOf(c);
  switch (source.from) {
    case 'known':
      return beginFrom(c, source.restore);
    case 'savepoint':
      return beginSavepoint(c);
    case 'suspension':
      return beginSuspension(c);
    case 'nowhere':
      return waitForState(c);
  }
}

function waitForState(c: BlueGreenCase): BlueGreenStep {
  const source = sourceOf(c);
  const because = source.from === 'nowhere' ? source.because : 'The transition begins.';
  if (c.x.is === 'settling') return wait(c, because, { stands: { is: 'waiting', reason: 'ServingNotReady' } });
  return wait(c, because, { error: because, stands: { is: 'waiting', reason: 'ServingNotReady' } });
}

function servingDeleted(c: BlueGreenCase): BlueGreenStep {
  const { x, resource, status } = c;
  // What was given up is not made in its place either.
  const spec = c.givenUp && c.served ? c.served : c.desired;
  if (x.is !== 'absent') return leaving(c, x);
  if (needsState(spec)) {
    const because = `${x.name} was deleted, and is not made again without its state. ${lastKnown(c)}`;
    return wait(c, because, { error: because, stands: { is: 'stalled', reason: 'ServingDeleted' } });
  }
  const because = `${x.name} was deleted, and is made again.`;
  const asked = status.serving?.uid === undefined;
  const next = asked ? status : attempted(status);
  const child = childObject({ resource, color: x.color, spec, restore: {}, id: idOf(c, next) });
  const refused = refusalOf(c.view.outcomes, [child])?.outcome.message;
  if (asked) {
    const error = `${because} That was refused: ${refused}`;
    return wait(c, because, { effects: [toCreate(child)], ...(refused !== undefined && { error }) });
  }
  const serving = { color: x.color, name: x.name, since: instantText(c.now) };
  return {
    status: { ...recorded(next, spec), serving },
    effects: [toCreate(child), warned(resource, 'ServingDeleted', because)],
    because,
  };
}

/** What is to be done with a side that an abort left, if it is not to stay as it is. */
function leftOverAction(c: BlueGreenCase): BlueGreenStep | undefined {
  const { y, settings, status } = c;
  if (!y.seen || y.is === 'leaving' || status.aborted?.uid !== y.seen.ref.uid) return undefined;
  if (settings.abortAction === 'delete') {
    return shown(c, wait(c, `${y.name} did not come up and is deleted.`, { effects: [remove(y.seen.ref)] }));
  }
  if (settings.abortAction === 'keep' || y.is === 'suspended') return undefined;
  const { spec } = y.seen;
  const patch = specPatch(y.seen, { ...spec, job: { ...spec.job, state: 'suspended' } });
  return patch && shown(c, wait(c, `${y.name} did not come up and is suspended.`, { effects: [patch] }));
}
