import type { ObjectMeta } from '../object.ts';
import type { ObjectName } from '../path.ts';

/** The name of an object within its kind, as one string: `namespace/name`, or `name` where there are no namespaces. */
export type Key = string;

export function keyOf(object: { readonly metadata: ObjectMeta }): Key {
  const { namespace, name = '' } = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}

/** The name that a key stands for. */
export function nameOfKey(key: Key): ObjectName {
  const slash = key.indexOf('/');
  return slash === -1 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
