import { type Fields, isFields } from '../schema/json.ts';
import type { Schema } from '../schema/schema.ts';

/** What a typed decoder finds in a value. */
export interface Typed {
  /** The first value that its field cannot hold, as such a decoder words it. */
  readonly wrong: string | undefined;
  /** Paths of the fields that the type does not have, in the order they were sent. They are dropped. */
  readonly unknown: readonly string[];
}

/**
 * Makes a draft fit the type of a built-in kind, in place, as a typed decoder would: values must have the JSON type
 * their field can hold, nulls are the same as nothing, unknown fields are dropped.
 *
 * Not for custom resources: their values are judged field by field in validation.
 */
export function typed(schema: Schema, draft: Fields, kind: string): Typed {
  const walker = new Walker(kind);
  const wrong = walker.fields(schema, draft, '', '');
  return { wrong, unknown: walker.unknown };
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
        // Raw JSON may hold a null of its own.
        if (type.type !== undefined) delete value[key];
      } else if (typeof child === 'string' && type.type === 'string') {
        // Most values: nothing to do.
      } else {
        const wrong = this.value(type, child, at, known ? (field === '' ? key : `${field}.${key}`) : field);
        if (wrong) return wrong;
      }
    }
    return undefined;
  }

  value(schema: Schema, value: unknown, path: string, field: string): string | undefined {
    if (Array.isArray(value)) {
      if (schema.type !== undefined && schema.type !== 'array') return this.#mismatch('array', schema, field);
      const { items } = schema;
      if (!items) return undefined;
      for (const [index, item] of value.entries()) {
        const wrong = item === null ? undefined : this.value(items, item, `${path}[${index}]`, field);
        if (wrong) return wrong;
      }
      return undefined;
    }
    if (isFields(value)) {
      if (schema.type !== undefined && schema.type !== 'object') return this.#mismatch('object', schema, field);
      return this.fields(schema, value, path, field);
    }
    return fits(schema, value) ? undefined : this.#mismatch(goName(value), schema, field);
  }

  #mismatch(found: string, schema: Schema, field: string): string {
    const type = schema.format === 'int32' ? 'int32' : (goTypes[schema.type ?? ''] ?? schema.type);
    return `json: cannot unmarshal ${found} into Go struct field ${this.#structOf(field)}.${field} of type ${type}`;
  }

  /** The Go type that has the field, as far as it follows from the path. */
  #structOf(field: string): string {
    if (field.startsWith('metadata.')) return 'ObjectMeta';
    if (/^spec\.[^.]+$/.test(field)) return `${this.#kind}Spec`;
    if (/^status\.[^.]+$/.test(field)) return `${this.#kind}Status`;
    return this.#kind;
  }
}

function fits(schema: Schema, value: unknown): boolean {
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string' || schema.oneOf || schema.anyOf) {
    // Ports, percentages and quantities: text or a number.
    return typeof value !== 'boolean';
  }
  switch (schema.type) {
    case undefined:
      return true;
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
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

const goTypes: Readonly<Record<string, string>> = {
  integer: 'int64',
  number: 'float64',
  boolean: 'bool',
  object: 'map[string]interface {}',
  array: '[]interface {}',
};

function goName(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' && !Number.isInteger(value) ? `number ${value}` : typeof value;
}
