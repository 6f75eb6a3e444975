import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contains } from './contains.ts';

describe('contains', () => {
  it.each([
    ['a field that others added', { a: 1, b: 2 }, { a: 1 }, true],
    ['a field that is missing', { b: 2 }, { a: 1 }, false],
    ['a field that was changed', { a: 2 }, { a: 1 }, false],
    ['a nested change', { a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }, false],
    [
      'an injected sidecar',
      { c: [{ name: 'x', i: 1, more: 1 }, { name: 'sidecar' }] },
      { c: [{ name: 'x', i: 1 }] },
      true,
    ],
    [
      'named items in another order',
      { c: [{ name: 'y' }, { name: 'x' }] },
      { c: [{ name: 'x' }, { name: 'y' }] },
      true,
    ],
    ['a named item that was removed', { c: [{ name: 'y' }] }, { c: [{ name: 'x' }, { name: 'y' }] }, false],
    ['an argument that was added', { args: ['a', 'x', 'b'] }, { args: ['a', 'b'] }, false],
    ['arguments in another order', { args: ['b', 'a'] }, { args: ['a', 'b'] }, false],
    ['an empty list that the server dropped', {}, { a: [], b: {} }, true],
    ['a list that should be empty', { a: [1] }, { a: [] }, false],
    ['a null wish', {}, { a: null }, true],
    ['a null wish that is not met', { a: 1 }, { a: null }, false],
    ['a list instead of an object', { a: [] }, { a: { b: 1 } }, false],
    ['an inherited property', {}, { constructor: Object }, false],
  ])('%s', (_what, live, wanted, answer) => {
    expect(contains(live, wanted)).toBe(answer);
  });

  it('holds for every value and itself', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => contains(value, structuredClone(value))));
  });
});
