import { equal } from './equal.ts';
import { type Fields, getField, isFields } from './json.ts';
import { keysOf } from './list-types.ts';
import type { Schema } from './schema.ts';

/** Says that a value has no counterpart in the object before the update. */
export const noOld: unique symbol = Symbol('no old value');

/** The counterpart of a field. */
export function oldField(schema: Schema, old: unknown, key: string): unknown {
  if (!isFields(old) || !Object.hasOwn(old, key)) return noOld;
  const known = schema.properties !== undefined && Object.hasOwn(schema.properties, key);
  if (!known && typeof schema.additionalProperties !== 'object') return noOld;
  return getField(old, key);
}

/** The counterpart of an item: in a list of type map the item with the same keys, in other lists none. */
export function oldItem(schema: Schema, old: unknown, item: unknown): unknown {
  if (!Array.isArray(old) || schema['x-kubernetes-list-type'] !== 'map' || !isFields(item)) return noOld;
  const keys: Fields = keysOf(schema, item);
  const found: unknown = old.find((candidate) => equal(keysOf(schema, candidate), keys));
  return found ?? noOld;
}
