import type { AnyObject } from '../../kube/object.ts';
import { qualifiedName } from '../../kube/resource-type.ts';
import type { Around } from '../../portrait/workload.ts';

/** A cluster that holds these objects, by qualified name of their kind; other kinds are empty. */
export function aroundOf(now: number, objects: Readonly<Record<string, readonly AnyObject[]>> = {}): Around {
  return {
    now,
    list: (type) => objects[qualifiedName(type)] ?? [],
    find: (type, namespace, name) =>
      (objects[qualifiedName(type)] ?? []).find(
        ({ metadata }) => metadata.name === name && (metadata.namespace ?? namespace) === namespace,
      ) ?? 'absent',
  };
}

/** A cluster of which nothing can be read. */
export function unreadable(now: number): Around {
  return { now, list: () => undefined, find: () => 'unknown' };
}
