import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decode,
  difference,
  emptySet,
  encode,
  type FieldSet,
  intersection,
  isEmpty,
  paths,
  union,
  without,
} from './field-set.ts';

const step = fc.oneof(
  fc.stringMatching(/^[a-z]{1,2}$/).map((name) => `f:${name}`),
  fc.constantFrom('k:{"name":"a"}', 'k:{"port":80,"protocol":"TCP"}', 'v:"x"', 'v:1', 'i:0'),
);

/** Sets as the API server writes them: a step leads to `{}`, or to more steps with or without itself. */
const sets = fc.letrec<{ set: FieldSet; node: FieldSet }>((tie) => ({
  set: fc.dictionary(step, tie('node'), { maxKeys: 4, noNullPrototype: true }),
  node: fc.oneof(
    { depthSize: 'small' },
    fc.constant(emptySet),
    fc
      .tuple(fc.boolean(), fc.dictionary(step, tie('node'), { minKeys: 1, maxKeys: 3, noNullPrototype: true }))
      .map(([member, children]) => (member ? { '.': {}, ...children } : children)),
  ),
})).set;

describe('a field set', () => {
  it('survives being written and read', () => {
    fc.assert(
      fc.property(sets, (set) => {
        expect(decode(JSON.parse(JSON.stringify(encode(set))))).toEqual(set);
      }),
    );
  });

  it('obeys the laws of sets', () => {
    fc.assert(
      fc.property(sets, sets, sets, (a, b, c) => {
        expect(union(a, b)).toEqual(union(b, a));
        expect(union(a, union(b, c))).toEqual(union(union(a, b), c));
        expect(intersection(a, b)).toEqual(intersection(b, a));
        expect(union(a, a)).toEqual(a);
        expect(intersection(a, a)).toEqual(a);
        expect(isEmpty(difference(a, a))).toBe(true);
        expect(union(difference(a, b), intersection(a, b))).toEqual(a);
        expect(isEmpty(intersection(difference(a, b), b))).toBe(true);
        expect(paths(union(a, b)).sort()).toEqual([...new Set([...paths(a), ...paths(b)])].sort());
      }),
    );
  });

  it('keeps nothing below what is taken away as a whole', () => {
    const set = { 'f:status': { '.': {}, 'f:a': { 'f:b': {} } }, 'f:spec': { 'f:x': {} } };
    expect(without(set, { 'f:status': {} })).toEqual({ 'f:spec': { 'f:x': {} } });
    expect(without(set, { 'f:status': { 'f:a': {} } })).toEqual({ 'f:status': {}, 'f:spec': { 'f:x': {} } });
  });

  it('writes paths as conflict messages do', () => {
    const set: FieldSet = {
      'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {} } } },
      'f:metadata': { 'f:finalizers': { 'v:"a/b"': {} } },
      'f:ports': { 'k:{"port":80,"protocol":"TCP"}': {} },
    };
    expect(paths(set)).toEqual([
      '.metadata.finalizers[="a/b"]',
      '.ports[port=80,protocol="TCP"]',
      '.spec.containers[name="web"]',
      '.spec.containers[name="web"].image',
    ]);
  });

  it('reads keys in any order as the same', () => {
    const [a, b] = ['{"protocol":"TCP","port":80}', '{"port":80,"protocol":"TCP"}'].map((key) =>
      decode({ [`k:${key}`]: {} }),
    );
    expect(a).toEqual(b);
  });

  it.each([[[]], ['x'], [{ x: {} }], [{ 'f:a': 1 }], [{ 'k:{': {} }], [{ 'k:1': {} }], [{ 'i:x': {} }]])(
    'refuses %j',
    (fields) => {
      expect(decode(fields)).toBeUndefined();
    },
  );

  it('leaves out steps of a kind it does not know', () => {
    expect(decode({ 'z:new': {}, 'f:a': {} })).toEqual({ 'f:a': {} });
  });
});
