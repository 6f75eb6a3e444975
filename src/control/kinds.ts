import { kinds } from '../kube/kinds.ts';
import { apiVersionOf, type ResourceType } from '../kube/resource-type.ts';

/** Finds the resource that objects of a kind are kept as. */
export type KindTable = (apiVersion: string, kind: string) => ResourceType;

/** A table of the built-in kinds and `more`. It throws for any other: a decision about an unknown kind is a bug. */
export function kindTable(more: readonly ResourceType[]): KindTable {
  const table = new Map<string, ResourceType>();
  for (const type of [...Object.values(kinds), ...more]) table.set(`${apiVersionOf(type)} ${type.kind}`, type);
  return (apiVersion, kind) => {
    const type = table.get(`${apiVersion} ${kind}`);
    if (!type) throw new Error(`no resource is known for ${kind} of ${apiVersion}: add it to the controller's kinds`);
    return type;
  };
}
