import { describe, expect, it } from 'vitest';
import type { Schema } from './schema.ts';
import { validate } from './validate.ts';

// What kube-apiserver says to each kind of fault stands in ../crd/served.test.ts; here is what updates forgive.

const lines = (schema: Schema, object: unknown, before?: unknown): string[] =>
  validate(schema, object, before).map(({ field, message }) => `${field}: ${message}`);

describe('an update', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      size: { type: 'integer', maximum: 5 },
      name: { type: 'string', maxLength: 3 },
      list: { type: 'array', items: { type: 'string', maxLength: 3 } },
      map: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'string', maxLength: 3 } } },
      },
      set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    },
  };

  it('is not blocked by what was already wrong', () => {
    expect(lines(schema, { size: 9, name: 'ab' }, { size: 9, name: 'a' })).toEqual([]);
    expect(lines(schema, { size: 8 }, { size: 9 })).toEqual([
      'size: Invalid value: 8: size in body should be less than or equal to 5',
    ]);
  });

  it('compares items of a map by key, of other lists not at all', () => {
    const long = { k: 'a', v: 'long' };
    expect(lines(schema, { map: [{ k: 'b', v: 'ok' }, long] }, { map: [long] })).toEqual([]);
    expect(lines(schema, { list: ['long', 'x'] }, { list: ['long'] })).toEqual([
      'list[0]: Too long: may not be more than 3 bytes',
    ]);
    expect(lines(schema, { list: ['long'] }, { list: ['long'] })).toEqual([]);
  });

  it('may keep duplicates, not bring them', () => {
    expect(lines(schema, { set: ['a', 'a'] }, { set: ['a', 'a'] })).toEqual([]);
    expect(lines(schema, { set: ['a', 'a'] }, { set: ['a'] })).toEqual(['set[1]: Duplicate value: "a"']);
  });

  it('runs rules about the change although the value is wrong as before', () => {
    const ruled: Schema = {
      type: 'object',
      properties: {
        n: {
          type: 'integer',
          'x-kubernetes-validations': [{ rule: 'self < 5' }, { rule: 'self >= oldSelf', message: 'may only grow' }],
        },
        other: { type: 'string' },
      },
    };
    expect(lines(ruled, { n: 9 })).toEqual(['n: Invalid value: 9: failed rule: self < 5']);
    expect(lines(ruled, { n: 9, other: 'x' }, { n: 9 })).toEqual([]);
    expect(lines(ruled, { n: 8 }, { n: 9 })).toEqual([
      'n: Invalid value: 8: failed rule: self < 5',
      'n: Invalid value: 8: may only grow',
    ]);
  });
});

it('takes a field that is undefined as not there', () => {
  const schema: Schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
  expect(lines(schema, { a: undefined })).toEqual(['a: Required value']);
});

it('answers a rule that cannot be evaluated with an error, not an exception', () => {
  const schema: Schema = {
    type: 'object',
    properties: { any: { 'x-kubernetes-int-or-string': true } },
    'x-kubernetes-validations': [{ rule: 'self.any > 5' }],
  };
  expect(lines(schema, { any: 'x' })[0]).toMatch(/^<nil>: Invalid value: "object": .*evaluating rule: self.any > 5$/);
});
