import type { KubeObject } from '../kube/object.ts';
import { type PatchAction, refTo } from './decision.ts';

/** Asks that the object outlives its deletion until `finalizer` is removed. `undefined` when it is there already, or too late. */
export function addFinalizer(object: KubeObject, finalizer: string): PatchAction | undefined {
  const { finalizers = [], deletionTimestamp } = object.metadata;
  // The server refuses new finalizers on an object that is being deleted.
  if (finalizers.includes(finalizer) || deletionTimestamp) return undefined;
  return {
    do: 'patch',
    of: refTo(object),
    patch:
      finalizers.length === 0
        ? [{ op: 'add', path: '/metadata/finalizers', value: [finalizer] }]
        : [{ op: 'add', path: '/metadata/finalizers/-', value: finalizer }],
  };
}

/** Lets the object go, as far as `finalizer` is concerned. `undefined` when it is not there. */
export function removeFinalizer(object: KubeObject, finalizer: string): PatchAction | undefined {
  const index = object.metadata.finalizers?.indexOf(finalizer) ?? -1;
  if (index < 0) return undefined;
  const path = `/metadata/finalizers/${index}`;
  return {
    do: 'patch',
    of: refTo(object),
    patch: [
      { op: 'test', path, value: finalizer },
      { op: 'remove', path },
    ],
  };
}
