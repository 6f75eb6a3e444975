import type { Cached, Change } from '../../control/caches.ts';
import type { KubeObject } from '../../kube/object.ts';

/**
 * A cache that tells only of objects that come, begin to go, go, or change hands. Flink renews its metadata every few
 * seconds: that must wake nobody, but whoever waits for it to be gone must hear of it.
 */
export function comingAndGoing<T extends KubeObject, I extends string>(
  cached: Cached<T, I>,
  alsoTelling: (object: T) => unknown = () => undefined,
): Cached<T, I> {
  const essence = (object: T | undefined): string => {
    const { uid, deletionTimestamp, ownerReferences } = object?.metadata ?? {};
    const owners = ownerReferences?.map((owner) => owner.uid);
    return object ? JSON.stringify([uid, deletionTimestamp !== undefined, owners, alsoTelling(object)]) : '';
  };
  const tells = ({ before, after }: Change<T>): boolean => essence(before) !== essence(after);
  return {
    type: cached.type,
    get: (key) => cached.get(key),
    all: () => cached.all(),
    by: (index, value) => cached.by(index, value),
    changes: (handler) => cached.changes((change) => tells(change) && handler(change)),
    synced: (signal) => cached.synced(signal),
    isBlindIn: (namespace) => cached.isBlindIn(namespace),
    get trouble() {
      return cached.trouble;
    },
    troubleIn: (namespace) => cached.troubleIn(namespace),
  };
}
