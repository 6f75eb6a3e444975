import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameQuantity } from '../../src/change/quantity.ts';
import { answer, cases, ending } from './fuzz.ts';
import { hostileJson, hostileText, longText, mutated } from './hostile.ts';

class Never extends Error {}

const words = [
  '1',
  '0',
  '.',
  '5',
  '1000',
  'm',
  'k',
  'Ki',
  'Mi',
  'Gi',
  'E',
  'Ei',
  'e3',
  'e-3',
  'e100',
  'n',
  'u',
  '+',
  '-',
];
const quantity = fc.oneof(hostileText(words, 4), mutated(['1.5Gi', '100m', '1e3', '-5'], words));

describe('quantities of Kubernetes', () => {
  it('are compared or are none, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.oneof(quantity, hostileJson(words, 2), fc.double()),
        fc.oneof(quantity, hostileJson(words, 2)),
        (a, b) => {
          const [ab, ba] = [answer(() => sameQuantity(a, b), Never), answer(() => sameQuantity(b, a), Never)];
          expect(ab).toEqual(ba);
        },
      ),
      cases(1500),
    );
  });

  it('are the same in every spelling, and only then', () => {
    const spelled = (thousandths: bigint): readonly string[] => [
      `${thousandths}m`,
      `${thousandths}e-3`,
      `${thousandths * 1000n}u`,
      `${thousandths / 1000n}.${String(thousandths % 1000n).padStart(3, '0')}`,
      `+${thousandths}000u`,
    ];
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.bigInt({ min: 1n, max: 10n ** 18n }), (amount, more) => {
        for (const one of spelled(amount)) {
          for (const other of spelled(amount)) expect(sameQuantity(one, other)).toBe(true);
          for (const other of spelled(amount + more)) expect(sameQuantity(one, other)).toBe(false);
        }
        expect(sameQuantity(`${amount}Gi`, `${amount * 1024n}Mi`)).toBe(true);
      }),
      cases(200),
    );
  });

  it('are read to their end, however long they are', () => {
    fc.assert(
      fc.property(longText(words), ({ text }) => {
        expect(ending(() => sameQuantity(text, text))).toBe(false);
      }),
      cases(40),
    );
  });
});
