import type { JsonObject } from '../../kube/object.ts';
import { type Fields, isFields } from '../schema/json.ts';
import { envelope } from '../schema/object-meta.ts';
import type { Schema } from '../schema/schema.ts';
import { keyStep, valueStep } from './field-set.ts';

/** How a value is merged and owned: as a whole (a leaf), or part by part. A kind of value it lacks is not allowed. */
export interface MergeType {
  readonly scalar?: 'string' | 'numeric' | 'boolean' | 'any';
  readonly list?: ListType;
  readonly map?: MapType;
}

export interface ListType {
  /** An atomic list has one owner; items of the others are told apart by their keys, or by their value. */
  readonly atomic: boolean;
  readonly keys: readonly string[];
  /** Values of keys that an item may leave out. */
  readonly defaults: JsonObject;
  readonly items: MergeType;
}

export interface MapType {
  readonly atomic: boolean;
  /** Fields by name. */
  field(name: string): FieldType | undefined;
  /** What every other key holds; absent where no other key is allowed. */
  readonly others: MergeType | undefined;
}

export interface FieldType {
  readonly type: MergeType;
  /**
   * What a built-in object has here when it has nothing: an empty struct, or null where Go writes an empty list. Such a
   * field's presence is nobody's doing. `undefined` where a field may be absent.
   */
  readonly zero: object | null | undefined;
}

/** Where a schema says nothing: maps part by part, lists as a whole. */
export const deduced: MergeType = {
  scalar: 'any',
  list: {
    atomic: true,
    keys: [],
    defaults: {},
    get items() {
      return deduced;
    },
  },
  map: {
    atomic: false,
    field: () => undefined,
    get others() {
      return deduced;
    },
  },
};

const known = new WeakMap<Schema, MergeType>();

/** How objects of a schema are merged. Custom resources without a schema are merged as their values suggest. */
export function mergeType(schema: Schema | undefined): MergeType {
  if (!schema) return deduced;
  return typeOf(schema, schema['x-kubernetes-group-version-kind'] !== undefined);
}

/** `builtIn` says that an empty object as a default is Go's zero value, not something a CRD's author asked for. */
function typeOf(schema: Schema, builtIn: boolean): MergeType {
  let type = known.get(schema);
  if (!type) {
    type = make(schema, builtIn);
    known.set(schema, type);
  }
  return type;
}

function make(schema: Schema, builtIn: boolean): MergeType {
  if (schema['x-kubernetes-int-or-string']) return { scalar: 'any' };
  switch (schema.type) {
    case 'string':
      return schema.format === 'int-or-string' ? { scalar: 'any' } : { scalar: 'string' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'array':
      return { list: listType(schema, builtIn) };
    case 'object':
      return { map: mapType(schema, builtIn) };
    default:
      if (schema.properties) return { ...deduced, map: mapType(schema, builtIn) };
      return schema.oneOf || schema.anyOf ? { scalar: 'any' } : deduced;
  }
}

function listType(schema: Schema, builtIn: boolean): ListType {
  const { items } = schema;
  const kind = schema['x-kubernetes-list-type'];
  const merges = kind === undefined && schema['x-kubernetes-patch-strategy']?.split(',').includes('merge') === true;
  const key = schema['x-kubernetes-patch-merge-key'];
  const keys = kind === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : merges && key ? [key] : [];
  const defaults: Record<string, never> = {};
  for (const name of keys) {
    const value = items?.properties?.[name]?.default;
    if (value !== undefined) Object.assign(defaults, { [name]: value });
  }
  return {
    atomic: kind !== 'map' && kind !== 'set' && !merges,
    keys,
    defaults,
    get items() {
      return items ? typeOf(items, builtIn) : deduced;
    },
  };
}

function mapType(schema: Schema, builtIn: boolean): MapType {
  const properties = schema['x-kubernetes-embedded-resource']
    ? { ...envelope, ...schema.properties }
    : schema.properties;
  const more = schema.additionalProperties;
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true || more === true;
  const fields = new Map<string, FieldType | undefined>();
  return {
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    field(name) {
      if (!properties) return undefined;
      if (fields.has(name)) return fields.get(name);
      const child = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!child) return undefined;
      const zero = builtIn ? zeroOf(schema, name, child) : undefined;
      const field = { type: typeOf(child, builtIn), zero };
      fields.set(name, field);
      return field;
    },
    get others() {
      if (typeof more === 'object') return typeOf(more, builtIn);
      return open ? deduced : undefined;
    },
  };
}

const emptyStruct: object = Object.freeze({});

function zeroOf(parent: Schema, name: string, schema: Schema): object | null | undefined {
  if (isFields(schema.default)) return emptyStruct;
  return schema.type === 'array' && parent.required?.includes(name) ? null : undefined;
}

/** The part of a type that a value of this kind falls under. */
export function partFor(type: MergeType, value: unknown): 'scalar' | 'list' | 'map' {
  if (Array.isArray(value)) {
    if (type.list) return 'list';
  } else if (isFields(value)) {
    if (type.map) return 'map';
  } else if (value !== null && value !== undefined && type.scalar) {
    return 'scalar';
  }
  return type.map ? 'map' : type.scalar ? 'scalar' : 'list';
}

/** The step that leads to an item, or why there is none. */
export function itemStep(list: ListType, item: unknown): { readonly step: string } | { readonly problem: string } {
  if (list.keys.length === 0) {
    if (item === null) return { problem: "associative list without keys has an element that's an explicit null" };
    if (Array.isArray(item)) return { problem: 'not supported: associative list with lists as elements' };
    if (isFields(item)) return { problem: "associative list without keys has an element that's a map type" };
    return { step: valueStep(item) };
  }
  if (item === null) return { problem: 'associative list with keys may not have a null element' };
  if (!isFields(item)) return { problem: 'associative list with keys may not have non-map elements' };
  const found: Fields = {};
  for (const key of list.keys) {
    if (Object.hasOwn(item, key)) found[key] = item[key];
    else if (list.defaults[key] !== undefined) found[key] = list.defaults[key];
  }
  if (Object.keys(found).length > 0) return { step: keyStep(found as JsonObject) };
  const names = list.keys.map((key) => JSON.stringify(key)).join(' ');
  return {
    problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  };
}
