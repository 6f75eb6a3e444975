import type { Cached } from '../../control/caches.ts';
import type { Trigger } from '../../control/trigger.ts';
import type { KubeObject } from '../../kube/object.ts';

/** Changes in a cache, and the keys that they concern. */
export function by<T extends KubeObject, I extends string>(
  cached: Cached<T, I>,
  keys: (object: T) => Iterable<string>,
): Trigger {
  return { cached: plain(cached), keys: (object) => keys(object as T) };
}

/** A cache as the loop wants it: without the type of what is in it. */
export function plain<T extends KubeObject, I extends string>(cached: Cached<T, I>): Cached {
  return cached as unknown as Cached;
}
