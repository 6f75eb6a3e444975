import * as z from 'zod';
import { DefinitionError } from './definition-error.ts';
import type { Field } from './field.ts';
import { isLeaf, leaf, nullInEnumeration } from './leaf.ts';
import { metaOf } from './meta.ts';
import { union } from './union.ts';

/**
 * Translates a zod schema into a structural schema with annotations.
 *
 * Metadata may sit inside or outside `.optional()`, `.nullable()` and `.default()`; the outermost wins, key by key.
 * Refinements are not translated: they hold wherever zod parses (webhook, controller, command line), and where the API
 * server should know them too they are written with `rule`.
 *
 * Throws a `DefinitionError` that names the field for everything that a CRD cannot say, rather than saying less.
 */
export function fieldOf(schema: z.core.$ZodType, path: string): Field {
  return checked({ ...shapeOf(schema, path), ...metaOf(schema, path) }, path);
}

function shapeOf(schema: z.core.$ZodType, path: string): Field {
  refuseConversions(schema, path);
  if (isLeaf(schema)) return leaf(schema, path);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNonOptional || schema instanceof z.ZodReadonly) {
    return fieldOf(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodNullable) return nullable(fieldOf(schema.unwrap(), path), path);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return { ...fieldOf(schema.unwrap(), path), default: defaultOf(schema, path) };
  }
  if (schema instanceof z.ZodObject) return object(schema, path);
  if (schema instanceof z.ZodRecord) return map(schema, path);
  if (schema instanceof z.ZodArray) return list(schema, path);
  if (schema instanceof z.ZodUnion) return choice(schema, path);
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny)
    return { 'x-kubernetes-preserve-unknown-fields': true };
  throw new DefinitionError(path, `a structural schema cannot express zod's type "${schema._zod.def.type}"`);
}

/** What is stored must be what is read: a schema that converts would make the CRD and the code disagree. */
function refuseConversions(schema: z.core.$ZodType, path: string): void {
  const coerces = (schema._zod.def as { coerce?: boolean }).coerce === true;
  if (coerces || schema._zod.def.checks?.some((check) => check._zod.def.check === 'overwrite')) {
    throw new DefinitionError(path, 'converts its input, so what is stored would not be what is read');
  }
}

function nullable(field: Field, path: string): Field {
  if (field.enum) throw new DefinitionError(path, nullInEnumeration);
  return { ...field, nullable: true };
}

function defaultOf(schema: z.ZodDefault | z.ZodPrefault, path: string): unknown {
  const value = schema.def.defaultValue;
  const parsed = z.safeParse(schema.unwrap(), value);
  if (!parsed.success) throw new DefinitionError(path, `the default does not fit: ${parsed.error.issues[0]?.message}`);
  return value;
}

function object(schema: z.ZodObject, path: string): Field {
  const rest = schema.def.catchall?._zod.def.type;
  if (rest === 'never') {
    throw new DefinitionError(path, 'a strict object cannot be expressed: the API server drops unknown fields instead');
  }
  if (rest !== undefined && rest !== 'unknown' && rest !== 'any') {
    throw new DefinitionError(
      path,
      'a structural schema has either named properties or a type for all values, not both',
    );
  }
  const entries = Object.entries<z.core.$ZodType>(schema.shape);
  const required = entries.filter(([, property]) => property._zod.optin === undefined).map(([name]) => name);
  return {
    type: 'object',
    ...(entries.length > 0 && {
      properties: Object.fromEntries(entries.map(([name, property]) => [name, fieldOf(property, `${path}.${name}`)])),
    }),
    ...(required.length > 0 && { required }),
    ...(rest && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
}

function map(schema: z.ZodRecord, path: string): Field {
  const keys = schema.keyType._zod;
  if (keys.def.type !== 'string' || keys.def.checks?.length || 'format' in keys.def) {
    throw new DefinitionError(path, 'a structural schema cannot restrict the keys of a map; use a rule, or an object');
  }
  return { type: 'object', additionalProperties: fieldOf(schema.valueType, `${path}.*`) };
}

function list(schema: z.ZodArray, path: string): Field {
  const limits: { minItems?: number; maxItems?: number } = {};
  for (const check of schema.def.checks ?? []) {
    const def = check._zod.def as { check: string; minimum?: number; maximum?: number; length?: number };
    const { minimum = def.length, maximum = def.length } = def;
    if (minimum !== undefined) limits.minItems = Math.max(minimum, limits.minItems ?? 0);
    if (maximum !== undefined) limits.maxItems = Math.min(maximum, limits.maxItems ?? maximum);
  }
  return { type: 'array', items: fieldOf(schema.element, `${path}[]`), ...limits };
}

function choice(schema: z.ZodUnion, path: string): Field {
  const options = schema.options.filter((option) => option._zod.def.type !== 'null');
  const [only] = options;
  const branches = options.map((option) => fieldOf(option, path));
  const field = only && options.length === 1 ? fieldOf(only, path) : union(branches, junctorOf(schema), path);
  return options.length < schema.options.length ? nullable(field, path) : field;
}

function junctorOf(schema: z.ZodUnion): 'anyOf' | 'oneOf' {
  return schema instanceof z.ZodDiscriminatedUnion ? 'oneOf' : 'anyOf';
}

/** What Kubernetes demands of extensions, checked here so that the message names the field. */
function checked(field: Field, path: string): Field {
  const fail = (why: string): never => {
    throw new DefinitionError(path, why);
  };
  const keys = field['x-kubernetes-list-map-keys'];
  const listType = field['x-kubernetes-list-type'];
  if (listType && field.type !== 'array') fail('only a list has a list type');
  if ((listType === 'map') !== (keys !== undefined)) fail('list type "map" and list map keys belong together');
  for (const key of keys ?? []) {
    const property = field.items?.properties?.[key];
    if (!property || property.type === 'object' || property.type === 'array')
      fail(`the list key "${key}" is not a scalar property`);
    if (!field.items?.required?.includes(key) && property?.default === undefined) {
      fail(`the list key "${key}" must be required or have a default`);
    }
  }
  const items = field.items;
  if (
    listType === 'set' &&
    ((items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') || items?.type === 'array')
  ) {
    fail('the elements of a set must be scalars or atomic objects');
  }
  if (field['x-kubernetes-map-type'] && field.type !== 'object') fail('only an object has a map type');
  if (field['x-kubernetes-embedded-resource'] && field.type !== 'object')
    fail('only an object can be an embedded resource');
  return field;
}
