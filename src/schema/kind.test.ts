import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { fieldErrorText } from './field-error.ts';
import { type Body, defineKind, type KindDefinition } from './kind.ts';
import { keyedList, rule } from './types.ts';

const definition = {
  group: 'toy.cutover.dev',
  version: 'v1',
  kind: 'Kettle',
  plural: 'kettles',
  scope: 'Namespaced',
  spec: z.object({
    litres: z.int32().min(1).max(5),
    replicas: z.int32().default(1),
    lid: z.enum(['open', 'shut']).optional(),
    name: z.string().min(2).max(3).regex(/^a/).optional(),
    cups: keyedList(z.object({ name: z.string(), size: z.int32().optional() }), 'name')
      .max(1)
      .optional(),
    labels: z.record(z.string(), z.string()).optional(),
    heat: z
      .discriminatedUnion('by', [
        z.object({ by: z.literal('gas'), bar: z.number() }),
        z.object({ by: z.literal('mains'), volts: z.int() }),
      ])
      .optional(),
    either: z.union([z.int(), z.string()]).optional(),
    window: rule(z.object({ from: z.int(), to: z.int() }), {
      rule: 'self.from <= self.to',
      message: 'must not end before it begins',
      fieldPath: '.to',
      holds: ({ from, to }) => from <= to,
    }).optional(),
    password: z.string().min(8).optional().meta({ secret: true }),
    free: z.looseObject({}).optional(),
  }),
  status: z.object({ replicas: z.int32().optional(), selector: z.string().optional(), word: z.string().optional() }),
} as const satisfies KindDefinition<z.ZodType, z.ZodType>;

const kettle = defineKind(definition);
const problems = (spec: unknown): string[] =>
  kettle.validate({ apiVersion: 'toy.cutover.dev/v1', kind: 'Kettle', metadata: {}, spec }).map(fieldErrorText);

describe('a kind', () => {
  it('says how a client addresses it', () => {
    expect(kettle.type).toEqual({
      group: 'toy.cutover.dev',
      version: 'v1',
      kind: 'Kettle',
      plural: 'kettles',
      namespaced: true,
    });
    expect(kettle.apiVersion).toBe('toy.cutover.dev/v1');
  });

  it('has the type of its definition, read-only', () => {
    expectTypeOf<Body<typeof kettle>['spec']['litres']>().toEqualTypeOf<number>();
    expectTypeOf<Body<typeof kettle>['spec']['replicas']>().toEqualTypeOf<number>();
    expectTypeOf<NonNullable<Body<typeof kettle>['spec']['cups']>>().toEqualTypeOf<
      readonly { readonly name: string; readonly size?: number | undefined }[]
    >();
    expectTypeOf<Body<typeof kettle>['status']>().toEqualTypeOf<
      | {
          readonly replicas?: number | undefined;
          readonly selector?: string | undefined;
          readonly word?: string | undefined;
        }
      | undefined
    >();
  });

  it('parses a spec: defaults come in, unknown fields go, free-form parts stay', () => {
    expect(kettle.spec.parse({ litres: 2, colour: 'red', free: { any: ['thing'] } })).toEqual({
      ok: true,
      value: { litres: 2, replicas: 1, free: { any: ['thing'] } },
    });
    expect(kettle.status.parse({ replicas: 'x' })).toMatchObject({ ok: false, errors: [{ path: 'status.replicas' }] });
  });
});

