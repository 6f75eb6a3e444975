import fc from 'fast-check';
import { expect, describe as group, it } from 'vitest';
import { demands } from '../schema/demand.ts';
import { type Change, strongest } from './change.ts';
import { describe } from './describe.ts';

const change = (from: Change['from'], to: Change['to'], path = 'spec.x'): Change => ({
  path,
  from,
  to,
  demands: 'scale',
});

group('describe', () => {
  it.each<[Change['from'], Change['to'], string]>([
    [2, 4, '2 → 4'],
    [undefined, 1, '(none) → 1'],
    ['a', 'b c', 'a → "b c"'],
    ['4', 4, '"4" → 4'],
    ['true', true, '"true" → true'],
    ['', 'null', '"" → "null"'],
    ['registry:5000/lamp@sha256:abc', 'Δ', 'registry:5000/lamp@sha256:abc → Δ'],
    [{ b: [1, 'x'], a: null }, [], '{a: null, b: [1, x]} → []'],
    ['x'.repeat(100), 1, `${'x'.repeat(59)}… → 1`],
    ['one\ntwo', '\u001b[31mred\u202e', '"one\\ntwo" → "\\u001b[31mred\\u{202e}"'],
  ])('writes %j → %j', (from, to, expected) => {
    expect(describe([change(from, to)])).toBe(`spec.x: ${expected} (scale)`);
  });

  it('writes demands as words', () => {
    expect(describe([{ ...change(1, 2), demands: 'redeploy-from-savepoint' }])).toBe(
      'spec.x: 1 → 2 (redeploy from savepoint)',
    );
  });

  it('counts what it does not list', () => {
    expect(describe([change(1, 2), change(1, 2), change(1, 2)], { atMost: 1 })).toBe(
      'spec.x: 1 → 2 (scale)\n… and 2 more',
    );
    expect(describe([])).toBe('');
  });

  it('writes one short line of printable text for any change', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string({ unit: 'binary' }), (from, to, path) => {
        const text = describe([change(from as Change['from'], to as Change['to'], path)]);
        expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(text.length).toBeLessThan(2000);
      }),
    );
  });
});

group('strongest', () => {
  it('is the greatest by the order of the scale, whatever the order of the changes', () => {
    const list = fc.array(fc.constantFrom(...demands));
    fc.assert(
      fc.property(list, (some) => {
        const expected = demands.findLast((demand) => some.includes(demand)) ?? 'nothing';
        expect(strongest(some.map((demand) => ({ demands: demand })))).toBe(expected);
      }),
    );
  });

  it('orders the scale from nothing to the loss of state', () => {
    expect(demands).toEqual([
      'nothing',
      'patch',
      'scale',
      'restart',
      'upgrade',
      'redeploy-from-savepoint',
      'redeploy-without-state',
    ]);
  });
});
