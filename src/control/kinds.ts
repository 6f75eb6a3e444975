import { kinds } from '../kube/kinds.ts';
import { apiVersionOf, type ResourceType } from '../kube/resource-type.ts';

/** Finds the resource that objects of a kind are kept as. */
export type KindTable = (apiVersion: string, kind: string) => ResourceType;

/** Kinds that are found out about while the program runs; `undefined` for those that are not known. */
export type KindFinder = (apiVersion: string, kind: string) => ResourceType | undefined;

/**
 * A table of the built-in kinds, of `more`, and of what is `found` besides. It throws for any other: a decision about an
 * unknown kind is a bug.
 */
export function kindTable(more: readonly ResourceType[], found?: KindFinder): KindTable {
  const table = new Map<string, ResourceType>();
  for (const type of [...Object.values(kinds), ...more]) table.set(`${apiVersionOf(type)} ${type.kind}`, type);
  return (apiVersion, kind) => {
    const type = table.get(`${apiVersion} ${kind}`) ?? found?.(apiVersion, kind);
    if (!type) throw new Error(`no resource is known for ${kind} of ${apiVersion}: add it to the controller's kinds`);
    return type;
  };
}
