import type { JsonPatch } from '../../control/decision.ts';
import type { Json, JsonObject, KubeObject, ManagedFieldsEntry } from '../../kube/object.ts';
import { at, groupOf } from '../graph/workload.ts';
import { annotations, group, kudoManagers, planManager } from '../keys.ts';

/**
 * What turns KUDO's management of an object into ours; nothing if KUDO manages none of it. Without it, what is later dropped
 * from a template would stay for ever, because another manager still holds it. Nothing also if the object was not read with
 * all of its managedFields, most of which caches leave out: what others manage would be lost.
 *
 * Instances are left alone: what KUDO wrote on them also holds running plans and copied defaults, which are not ours to drop.
 */
export function adopt(live: KubeObject): JsonPatch | undefined {
  if (groupOf(live.apiVersion) === group) return undefined;
  const entries = live.metadata.managedFields ?? [];
  const theirs = entries.filter(isKudo);
  if (theirs.length === 0 || entries.some(({ fieldsV1 }) => fieldsV1 === undefined)) return undefined;
  const [ours] = entries.filter(isOurs);
  const merged = [...(ours ? [ours] : []), ...theirs];
  const newest = merged.reduce((a, b) => ((b.time ?? '') > (a.time ?? '') ? b : a));
  const entry: ManagedFieldsEntry = {
    manager: planManager,
    operation: 'Apply',
    apiVersion: newest.apiVersion ?? live.apiVersion,
    ...(newest.time !== undefined && { time: newest.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: merged.map(({ fieldsV1 }) => fieldsV1 ?? {}).reduce(union),
  };
  const others = entries.filter((one) => !isKudo(one) && !isOurs(one));
  return [{ op: 'replace', path: '/metadata/managedFields', value: [...others, entry] as unknown as Json }];
}

/** Entries of subresources (status, scale) are what controllers and people made of the object, not what was applied. */
function isKudo(entry: ManagedFieldsEntry): boolean {
  const { manager, operation, subresource, fieldsV1 } = entry;
  if (operation !== 'Update' || subresource) return false;
  if (!kudoManagers.some((name) => name === manager)) return false;
  // Half the operators of this world call themselves `manager`.
  return (
    manager !== 'manager' || at(fieldsV1, ['f:metadata', 'f:annotations', `f:${annotations.lastApplied}`]) !== undefined
  );
}

function isOurs({ manager, operation, subresource }: ManagedFieldsEntry): boolean {
  return manager === planManager && operation === 'Apply' && !subresource;
}

/** The fields of both sets. */
function union(a: JsonObject, b: JsonObject): JsonObject {
  const merged = new Map(Object.entries(a));
  for (const [key, value] of Object.entries(b)) {
    const before = merged.get(key);
    merged.set(key, isSet(before) && isSet(value) ? union(before, value) : value);
  }
  return Object.fromEntries(merged);
}

function isSet(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
