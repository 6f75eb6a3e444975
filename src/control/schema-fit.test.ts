import { describe, expect, it } from 'vitest';
import { type FieldTree, prunedFields } from './schema-fit.ts';

const leaf: FieldTree = {};
const map = (values: FieldTree | true): FieldTree => ({ additionalProperties: values });
const object = (properties: Record<string, FieldTree>): FieldTree => ({ properties });
const anything: FieldTree = { 'x-kubernetes-preserve-unknown-fields': true };

describe('the fields that an installed definition would drop', () => {
  it.each<[string, FieldTree, FieldTree, string[]]>([
    ['the same', object({ spec: object({ a: leaf }) }), object({ spec: object({ a: leaf }) }), []],
    ['a newer one', object({ spec: object({ a: leaf }) }), object({ spec: object({ a: leaf, b: leaf }) }), []],
    [
      'a missing leaf',
      object({ status: object({ a: leaf, b: leaf }) }),
      object({ status: object({ a: leaf }) }),
      ['status.b'],
    ],
    ['a missing branch, named once', object({ status: object({ t: object({ id: leaf }) }) }), object({}), ['status']],
    ['inside a list', object({ l: { items: object({ x: leaf }) } }), object({ l: { items: object({}) } }), ['l[].x']],
    ['inside a map', object({ m: map(object({ x: leaf })) }), object({ m: map(object({})) }), ['m.*.x']],
    ['a map that was an object', object({ m: map(leaf) }), object({ m: object({ a: leaf }) }), ['m.*']],
    ['a field that a map takes in', object({ m: object({ a: leaf }) }), object({ m: map(true) }), []],
    ['anything goes there', object({ m: object({ a: leaf }) }), object({ m: anything }), []],
    ['anything went here', object({ m: anything }), object({ m: object({ a: leaf }) }), ['m.*']],
    ['metadata is the server’s', object({ metadata: object({ name: leaf }) }), object({ metadata: leaf }), []],
    [
      'a field named like a method',
      object({ spec: object({ toString: leaf }) }),
      object({ spec: object({}) }),
      ['spec.toString'],
    ],
  ])('%s', (_what, ours, installed, lost) => {
    expect(prunedFields(ours, installed)).toEqual(lost);
  });
});
