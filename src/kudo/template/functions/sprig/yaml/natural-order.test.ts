import { describe, expect, it } from 'vitest';
import { naturalOrder } from './natural-order.ts';

describe('the order of keys in yaml.v2', () => {
  it.each([
    ['numbers by their value', 'a9', 'a10'],
    ['also with zeros in them', 'a11', 'a100'],
    ['and when the zero comes second', 'a20', 'a100'],
    ['and with more behind them', 'a2b', 'a10b'],
    ['and after a point', 'a1.9', 'a1.10'],
    ['what begins alike by its length', 'a1', 'a1b'],
    ['the shorter first', 'a', 'a0'],
    ['and fewer zeros', 'a0', 'a00'],
    ['zeros in front do not count', 'a000', 'a01'],
    ['but are longer', 'a1', 'a01'],
    ['digits before letters', '1', 'a'],
    ['other signs before letters', '_a', 'a'],
    ['also inside', 'a-b', 'ab'],
    ['a longer number before a letter', '10', '1a'],
    ['a letter ends a number', 'x9y', 'x10'],
    ['letters by their code', 'A', 'a'],
    ['also beyond ASCII', 'z', 'é'],
    ['digits of other scripts by their distance from zero', 'a4', 'a٣'],
    ['the next number decides', 'a10b', 'a11a'],
  ])('%s: %s before %s', (_rule, first, second) => {
    expect(naturalOrder(first, second)).toBe(-1);
    expect(naturalOrder(second, first)).toBe(1);
  });
});
