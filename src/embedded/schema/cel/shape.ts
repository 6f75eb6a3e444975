import type { Environment } from '@marcbachmann/cel-js';
import { equal } from '../equal.ts';
import { isFields } from '../json.ts';
import { envelope, objectMeta } from '../object-meta.ts';
import type { Schema } from '../schema.ts';
import { parseDuration } from './duration.ts';
import { escapeName } from './escape.ts';

/** How values of a schema look to a rule: the type it is checked against, and the values it computes with. */
export interface Shape {
  readonly type: string;
  convert(value: unknown): unknown;
}

const asIs = (value: unknown): unknown => value;

/** A value of unknown type: whole numbers are integers, as the API server reads JSON. */
function free(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(free);
  return isFields(value) ? new Map(Object.entries(value).map(([key, child]) => [key, free(child)])) : value;
}

/**
 * Declares the types of a schema in an environment. Numbers matter: what the schema calls an integer becomes a BigInt,
 * because to the evaluator every JavaScript number is a double.
 *
 * `undefined` for a schema of no type: rules cannot see such fields.
 */
export function shapeOf(environment: Environment, schema: Schema): Shape | undefined {
  let count = 0;

  function shape(part: Schema): Shape | undefined {
    if (part['x-kubernetes-int-or-string']) return { type: 'dyn', convert: free };
    const known = plain(part);
    if (!known || !part.nullable) return known;
    return { type: known.type, convert: (value) => (value === null ? null : known.convert(value)) };
  }

  function plain(part: Schema): Shape | undefined {
    switch (part.type) {
      case 'boolean':
        return { type: 'bool', convert: asIs };
      case 'number':
        return { type: 'double', convert: asIs };
      case 'integer':
        return { type: 'int', convert: (value) => (typeof value === 'number' ? BigInt(Math.trunc(value)) : value) };
      case 'string':
        return text(part.format);
      case 'array':
        return list(part);
      case 'object':
        return object(part);
      default:
        return undefined;
    }
  }

  function list({ items }: Schema): Shape {
    const item = (items && shape(items)) ?? { type: 'dyn', convert: free };
    return {
      type: `list<${item.type}>`,
      convert: (value) => (Array.isArray(value) ? value.map(item.convert) : value),
    };
  }

  function object(part: Schema): Shape {
    const { additionalProperties: more } = part;
    if (more === undefined || more === false) return message(part);
    const entry = (typeof more === 'object' && shape(more)) || { type: 'dyn', convert: free };
    return {
      type: `map<string, ${entry.type}>`,
      convert: (value) =>
        isFields(value) ? new Map(Object.entries(value).map(([key, child]) => [key, entry.convert(child)])) : value,
    };
  }

  function message(part: Schema): Shape {
    const name = `object${count++}`;
    const fields: Record<string, string> = {};
    const converts = new Map<string, { readonly as: string; readonly convert: Shape['convert'] }>();
    for (const [property, child] of Object.entries(propertiesOf(part))) {
      const as = escapeName(property);
      const inner = as === undefined ? undefined : shape(child);
      if (as === undefined || !inner) continue;
      fields[as] = inner.type;
      converts.set(property, { as, convert: inner.convert });
    }
    class Message {
      [field: string]: unknown;
      constructor(value: Readonly<Record<string, unknown>>) {
        for (const [property, { as, convert }] of converts) {
          if (Object.hasOwn(value, property)) this[as] = convert(value[property]);
        }
      }
    }
    environment.registerType(name, { ctor: Message, fields });
    environment.registerOperator(`${name} == ${name}`, sameMessage);
    environment.registerOperator(`${name} == null`, () => false);
    return { type: name, convert: (value) => (isFields(value) ? new Message(value) : value) };
  }

  return shape(schema);
}

function text(format: string | undefined): Shape {
  switch (format?.replaceAll('-', '')) {
    case 'datetime':
      return { type: 'google.protobuf.Timestamp', convert: (value) => new Date(String(value)) };
    case 'date':
      return { type: 'google.protobuf.Timestamp', convert: (value) => new Date(`${value}T00:00:00Z`) };
    case 'duration':
      return { type: 'google.protobuf.Duration', convert: (value) => parseDuration(String(value)) };
    case 'byte':
      return { type: 'bytes', convert: (value) => new Uint8Array(Buffer.from(String(value), 'base64')) };
    default:
      return { type: 'string', convert: asIs };
  }
}

/** What rules may see of an object: of metadata only the names, and of an embedded object also what it is. */
function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  const { properties = {} } = schema;
  if (properties === objectMeta.properties || properties.managedFields === objectMeta.properties?.managedFields) {
    const { name = {}, generateName = {} } = properties;
    return { name, generateName };
  }
  return schema['x-kubernetes-embedded-resource'] ? { ...envelope, ...properties } : properties;
}

function sameMessage(a: unknown, b: unknown): boolean {
  return equal(comparable(a), comparable(b));
}

/** A rule's value as something that `equal` understands. */
function comparable(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, child]) => [key, comparable(child)]));
  if (value instanceof Date) return `time ${value.getTime()}`;
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`;
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  if ('seconds' in value && 'nanos' in value) return `duration ${value.seconds} ${value.nanos}`;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, comparable(child)]));
}
