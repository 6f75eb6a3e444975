import { type Fields, isFields } from '../schema/json.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * Checks that every value has the JSON type its field can hold, the way a typed decoder would: the first mismatch is
 * returned as such a decoder words it. Nulls are dropped, as for such a decoder they are the same as nothing.
 *
 * For built-in kinds only: values of custom resources are judged field by field in validation.
 */
export function checkTypes(schema: Schema, draft: unknown, kind: string): string | undefined {
  return walk(schema, draft, kind, '');
}

function walk(schema: Schema, value: unknown, kind: string, path: string): string | undefined {
  if (Array.isArray(value)) {
    if (schema.type !== undefined && schema.type !== 'array') return mismatch('array', schema, kind, path);
    if (!schema.items) return undefined;
    for (const item of value) {
      const wrong = item === null ? undefined : walk(schema.items, item, kind, path);
      if (wrong) return wrong;
    }
    return undefined;
  }
  if (isFields(value)) return walkFields(schema, value, kind, path);
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') {
    return typeof value === 'boolean' ? mismatch('bool', schema, kind, path) : undefined;
  }
  if (fits(schema, value)) return undefined;
  return mismatch(goName(value), schema, kind, path);
}

function walkFields(schema: Schema, value: Fields, kind: string, path: string): string | undefined {
  if (schema.type !== undefined && schema.type !== 'object') return mismatch('object', schema, kind, path);
  const more = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  for (const key in value) {
    const child = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : more;
    if (!child) continue;
    if (value[key] === null) {
      // Raw JSON may hold a null of its own.
      if (child.type !== undefined) delete value[key];
      continue;
    }
    const wrong = walk(child, value[key], kind, path === '' ? key : `${path}.${key}`);
    if (wrong) return wrong;
  }
  return undefined;
}

function fits(schema: Schema, value: unknown): boolean {
  switch (schema.type) {
    case undefined:
      return true;
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string' || (typeof value === 'number' && isQuantity(schema));
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return false;
  }
}

/** Quantities are published as strings, yet a plain number is one too. Nothing but their lack of format tells them. */
function isQuantity(schema: Schema): boolean {
  return schema.oneOf !== undefined || schema.anyOf !== undefined;
}

const goTypes: Readonly<Record<string, string>> = {
  integer: 'int64',
  number: 'float64',
  boolean: 'bool',
  object: 'map[string]interface {}',
  array: '[]interface {}',
};

function mismatch(found: string, schema: Schema, kind: string, path: string): string {
  const type = schema.format === 'int32' ? 'int32' : (goTypes[schema.type ?? ''] ?? schema.type);
  return `json: cannot unmarshal ${found} into Go struct field ${kind}.${path} of type ${type}`;
}

function goName(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' && !Number.isInteger(value) ? `number ${value}` : typeof value;
}
