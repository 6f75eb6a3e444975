import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../kube/object.ts';
import { checkValues } from './check-values.ts';

const schema: Json = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', pattern: '^[a-z]+$', description: 'small letters' },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    cpu: { type: ['string', 'number'] },
    level: { type: 'string', enum: ['', 'debug', 'info'] },
    families: {
      type: 'object',
      additionalProperties: false,
      properties: { flink: { type: 'boolean' }, kudo: { type: 'boolean' } },
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    places: { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 1 } },
    free: { type: 'object' },
  },
};

const problems = (values: JsonObject): readonly string[] => checkValues(schema, { name: 'a', ...values });

describe('values', () => {
  it('are fine as the schema has them, free where it says nothing', () => {
    const values = { count: 9, cpu: 1.5, level: '', families: { kudo: true }, labels: { a: 'b' }, places: ['x', 'y'] };
    expect(problems({ ...values, free: { any: [{ thing: null }] } })).toEqual([]);
  });

  it.each<[JsonObject, string]>([
    [{ famlies: {} }, 'famlies: there is no such value. Did you mean "families"?'],
    [{ families: { flnk: true } }, 'families.flnk: there is no such value. Did you mean "flink"?'],
    [{ families: { spark: true } }, 'families.spark: there is no such value. Known here: flink, kudo.'],
    [{ families: { flink: 'yes' } }, 'families.flink: "yes" is a text; write true or false'],
    [{ families: true }, 'families: true is a yes or no; write a map'],
    [{ families: null }, 'families: null is nothing; write a map'],
    [{ count: 0 }, 'count: 0 is too little; write 1 or more'],
    [{ count: 10 }, 'count: 10 is too much; write 9 or less'],
    [{ count: 1.5 }, 'count: 1.5 is a number; write a whole number'],
    [{ cpu: [] }, 'cpu: [] is a list; write a text or a number'],
    [{ level: 'debg' }, 'level: "debg" is none of nothing, debug, info. Did you mean "debug"?'],
    [{ name: 'A!' }, 'name: "A!" cannot be used: small letters'],
    [{ labels: { a: 1 } }, 'labels.a: 1 is a number; write a text'],
    [{ places: ['x', 'y', 'x'] }, 'places: "x" is there twice; once is enough'],
    [{ places: [''] }, 'places[0]: it is empty'],
    [JSON.parse('{"__proto__": 1}'), '__proto__: there is no such value.'],
  ])('%j: the path, what is there, and what to write', (values, message) => {
    const [found = '', ...more] = problems(values);
    expect(found.startsWith(message)).toBe(true);
    expect(more).toEqual([]);
  });

  it('tells every mistake, and what is missing', () => {
    expect(checkValues(schema, { count: 0, other: 1 })).toHaveLength(3);
    expect(checkValues(schema, {})).toEqual(['name: it is missing, and nothing works without it']);
  });

  it('quotes no more than a line of what is wrong', () => {
    expect(problems({ count: 'x'.repeat(1000) })[0]?.length).toBeLessThan(120);
  });
});
