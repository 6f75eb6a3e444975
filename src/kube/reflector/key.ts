import type { ObjectMeta } from '../object.ts';

/** The name of an object within its kind, as one string: `namespace/name`, or `name` where there are no namespaces. */
export type Key = string;

export function keyOf(object: { readonly metadata: ObjectMeta }): Key {
  const { namespace, name = '' } = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}
