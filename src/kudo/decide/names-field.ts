import type { Json, JsonObject } from '../../kube/object.ts';
import type { FieldPath, FieldStep } from './differences.ts';

/**
 * Whether a set of fields, as an API server keeps it for each manager (`fieldsV1`), has what a path leads to, or something above
 * it as a whole: a list that is not merged by items is one field.
 */
export function namesField(fields: JsonObject, path: FieldPath): boolean {
  let set = fields;
  for (const step of path) {
    const members = Object.entries(set).filter(([key]) => key !== '.');
    if (members.length === 0) return set !== fields;
    const [, next] = members.find(([key]) => leadsTo(key, step)) ?? [];
    if (!isSet(next)) return false;
    set = next;
  }
  return true;
}

/** A member of a set is `f:name`, `i:2`, `v:"value"`, or `k:{"port":80,"protocol":"TCP"}` with what tells an item from others. */
function leadsTo(key: string, step: FieldStep): boolean {
  if ('field' in step) return key === `f:${step.field}`;
  const rest = key.slice(2);
  switch (key.slice(0, 2)) {
    case 'i:':
      return rest === String(step.index);
    case 'v:':
      return parsed(rest) === step.item;
    case 'k:':
      return hasKey(step.item, rest);
    default:
      return false;
  }
}

/** What was not asked for the server has filled in. */
function hasKey(item: unknown, text: string): boolean {
  const key = parsed(text);
  if (!isSet(key) || typeof item !== 'object' || item === null) return false;
  return Object.entries(key).every(([field, value]) => {
    const asked: unknown = Object.hasOwn(item, field) ? Reflect.get(item, field) : undefined;
    return asked === undefined || asked === value;
  });
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isSet(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
