import * as z from 'zod';
import { DefinitionError } from './definition-error.ts';
import type { Field } from './field.ts';
import { patternProblem } from './pattern.ts';

type Leaf =
  | z.ZodString
  | z.ZodStringFormat
  | z.ZodTemplateLiteral
  | z.ZodNumber
  | z.ZodBoolean
  | z.ZodEnum
  | z.ZodLiteral;

export function isLeaf(schema: z.core.$ZodType): schema is Leaf {
  return ['string', 'template_literal', 'number', 'boolean', 'enum', 'literal'].includes(schema._zod.def.type);
}

/** A scalar: its type, format and limits. */
export function leaf(schema: Leaf, path: string): Field {
  if (schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum) return enumeration([...valuesOf(schema)], path);
  if (schema instanceof z.ZodBoolean) return { type: 'boolean' };
  const json = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input', metadata: z.registry() });
  return schema instanceof z.ZodNumber ? number(schema, json) : string(schema, json, path);
}

/** A choice of values. */
export function enumeration(values: readonly unknown[], path: string): Field {
  const types = new Set(values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)));
  const [type] = types;
  if (values.includes(null)) throw new DefinitionError(path, nullInEnumeration);
  if (types.size !== 1 || (type !== 'string' && type !== 'number' && type !== 'integer' && type !== 'boolean')) {
    throw new DefinitionError(path, 'the values of an enumeration must all be strings, all numbers or all booleans');
  }
  return { type, enum: values };
}

/** Seen on kube-apiserver 1.37: with `nullable` and null listed in `enum`, null is still an unsupported value. */
export const nullInEnumeration = 'the API server refuses null for an enumeration, nullable or not; make it optional';

function valuesOf(schema: z.ZodLiteral | z.ZodEnum): Iterable<unknown> {
  return schema instanceof z.ZodLiteral ? schema.values : schema.options;
}

/** Number formats of zod: the format that Kubernetes calls it, and the limits that this format implies. */
const numberFormats: Record<string, readonly [format: string, minimum: number, maximum: number] | undefined> = {
  safeint: ['int64', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  int32: ['int32', -(2 ** 31), 2 ** 31 - 1],
  uint32: ['int64', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  float32: ['float', -3.4028234663852886e38, 3.4028234663852886e38],
  float64: ['double', -Number.MAX_VALUE, Number.MAX_VALUE],
};

function number(schema: z.ZodNumber, json: z.core.JSONSchema.BaseSchema): Field {
  const [format, minimum, maximum] = numberFormats[schema.format ?? ''] ?? [];
  const integer = json.type === 'integer';
  return defined({
    type: integer ? 'integer' : 'number',
    format,
    minimum: json.minimum === minimum ? undefined : json.minimum,
    maximum: json.maximum === maximum ? undefined : json.maximum,
    exclusiveMinimum: json.exclusiveMinimum === (true as unknown) ? true : undefined,
    exclusiveMaximum: json.exclusiveMaximum === (true as unknown) ? true : undefined,
    multipleOf: json.multipleOf === 1 && integer ? undefined : json.multipleOf,
  });
}

/** String formats that the API server checks itself, with the same meaning as zod; it ignores all others. */
const stringFormats: Record<string, string | undefined> = {
  email: 'email',
  uri: 'uri',
  uuid: 'uuid',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
  hostname: 'hostname',
  date: 'date',
  'date-time': 'date-time',
  base64: 'byte',
};

function string(schema: Leaf, json: z.core.JSONSchema.BaseSchema, path: string): Field {
  const format = stringFormats[json.format ?? ''];
  const patterns = [json.pattern, ...(json.allOf ?? []).map((part) => part.pattern)].filter((one) => one !== undefined);
  if (json.format && !format && patterns.length === 0) {
    throw new DefinitionError(path, `the API server cannot check the format "${json.format}"; use a pattern`);
  }
  for (const pattern of format ? [] : [...patternsOf(schema), ...patterns.map((source) => new RegExp(source))]) {
    const problem = patternProblem(pattern);
    if (problem) throw new DefinitionError(path, `the API server cannot use ${pattern}: it has ${problem}`);
  }
  return defined({
    type: 'string',
    format,
    minLength: json.minLength,
    maxLength: json.maxLength,
    pattern: !format && patterns.length === 1 ? patterns[0] : undefined,
    allOf: !format && patterns.length > 1 ? patterns.map((pattern) => ({ pattern })) : undefined,
  });
}

/** The expressions as written: the JSON schema has lost their flags. */
function patternsOf(schema: Leaf): RegExp[] {
  return (schema._zod.def.checks ?? []).flatMap((check) => {
    const { pattern } = check._zod.def as { pattern?: unknown };
    return pattern instanceof RegExp ? [pattern] : [];
  });
}

function defined(field: { readonly [K in keyof Field]?: Field[K] | undefined }): Field {
  return Object.fromEntries(Object.entries(field).filter(([, value]) => value !== undefined));
}
