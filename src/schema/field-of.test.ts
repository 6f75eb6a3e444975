import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { DefinitionError } from './definition-error.ts';
import { fieldOf } from './field-of.ts';
import { embeddedResource, intOrString, keyedList, quantity, rule, setOf } from './types.ts';

const range = { minimum: 0, maximum: 4294967295 };
const anyOf = [{ type: 'integer' }, { type: 'string' }];

describe('what a zod schema becomes', () => {
  it.each<[string, z.ZodType, object]>([
    ['a string', z.string().min(1).max(3), { type: 'string', minLength: 1, maxLength: 3 }],
    ['a pattern', z.string().regex(/^a+$/), { type: 'string', pattern: '^a+$' }],
    [
      'two patterns',
      z.string().regex(/^a/).regex(/b$/),
      { type: 'string', allOf: [{ pattern: '^a' }, { pattern: 'b$' }] },
    ],
    ['a format that the server knows', z.iso.datetime(), { type: 'string', format: 'date-time' }],
    ['a format that the server does not know', z.cuid2(), { type: 'string', pattern: '^[0-9a-z]+$' }],
    ['base64', z.base64(), { type: 'string', format: 'byte' }],
    ['a literal', z.literal('x'), { type: 'string', enum: ['x'] }],
    ['an enumeration', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['literals in a union', z.union([z.literal(1), z.literal(2)]), { type: 'integer', enum: [1, 2] }],
    ['a boolean', z.boolean(), { type: 'boolean' }],
    ['an integer without bounds', z.int(), { type: 'integer', format: 'int64' }],
    ['an integer with one bound', z.int().min(0), { type: 'integer', format: 'int64', minimum: 0 }],
    ['a 32-bit integer', z.int32(), { type: 'integer', format: 'int32' }],
    [
      'a 32-bit integer with bounds',
      z.int32().min(1).max(9),
      { type: 'integer', format: 'int32', minimum: 1, maximum: 9 },
    ],
    ['an unsigned integer', z.uint32(), { type: 'integer', format: 'int64', ...range }],
    ['a number', z.number().gt(0).lte(1), { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1 }],
    ['a double', z.float64(), { type: 'number', format: 'double' }],
    ['multiples', z.int().multipleOf(5), { type: 'integer', format: 'int64', multipleOf: 5 }],
    ['integer or string', intOrString(), { anyOf, 'x-kubernetes-int-or-string': true }],
    [
      'string or integer',
      z.union([z.string(), z.int().min(1)]),
      { anyOf, minimum: 1, 'x-kubernetes-int-or-string': true },
    ],
    [
      'a quantity',
      quantity(),
      { anyOf, pattern: expect.stringContaining('KMGTPE'), 'x-kubernetes-int-or-string': true },
    ],
    ['a nullable union', intOrString().nullable(), { anyOf, nullable: true, 'x-kubernetes-int-or-string': true }],
    ['null as an option', z.union([z.string(), z.null()]), { type: 'string', nullable: true }],
    [
      'a list',
      z.array(z.string()).min(1).max(2),
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    ],
    [
      'a list of fixed length',
      z.array(z.string()).length(2),
      { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
    ],
    ['a set', setOf(z.string()), { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }],
    [
      'a map',
      z.record(z.string(), z.int32()),
      { type: 'object', additionalProperties: { type: 'integer', format: 'int32' } },
    ],
    ['anything', z.unknown(), { 'x-kubernetes-preserve-unknown-fields': true }],
    ['a loose object', z.looseObject({}), { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
    ['a read-only list', z.array(z.string()).readonly(), { type: 'array', items: { type: 'string' } }],
    ['a default', z.int32().default(1), { type: 'integer', format: 'int32', default: 1 }],
    [
      'a default that is parsed',
      z.object({ a: z.int32().default(1) }).prefault({}),
      { type: 'object', properties: { a: { type: 'integer', format: 'int32', default: 1 } }, default: {} },
    ],
  ])('%s', (_, schema, expected) => {
    expect(fieldOf(schema, 'Kind.spec')).toEqual(expected);
  });

  it('requires what has neither a default nor leave to be absent', () => {
    const schema = z.object({
      a: z.string(),
      b: z.string().optional(),
      c: z.string().default('x'),
      d: z.string().nullish(),
      e: z.string().nullable(),
    });
    expect(fieldOf(schema, 'Kind.spec').required).toEqual(['a', 'e']);
  });

  it('keys a list', () => {
    expect(
      fieldOf(keyedList(z.object({ name: z.string(), port: z.int32().default(1) }), 'name', 'port'), 'x'),
    ).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
      items: { required: ['name'] },
    });
  });

  it('finds duplicates in sets and keyed lists, as the server does', () => {
    const list = keyedList(z.object({ name: z.string(), port: z.int32().default(1) }), 'name', 'port');
    expect(list.safeParse([{ name: 'a' }, { name: 'a', port: 2 }]).success).toBe(true);
    expect(list.safeParse([{ name: 'a' }, { name: 'a', port: 1 }]).success).toBe(false);
    expect(setOf(z.string()).safeParse(['a', 'b']).success).toBe(true);
    expect(setOf(z.string()).safeParse(['a', 'a']).success).toBe(false);
  });

  it('embeds an object', () => {
    expect(fieldOf(embeddedResource(), 'x')).toMatchObject({
      type: 'object',
      required: ['apiVersion', 'kind'],
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    });
  });

  it('hoists the properties of a discriminated union and keeps what tells the branches apart', () => {
    const schema = z.discriminatedUnion('type', [
      z.object({ type: z.literal('a'), size: z.int32().min(1), name: z.string() }),
      z.object({
        type: z.literal('b'),
        size: z.int32().max(9).optional(),
        name: z.string(),
        extra: z.object({ x: z.boolean() }),
      }),
    ]);
    expect(fieldOf(schema, 'x')).toEqual({
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['a', 'b'] },
        size: { type: 'integer', format: 'int32' },
        name: { type: 'string' },
        extra: { type: 'object', properties: { x: { type: 'boolean' } }, required: ['x'] },
      },
      required: ['type', 'name'],
      oneOf: [
        { properties: { type: { enum: ['a'] }, size: { minimum: 1 } }, required: ['type', 'size', 'name'] },
        { properties: { type: { enum: ['b'] }, size: { maximum: 9 } }, required: ['type', 'name', 'extra'] },
      ],
    });
  });

  it('finds metadata inside and outside of wrappers, the outermost first', () => {
    const inner = z.int().meta({ id: 'Inlined', description: 'inner', change: 'scale' });
    expect(fieldOf(inner.optional(), 'x')).toEqual({
      type: 'integer',
      format: 'int64',
      description: 'inner',
      change: 'scale',
    });
    expect(fieldOf(inner.default(1).meta({ description: 'outer' }), 'x')).toEqual({
      type: 'integer',
      format: 'int64',
      default: 1,
      description: 'outer',
      change: 'scale',
    });
    expect(fieldOf(z.object({ a: inner, b: inner }), 'x').properties).toEqual({
      a: fieldOf(inner, 'x'),
      b: fieldOf(inner, 'x'),
    });
  });

  it('gives a rule to the server and to zod', () => {
    const schema = rule(
      rule(z.object({ min: z.int(), max: z.int() }).describe('a range'), {
        rule: 'self.min <= self.max',
        message: 'must grow',
        fieldPath: '.max',
        holds: ({ min, max }) => min <= max,
      }),
      { rule: 'self == oldSelf', message: 'immutable' },
    );
    expect(fieldOf(schema, 'x')).toMatchObject({
      description: 'a range',
      'x-kubernetes-validations': [
        { rule: 'self.min <= self.max', message: 'must grow', fieldPath: '.max' },
        { rule: 'self == oldSelf', message: 'immutable' },
      ],
    });
    expect(schema.safeParse({ min: 2, max: 1 }).error?.issues).toMatchObject([{ path: ['max'], message: 'must grow' }]);
    expect(schema.safeParse({ min: 1, max: 2 }).success).toBe(true);
  });
});

