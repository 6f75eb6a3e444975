import type { BlueGreenView } from '../../blue-green-view.ts';
import type { Status } from './blue-green-case.ts';
import { sideOf } from './side.ts';
import { isTarget } from './target.ts';

/** Folds what is seen for the first time into the status: uids, and the id under which Flink knows the savepoint. */
export function noted(view: BlueGreenView, status: Status): Status {
  return withTarget(view, withTrigger(view, withServing(view, status)));
}

function owner({ resource }: BlueGreenView): { readonly name: string; readonly uid: string } {
  const { name = '', uid = '' } = resource.metadata;
  return { name, uid };
}

/** Made again by us, or by somebody who restored it: it is the serving side from now on. */
function withServing(view: BlueGreenView, status: Status): Status {
  const { serving, transition } = status;
  if (!serving || transition) return status;
  const { seen } = sideOf(owner(view), serving.color, view.sides[serving.color]);
  if (!seen || seen.terminating || seen.ref.uid === serving.uid) return status;
  return { ...status, serving: { ...serving, uid: seen.ref.uid } };
}

function withTarget(view: BlueGreenView, status: Status): Status {
  const { transition } = status;
  if (!transition || transition.targetId === undefined || transition.targetUid !== undefined) return status;
  const side = sideOf(owner(view), transition.to, view.sides[transition.to]);
  if (!side.seen || !isTarget(transition, side)) return status;
  return { ...status, transition: { ...transition, targetUid: side.seen.ref.uid } };
}

function withTrigger(view: BlueGreenView, status: Status): Status {
  const { transition } = status;
  const savepoint = transition?.savepoint;
  if (!savepoint) return status;
  const snapshot = view.snapshots.find(({ metadata }) => metadata.name === savepoint.snapshot);
  const triggerId = snapshot?.status?.triggerId;
  // A savepoint whose request Flink forgot is triggered again, under another id.
  if (!triggerId || triggerId === savepoint.triggerId) return status;
  return { ...status, transition: { ...transition, savepoint: { ...savepoint, triggerId } } };
}
