import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameQuantity } from '../../change/quantity.ts';
import { canonicalQuantity, quantityAmount } from './quantity.ts';

describe('the form of the API server', () => {
  it.each([
    ['0.5', '500m'],
    ['1.0', '1'],
    ['1000m', '1'],
    ['1.333', '1333m'],
    ['1024Mi', '1Gi'],
    ['1200Mi', '1200Mi'],
    ['1.5Gi', '1536Mi'],
    ['2147483648', '2147483648'],
    ['2G', '2G'],
    ['2000M', '2G'],
    ['0.5Ki', '512'],
    ['0', '0'],
    ['1e3', '1e3'],
    ['5e4', '50e3'],
    ['12E0', '12'],
    ['-0.5', '-500m'],
    [2, '2'],
    ['1n', '1n'],
  ])('of %s is %s', (written, canonical) => expect(canonicalQuantity(written)).toBe(canonical));

  it.each(['', 'abc', '1 Gi', '.', '1e999', 'Mi', null, undefined, {}])('leaves %j to the server', (written) =>
    expect(canonicalQuantity(written)).toBe(written),
  );

  it('is the same amount, and its own form', () => {
    const suffix = fc.constantFrom('', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'E2');
    const number = fc.tuple(fc.nat(100_000), fc.nat(999)).map(([whole, part]) => `${whole}.${part}`);
    fc.assert(
      fc.property(number, suffix, (amount, unit) => {
        const canonical = canonicalQuantity(amount + unit);
        expect(canonicalQuantity(canonical)).toBe(canonical);
        if (unit !== 'Ki' && unit !== 'Mi' && unit !== 'Gi' && unit !== 'm') {
          expect(sameQuantity(canonical, amount + unit)).toBe(true);
        }
        expect(quantityAmount(canonical)).toBeCloseTo(quantityAmount(amount + unit) ?? Number.NaN, 5);
      }),
    );
  });
});
