import type { FieldError } from '../status-error.ts';
import { duplicateValue, invalidValue } from './field-error.ts';
import { goJson } from './go-text.ts';
import { type Fields, isFields } from './json.ts';
import type { Schema } from './schema.ts';

/** The keys of an item in a list of type map; a key the item lacks is left out. */
export function keysOf(schema: Schema, item: unknown): Fields {
  const keys: Fields = {};
  if (!isFields(item)) return keys;
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) if (Object.hasOwn(item, key)) keys[key] = item[key];
  return keys;
}

/** Lists of type set hold no value twice, lists of type map no key twice. Each duplicate is reported once. */
export function checkListTypes(schema: Schema, value: unknown, path: string, errors: FieldError[]): void {
  if (Array.isArray(value)) {
    checkList(schema, value, path, errors);
    const items = schema.items;
    if (items) for (let i = 0; i < value.length; i++) checkNested(items, value[i], `${path}[${i}]`, errors);
    return;
  }
  if (!isFields(value)) return;
  const more = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const properties = schema.properties;
  for (const key in value) {
    if (properties && Object.hasOwn(properties, key)) {
      checkNested(properties[key] as Schema, value[key], path === '' ? key : `${path}.${key}`, errors);
    } else if (more) {
      checkNested(more, value[key], `${path}[${key}]`, errors);
    }
  }
}

function checkNested(schema: Schema, value: unknown, path: string, errors: FieldError[]): void {
  if (typeof value === 'object' && value !== null) checkListTypes(schema, value, path, errors);
}

function checkList(schema: Schema, list: readonly unknown[], path: string, errors: FieldError[]): void {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') {
    for (const i of duplicates(list)) errors.push(duplicateValue(`${path}[${i}]`, list[i]));
  } else if (type === 'map') {
    const odd = list.findIndex((item) => item !== null && !isFields(item));
    if (odd >= 0) {
      errors.push(invalidValue(`${path}[${odd}]`, list[odd], 'must be an object for an array of list-type map'));
      return;
    }
    const keys = list.map((item) => keysOf(schema, item));
    for (const i of duplicates(keys)) errors.push(duplicateValue(`${path}[${i}]`, keys[i]));
  }
}

/** Where a value stands for the second time. */
function duplicates(values: readonly unknown[]): readonly number[] {
  if (values.length < 2) return [];
  const times = new Map<unknown, number>();
  return values.flatMap((value, i) => {
    const key = typeof value === 'object' && value !== null ? `json:${goJson(value)}` : value;
    const seen = times.get(key) ?? 0;
    times.set(key, seen + 1);
    return seen === 1 ? [i] : [];
  });
}
