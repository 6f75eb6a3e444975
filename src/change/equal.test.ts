import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equal, isAbsent } from './equal.ts';

describe('equal', () => {
  it.each([
    [1, 1, true],
    [0, -0, true],
    [1, '1', false],
    [null, undefined, false],
    [[], {}, false],
    [{ length: 0 }, [], false],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: undefined }, {}, true],
    [{ a: null }, {}, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 1 }] } }, true],
    [{ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 2 }] } }, false],
    [JSON.parse('{"__proto__": 1}'), {}, false],
    [{ constructor: Object }, {}, false],
  ])('%j and %j: %s', (left, right, expected) => {
    expect(equal(left, right)).toBe(expected);
    expect(equal(right, left)).toBe(expected);
  });

  it('can take null for absent', () => {
    expect(equal({ a: null, b: [{ c: null }] }, { b: [{}] }, isAbsent)).toBe(true);
    expect(equal([null], [], isAbsent)).toBe(false);
  });

  it('agrees with sorted JSON text', () => {
    const sorted = (_: string, value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (left, right) => {
        expect(equal(left, structuredClone(left))).toBe(true);
        expect(equal(left, right)).toBe(JSON.stringify(left, sorted) === JSON.stringify(right, sorted));
      }),
    );
  });
});
