import { amountOf } from '../kinds/quantity.ts';
import { readTime } from '../schema/go-time.ts';
import { type Fields, isFields, setField } from '../schema/json.ts';
import { objectMeta } from '../schema/object-meta.ts';
import type { Schema } from '../schema/schema.ts';
import { goNameOf, goTypeOf, structOf } from './go-names.ts';

/** What a typed decoder finds in a value. */
export interface Typed {
  /** The first value that its field cannot hold, as such a decoder words it. */
  readonly wrong: string | undefined;
  /** Paths of the fields that the type does not have, in the order they were sent. They are dropped. */
  readonly unknown: readonly string[];
}

/**
 * Makes a draft fit the type of a built-in kind, in place, as a typed decoder would: values must have the JSON type
 * their field can hold, nulls are the same as nothing, times are told in UTC, unknown fields are dropped.
 *
 * Not for custom resources: their values are judged field by field in validation.
 */
export function typed(schema: Schema, draft: Fields, kind: string): Typed {
  const walker = new Walker(kind);
  const wrong = walker.fields(schema, draft, '', '');
  return { wrong, unknown: walker.unknown };
}

/** The same for the metadata of a custom resource, the one part of it that has a type. Unknown fields stay. */
export function typedMetadata(metadata: Fields): string | undefined {
  const walker = new Walker('ObjectMeta');
  // That decoder gets the fields in order of their names.
  for (const key of Object.keys(metadata).sort()) {
    const one: Fields = { [key]: metadata[key] };
    const wrong = walker.fields(objectMeta, one, '', '');
    if (wrong) return wrong;
    if (walker.unknown.includes(key)) continue;
    if (Object.hasOwn(one, key)) metadata[key] = one[key];
    else delete metadata[key];
  }
  return undefined;
}

class Walker {
  readonly unknown: string[] = [];
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** `path` is where the value is (`spec.ports[0]`), `field` is that without keys of maps and lists. */
  fields(schema: Schema, value: Fields, path: string, field: string): string | undefined {
    const { properties, additionalProperties: more } = schema;
    const open = schema['x-kubernetes-preserve-unknown-fields'] === true || more === true;
    for (const key in value) {
      const child = value[key];
      const known = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
      const type = known ?? (typeof more === 'object' ? more : undefined);
      const at = path === '' ? key : `${path}.${key}`;
      if (!type) {
        if (open || (!properties && !more)) continue;
        this.unknown.push(at);
        delete value[key];
      } else if (child === null) {
        // A key of a map is there whatever its value; raw JSON may hold a null of its own.
        if (!known && type.type === 'string') setField(value, key, '');
        else if (type.type !== undefined) delete value[key];
      } else if (typeof child === 'string' && type.type === 'string') {
        const wrong = type.format === undefined ? undefined : formatted(type, value, key, child);
        if (wrong) return wrong;
      } else {
        const wrong = this.value(type, child, at, known ? (field === '' ? key : `${field}.${key}`) : field);
        if (wrong) return wrong;
      }
    }
    return undefined;
  }

  value(schema: Schema, value: unknown, path: string, field: string): string | undefined {
    if (Array.isArray(value)) {
      if (schema.type !== undefined && schema.type !== 'array') return this.#mismatch(value, schema, field);
      const { items } = schema;
      if (!items) return undefined;
      for (const [index, item] of value.entries()) {
        // A list has as many items as were sent; an item that is nothing is an empty one.
        if (item === null && items.type === 'string') value[index] = '';
        if (item === null && items.type === 'object') value[index] = {};
        const wrong = item === null ? undefined : this.value(items, item, `${path}[${index}]`, field);
        if (wrong) return wrong;
      }
      return undefined;
    }
    if (isFields(value)) {
      if (schema.type !== undefined && schema.type !== 'object') return this.#mismatch(value, schema, field);
      return this.fields(schema, value, path, field);
    }
    if (schema.format === 'quantity') {
      return amountOf(value) === undefined
        ? "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        : undefined;
    }
    return fits(schema, value) ? undefined : this.#mismatch(value, schema, field);
  }

  #mismatch(value: unknown, schema: Schema, field: string): string {
    const name = `${structOf(this.#kind, field)}.${field}`;
    return `json: cannot unmarshal ${goNameOf(value, schema)} into Go struct field ${name} of type ${goTypeOf(schema, field)}`;
  }
}

/** Fields that tell time to the microsecond; their schemas do not say so. */
const microTimes = new Set(['eventTime', 'lastObservedTime', 'acquireTime', 'renewTime']);

/** Puts a text of a certain form into the spelling that is stored, or says what is wrong with it. */
function formatted({ format }: Schema, fields: Fields, key: string, text: string): string | undefined {
  if (format === 'date-time') {
    const time = readTime(text, microTimes.has(key) ? 'micro' : 'second');
    if ('wrong' in time) return time.wrong;
    fields[key] = time.text;
  }
  if (format === 'byte') {
    const at = badBase64(text);
    if (at !== undefined) return `illegal base64 data at input byte ${at}`;
  }
  return undefined;
}

/** Where a text ceases to be base64. */
function badBase64(text: string): number | undefined {
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0) return undefined;
  const packed = text.replace(/[\r\n]/g, '');
  const good = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?/.exec(packed)?.[0].length ?? 0;
  if (good === packed.length) return undefined;
  const [first] = /^[A-Za-z0-9+/]*/.exec(packed.slice(good)) ?? [''];
  return good + first.length;
}

function fits(schema: Schema, value: unknown): boolean {
  // Ports and percentages: text or a number.
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return typeof value !== 'boolean';
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return true;
  switch (schema.type) {
    case undefined:
      return true;
    case 'integer':
      return Number.isInteger(value) && (schema.format !== 'int32' || (value as number) === ((value as number) | 0));
    case 'number':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return false;
  }
}
