import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { sealer, unseal } from './sealed.ts';

const seal = sealer();

it('shows a fingerprint however it is printed, and the value only when opened', () => {
  const sealed = seal('hunter2');
  const shown = [`${sealed}`, String(sealed), JSON.stringify({ sealed }), inspect({ deep: [sealed] })];
  for (const text of shown) {
    expect(text).not.toContain('hunter2');
    expect(text).toMatch(/sealed:[\w-]{16}/);
  }
  expect(Object.values(sealed)).not.toContain('hunter2');
  expect(sealed.open()).toBe('hunter2');
});

it('is opened in place, wherever it is nested, and leaves everything else the very same', () => {
  const plain = { keep: [1, { two: 2 }] };
  const value = { plain, list: [seal('a'), 'b'], map: { c: seal('c') } };
  expect(unseal(value)).toEqual({ plain, list: ['a', 'b'], map: { c: 'c' } });
  expect(unseal(value).plain).toBe(plain);
  expect(unseal(plain)).toBe(plain);
});