describe('what is refused', () => {
  const recursive: z.ZodType = z.lazy(() => z.object({ again: recursive.optional() }));
  it.each<[string, z.ZodType, string]>([
    ['a tuple', z.tuple([z.string()]), `cannot express zod's type "tuple"`],
    ['a recursive schema', recursive, `cannot express zod's type "lazy"`],
    ['an intersection', z.intersection(z.object({}), z.object({})), `cannot express zod's type "intersection"`],
    ['a date', z.date(), `cannot express zod's type "date"`],
    ['a big integer', z.bigint(), `cannot express zod's type "bigint"`],
    ['a transformation', z.string().transform(Number), `cannot express zod's type "pipe"`],
    ['a catch', z.string().catch('x'), `cannot express zod's type "catch"`],
    ['a coercion', z.coerce.number(), 'converts its input'],
    ['a trim', z.string().trim(), 'converts its input'],
    ['a strict object', z.strictObject({}), 'a strict object cannot be expressed'],
    [
      'properties beside a catch-all',
      z.object({ a: z.string() }).catchall(z.int()),
      'either named properties or a type for all values',
    ],
    ['restricted keys', z.record(z.enum(['a']), z.string()), 'cannot restrict the keys'],
    ['keys with a pattern', z.record(z.string().regex(/a/), z.string()), 'cannot restrict the keys'],
    ['keys with a format', z.record(z.uuid(), z.string()), 'cannot restrict the keys'],
    ['a union of types', z.union([z.string(), z.boolean()]), 'a union of string, boolean has no single type'],
    ['a mixed enumeration', z.literal(['a', 1]), 'must all be strings'],
    ['a nullable enumeration', z.enum(['a']).nullable(), 'refuses null for an enumeration'],
    ['an enumeration with null', z.literal(['a', null]), 'refuses null for an enumeration'],
    ['literals or null', z.union([z.literal('a'), z.null()]), 'refuses null for an enumeration'],
    ['a branch that clashes', z.union([z.object({ a: z.string() }), z.object({ a: z.int() })]), 'different types'],
    [
      'a default in one branch',
      z.union([z.object({ a: z.string().default('x') }), z.object({ b: z.int() })]),
      'in every branch',
    ],
    ['a map as a branch', z.union([z.object({}), z.record(z.string(), z.string())]), 'a map as a branch'],
    [
      'a rule in a branch',
      z.union([z.object({}), rule(z.object({}), { rule: 'true', message: 'x' })]),
      'put it on the union',
    ],
    ['look-around', z.string().regex(/^(?!a)/), 'it has look-around'],
    ['a flag', z.string().regex(/a/i), 'the flag "i"'],
    ['a format without a pattern', z.jwt(), 'format "jwt"'],
    ['a default that does not fit', z.int().min(1).default(0), 'the default does not fit'],
    ['unknown metadata', z.int().meta({ chnage: 'scale' }), 'unknown metadata "chnage"'],
    ['a list type on a string', z.string().meta({ 'x-kubernetes-list-type': 'set' }), 'only a list has a list type'],
    [
      'a key that may be absent',
      keyedList(z.object({ name: z.string().optional() }), 'name'),
      'must be required or have a default',
    ],
    ['a key that is no scalar', keyedList(z.object({ name: z.object({}) }), 'name'), 'is not a scalar property'],
    [
      'keys without a keyed list',
      z.array(z.object({ a: z.string() })).meta({ 'x-kubernetes-list-map-keys': ['a'] }),
      'belong together',
    ],
    ['a set of objects', setOf(z.object({})), 'must be scalars or atomic objects'],
    [
      'a map type on a list',
      z.array(z.string()).meta({ 'x-kubernetes-map-type': 'atomic' }),
      'only an object has a map type',
    ],
    [
      'an embedded string',
      z.string().meta({ 'x-kubernetes-embedded-resource': true }),
      'only an object can be an embedded resource',
    ],
  ])('%s', (_, schema, why) => {
    const define = (): unknown => fieldOf(z.object({ outer: z.array(z.object({ field: schema })) }), 'Kind.spec');
    expect(define).toThrow(DefinitionError);
    expect(define).toThrow(/^Kind\.spec\.outer\[\]\.field(\.a)?: /);
    expect(define).toThrow(why);
  });
});
