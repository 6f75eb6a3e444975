import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digest } from './digest.ts';
import { sealer } from './sealed.ts';

it('does not depend on the order of keys, at any depth', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, item]) => [key, reversed(item)]),
    );
  };
  fc.assert(fc.property(fc.jsonValue(), (value) => digest(reversed(value)) === digest(value)));
});

it('differs when a value, a key or the order of a list differs', () => {
  const all = [{ a: 1 }, { a: '1' }, { b: 1 }, { a: [1, 2] }, { a: [2, 1] }, { a: { b: 1 } }, [], {}, null, ''];
  expect(new Set(all.map(digest)).size).toBe(all.length);
});

it('leaves out what JSON leaves out, and counts a key named __proto__', () => {
  expect(digest({ a: 1, b: undefined })).toBe(digest({ a: 1 }));
  expect(digest(JSON.parse('{"z":1,"__proto__":{"x":1}}'))).not.toBe(digest({ z: 1 }));
});

it('counts sealed values by their fingerprint', () => {
  const seal = sealer();
  expect(digest({ password: seal('a') })).toBe(digest({ password: seal('a') }));
  expect(digest({ password: seal('a') })).not.toBe(digest({ password: seal('b') }));
  expect(digest({ password: sealer()('a') })).not.toBe(digest({ password: seal('a') }));
});
