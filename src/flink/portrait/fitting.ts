import { isAbsent, isObject, type Members, member } from '../../change/equal.ts';
import type { Field } from '../../schema/field.ts';

/**
 * What of a value has the shape of a field of a schema; `undefined` when nothing has. Members of another type are left out,
 * and an object that lacks what it must have is none. So whoever tells of an object can read every field by its type, also
 * where an older definition let something else in or somebody wrote a status by hand. Total; never deeper than the schema.
 */
export function fitting(field: Field, value: unknown): unknown {
  if (isAbsent(value)) return undefined;
  if (field['x-kubernetes-int-or-string']) return typeof value === 'string' || isNumber(value) ? value : undefined;
  if (field.enum && !field.enum.includes(value)) return undefined;
  switch (field.type) {
    case 'object':
      return isObject(value) ? members(field, value) : undefined;
    case 'array':
      return Array.isArray(value) ? elements(field, value) : undefined;
    case 'string':
      return typeof value === 'string' ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'integer':
      return Number.isSafeInteger(value) ? value : undefined;
    case 'number':
      return isNumber(value) ? value : undefined;
    default:
      return value;
  }
}

function members(field: Field, value: Members): Members | undefined {
  const { properties, additionalProperties, required = [] } = field;
  const open = field['x-kubernetes-preserve-unknown-fields'] === true || !(properties ?? additionalProperties);
  const kept: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    const known = properties && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    const fit = known ? fitting(known, member(value, name)) : open ? member(value, name) : undefined;
    if (fit !== undefined) kept.push([name, fit]);
  }
  const found: Members = Object.fromEntries(kept);
  return required.every((name) => Object.hasOwn(found, name)) ? found : undefined;
}

function elements({ items }: Field, value: readonly unknown[]): readonly unknown[] {
  if (!items) return value;
  return value.map((one) => fitting(items, one)).filter((one) => one !== undefined);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
