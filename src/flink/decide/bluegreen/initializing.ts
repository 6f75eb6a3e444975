import type { BlueGreenTransition } from '../../resources/blue-green-transition.ts';
import { instantOf, instantText } from '../instant-text.ts';
import { told, warned } from '../reasons.ts';
import {
  type BlueGreenCase,
  isMoving,
  isSuspended,
  type Moving,
  needsState,
  pathIn,
  type Spec,
} from './blue-green-case.ts';
import { type BlueGreenStep, wait } from './blue-green-step.ts';
import { inPlace, underWay } from './in-place-change.ts';
import { leaving } from './leaving.ts';
import { attempted, begun, idOf, lacking, over, recorded } from './record.ts';
import type { Row } from './row.ts';
import { trouble } from './side.ts';
import { creation, isTarget, made, refusedTarget } from './target.ts';

/** Seed 001, INITIALIZING_BLUE: the first deployment, which is never come back to. There is nothing to fall back on. */
export const initializingRows: readonly Row[] = [
  underWay('initializing'),
  {
    id: 'first-suspended',
    in: 'initializing',
    on: 'template suspended, no child yet',
    does: 'no child, SUSPENDED; deployed when set to running',
    when: (c) => isSuspended(c.desired) && c.x.is === 'absent',
    step: (c) =>
      wait(
        { ...c, status: over(c, 'cancelled', 'The job is to be suspended.') },
        'The job is suspended, as specified.',
      ),
  },
  {
    id: 'first-name-taken',
    in: 'initializing',
    on: 'the child’s name is somebody else’s, or an earlier child is still being deleted',
    does: 'waits visibly; it is never taken',
    when: (c) => c.x.is === 'taken' || c.x.is === 'leaving',
    step: (c) => leaving(c, c.x),
  },
  {
    id: 'first-deployment',
    in: 'initializing',
    on: 'nothing is deployed',
    does: 'blue is created, from initialSavepointPath if there is one; the grace period begins',
    when: (c) => !isMoving(c),
    step: begin,
  },
  {
    id: 'first-child-gone',
    in: 'initializing',
    on: 'blue is not there: not yet, or deleted by hand',
    does: 'created, or created again, with the same deadline; from the newest template if that changed',
    when: (c) => isMoving(c) && c.x.is === 'absent',
    step: (c) => createAgain(c as Moving),
  },
  {
    id: 'first-edit',
    in: 'initializing',
    on: 'edit or nonce; or blue was made for an earlier edit',
    does: 'applied to blue in place: deleting it would drop the only state',
    when: (c) => c.change.type !== 'IGNORE' || (isMoving(c) && !isTarget(c.status.transition, c.x)),
    step: (c) => editInPlace(c as Moving),
  },
  {
    id: 'first-ready',
    in: 'initializing',
    on: 'blue is ready',
    does: 'ACTIVE_BLUE; the Ingress leads to blue',
    when: (c) => c.x.is === 'ready' && c.x.current,
    step: (c) => first(c as Moving),
  },
  {
    id: 'first-waits',
    in: 'initializing',
    on: 'blue is not ready; the grace period ends',
    does: 'waits; after the grace period FAILING, and keeps trying as blue itself does: there is nothing to go back to',
    when: () => true,
    step: (c) => waitForBlue(c as Moving),
  },
];

function begin(c: BlueGreenCase): BlueGreenStep {
  const restore = restoreOf(c.desired);
  const { path } = restore;
  const because = `The first deployment: blue starts ${path === undefined ? 'without state' : `from ${path}`}.`;
  const status = begun(c, { cause: 'first-deployment', because, phase: 'starting', restore });
  const note = `A FlinkDeployment ${c.name} exists: its state is not carried over by itself. Take a savepoint of it and set initialSavepointPath.`;
  const lost = c.view.namesake && path === undefined && needsState(c.desired);
  const event = lost ? warned(c.resource, 'StateNotCarriedOver', note) : told(c.resource, 'TransitionStarted', because);
  return made(c, status, because, [event]);
}

function createAgain(c: Moving): BlueGreenStep {
  const { transition } = c.status;
  if (c.change.type !== 'IGNORE') {
    const status = { ...c.status, transition: { ...transition, restore: restoreOf(c.desired) } };
    return made(c, status, 'blue is made from the newest template.');
  }
  if (transition.targetUid === undefined) return waitForBlue(c, creation(c, transition));
  const { transition: kept, ...rest } = lacking({ ...attempted(c.status), transition }, 'targetUid');
  const again = { ...kept, targetId: idOf(c, rest) };
  return {
    status: { ...rest, transition: again },
    effects: creation(c, again),
    because: `${c.x.name} was deleted, and is made again.`,
  };
}

/** There is no other state than the one that the user names. */
function restoreOf(spec: Spec): NonNullable<BlueGreenTransition['restore']> {
  const path = pathIn(spec);
  return path === undefined ? { mode: 'stateless' } : { mode: 'user', path };
}

function editInPlace(c: Moving): BlueGreenStep {
  const { desired, x } = c;
  const restore = c.change.redeploy === 'stateless' ? { mode: 'stateless' as const } : restoreOf(desired);
  return inPlace(c, x, { how: 'restarted', spec: desired, restore, because: 'blue is changed in place.' });
}

function first(c: Moving): BlueGreenStep {
  const { x, desired } = c;
  const uid = x.seen?.ref.uid;
  const serving = { color: x.color, name: x.name, ...(uid !== undefined && { uid }), since: instantText(c.now) };
  const because = 'The first deployment is complete: blue serves.';
  const status = { ...recorded(over(c, 'promoted'), c.target ?? desired), serving };
  return { status, effects: [told(c.resource, 'TransitionCompleted', because)], because, again: true };
}

function waitForBlue(c: Moving, effects: BlueGreenStep['effects'] = []): BlueGreenStep {
  if (c.x.is === 'suspended' && isSuspended(c.desired))
    return wait(c, 'The job is suspended, as specified.', { effects });
  const at = instantOf(c.status.transition.deadline) ?? c.now;
  const refused = refusedTarget(c);
  const because =
    refused === undefined ? `The first deployment: ${trouble(c.x)}.` : `${c.x.name} was refused: ${refused}`;
  if (c.now < at) return wait(c, because, { effects, wakeAt: at, ...(refused !== undefined && { error: because }) });
  const error = `The first deployment was not ready by ${c.status.transition.deadline}. ${because}`;
  return wait(c, error, { effects, error, stands: { is: 'stalled', reason: 'FirstDeploymentLate' } });
}