describe('validate', () => {
  it('refuses a text that cannot even be measured', () => {
    expect(problems({ litres: 1, name: { length: { toString: 0 } } })).toEqual([
      'spec: Invalid value: a text or list in it is something else',
    ]);
  });

  it.each<[unknown, string[]]>([
    [{ litres: 2 }, []],
    [{}, ['spec.litres: Required value']],
    [undefined, ['spec: Required value']],
    [null, ['spec: Invalid value: null: must be of type object']],
    [{ litres: 0 }, ['spec.litres: Invalid value: 0: must be at least 1']],
    [{ litres: 9 }, ['spec.litres: Invalid value: 9: must be at most 5']],
    [{ litres: 'two' }, ['spec.litres: Invalid value: "two": must be of type integer']],
    [{ litres: 1.5 }, ['spec.litres: Invalid value: 1.5: must be of type integer']],
    [{ litres: 1, lid: 'ajar' }, ['spec.lid: Unsupported value: "ajar": supported values: "open", "shut"']],
    [{ litres: 1, name: 'a' }, ['spec.name: Invalid value: "a": must have a length of at least 2']],
    [{ litres: 1, name: 'bcd' }, ['spec.name: Invalid value: "bcd": must match /^a/']],
    [
      { litres: 1, cups: [{ name: 'a' }, { name: 'b' }] },
      ['spec.cups: Invalid value: list: must have a number of items of at most 1'],
    ],
    [{ litres: 1, cups: [{ name: 1 }] }, ['spec.cups[0].name: Invalid value: 1: must be of type string']],
    [{ litres: 1, labels: { 'a.b/c': 1 } }, ['spec.labels[a.b/c]: Invalid value: 1: must be of type string']],
    [{ litres: 1, heat: { by: 'gas', bar: 'x' } }, ['spec.heat.bar: Invalid value: "x": must be of type number']],
    [{ litres: 1, heat: { by: 'sun' } }, ['spec.heat.by: Unsupported value: "sun": supported values: "gas", "mains"']],
    [{ litres: 1, either: true }, ['spec.either: Invalid value: true: must be of type integer or string']],
    [{ litres: 1, window: { from: 2, to: 1 } }, ['spec.window.to: Invalid value: 1: must not end before it begins']],
    [{ litres: 1, password: 'hunter2' }, ['spec.password: Invalid value: (secret): must have a length of at least 8']],
    [
      { litres: 'x', replicas: 'y' },
      [
        'spec.litres: Invalid value: "x": must be of type integer',
        'spec.replicas: Invalid value: "y": must be of type integer',
      ],
    ],
    [{ litres: 'x'.repeat(500) }, [`spec.litres: Invalid value: "${'x'.repeat(79)}…: must be of type integer`]],
  ])('%j', (spec, expected) => {
    expect(problems(spec)).toEqual(expected);
  });

  it('gives path, value and Kubernetes’ reason of each error, but no value of a secret', () => {
    expect(
      kettle.validate({
        apiVersion: 'toy.cutover.dev/v1',
        kind: 'Kettle',
        spec: { litres: 0, lid: 'x', password: '1' },
      }),
    ).toEqual([
      { path: 'spec.litres', value: 0, reason: 'FieldValueInvalid', message: 'Invalid value: 0: must be at least 1' },
      { path: 'spec.lid', value: 'x', reason: 'FieldValueNotSupported', message: expect.any(String) },
      { path: 'spec.password', reason: 'FieldValueInvalid', message: expect.any(String) },
    ]);
  });

  it('refuses another kind and what is no object', () => {
    expect(kettle.validate({ apiVersion: 'v1', kind: 'Kettle' }).map(fieldErrorText)).toEqual([
      'apiVersion: Unsupported value: "v1": supported values: "toy.cutover.dev/v1"',
    ]);
    expect(kettle.validate({ apiVersion: 'toy.cutover.dev/v1' }).map(fieldErrorText)).toEqual([
      'kind: Required value: one of "Kettle"',
    ]);
    expect(kettle.validate('kettle')).toHaveLength(1);
  });

  it('answers for any input, and pollutes nothing', () => {
    const hostile = JSON.parse(
      '{"__proto__": {"polluted": 1}, "labels": {"__proto__": "x"}, "free": {"__proto__": {"polluted": 1}}, "litres": 1}',
    );
    expect(problems(hostile)).toEqual([]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    fc.assert(fc.property(fc.jsonValue(), (spec) => void problems(spec)));
    fc.assert(
      fc.property(
        fc.record(Object.fromEntries(Object.keys(definition.spec.shape).map((name) => [name, fc.jsonValue()])), {
          requiredKeys: [],
        }),
        (spec) => void problems(spec),
      ),
    );
  });
});

describe('a definition is refused', () => {
  it.each<[Partial<KindDefinition<z.ZodType, z.ZodType>>, string]>([
    [{ group: 'toys' }, 'Kettle: group "toys" is not a valid name'],
    [{ version: '1' }, 'Kettle: version "1" is not a valid name'],
    [{ kind: 'kettle' }, 'kettle: kind "kettle" is not a valid name'],
    [{ plural: 'Kettles' }, 'Kettle: plural "Kettles" is not a valid name'],
    [{ shortNames: ['k t'] }, 'Kettle: shortName "k t" is not a valid name'],
    [
      { spec: z.object({ pair: z.tuple([z.int()]) }) },
      'Kettle.spec.pair: a structural schema cannot express zod\'s type "tuple"',
    ],
    [
      { columns: [{ name: 'Word', type: 'string', path: '.status.wrod' }] },
      'Kettle: column "Word" shows .status.wrod, which is not a field',
    ],
    [
      { columns: [{ name: 'Word', type: 'integer', path: '.status.word' }] },
      'Kettle: column "Word" is of type integer, but .status.word is of type string',
    ],
    [
      { scale: { spec: '.spec.lid', status: '.status.replicas' } },
      'Kettle: scale needs a field of type integer under .spec, not .spec.lid',
    ],
    [
      { scale: { spec: '.spec.replicas', status: '.spec.replicas' } },
      'Kettle: scale needs a field of type integer under .status, not .spec.replicas',
    ],
    [
      { scale: { spec: '.spec.replicas', status: '.status.replicas', selector: '.status.none' } },
      'Kettle: scale needs a field of type string under .status, not .status.none',
    ],
  ])('%#: %o', (change, message) => {
    expect(() => defineKind({ ...definition, ...change })).toThrow(message);
  });

  it('but not for columns that lead into metadata, filters or free-form parts', () => {
    const path = (path: string) => ({ name: path, type: 'string', path }) as const;
    const columns = [
      path('.metadata.name'),
      path('.status.conditions[?(@.type=="Ready")].status'),
      path('.spec.free.a.b'),
      path('.spec.labels.app'),
    ];
    expect(() => defineKind({ ...definition, columns })).not.toThrow();
  });
});
