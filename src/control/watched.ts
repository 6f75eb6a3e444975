import type { AnyObject, KubeObject } from '../kube/object.ts';
import type { Indexes } from '../kube/reflector/store.ts';
import type { CacheScope } from './cache-scope.ts';
import type { Cached, Caches } from './caches.ts';

/**
 * Opens a cache over some namespaces as if it were one; over all of them when none is named. One that must not be read holds up
 * nobody in the others.
 */
export function openWatched<T extends KubeObject = AnyObject, I extends string = never>(
  caches: Caches,
  namespaces: readonly string[],
  scope: Omit<CacheScope, 'namespace'> & { readonly indexes?: Indexes<T, I> },
): Cached<T, I> {
  if (namespaces.length === 0) return caches.open<T, I>(scope);
  const parts = new Map(
    namespaces.map((namespace) => [namespace, caches.open<T, I>({ ...scope, namespace }, { apart: true })]),
  );
  const all = [...parts.values()];
  return {
    type: scope.type,
    get: (key) => parts.get(key.slice(0, key.indexOf('/')))?.get(key),
    *all() {
      for (const part of all) yield* part.all();
    },
    by: (index, value) => all.flatMap((part) => part.by(index, value)),
    changes: (handler) => {
      const ends = all.map((part) => part.changes(handler));
      return () => {
        for (const end of ends) end();
      };
    },
    synced: async (signal) => {
      for (const part of all) await part.synced(signal);
    },
    isBlindIn: (namespace) => parts.get(namespace)?.isBlindIn(namespace) ?? false,
    get trouble() {
      return all.find((part) => part.trouble)?.trouble;
    },
    troubleIn: (namespace) => parts.get(namespace)?.trouble,
  };
}
