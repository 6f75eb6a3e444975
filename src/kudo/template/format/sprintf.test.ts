import { describe, expect, it } from 'vitest';
import { LimitExceeded } from '../limits.ts';
import { GoInt, GoList, GoObject, type GoValue } from '../value.ts';
import { sprint, sprintln, text } from './sprint.ts';
import { sprintf } from './sprintf.ts';

/** The verbs of Go's fmt are tested by what Go made of them, in test/golden/kudo; here is what templates cannot write. */
const room = { charge: () => undefined };
const all = (value: GoValue): string =>
  sprintf('%v|%+v|% v|%8v|%-8v|%08v|%e|%.2f|%x|%d|%#v|%+08f|%T|%b', new Array<GoValue>(14).fill(value), room);

describe('what Go prints', () => {
  it('for numbers that are none', () => {
    expect(all(Number.POSITIVE_INFINITY)).toBe(
      '+Inf|+Inf| Inf|    +Inf|+Inf    |    +Inf|+Inf|+Inf|+Inf|%!d(float64=+Inf)|+Inf|    +Inf|float64|+Inf',
    );
    expect(all(Number.NEGATIVE_INFINITY)).toBe(
      '-Inf|-Inf|-Inf|    -Inf|-Inf    |    -Inf|-Inf|-Inf|-Inf|%!d(float64=-Inf)|-Inf|    -Inf|float64|-Inf',
    );
    expect(all(Number.NaN)).toBe(
      'NaN|NaN| NaN|     NaN|NaN     |     NaN|NaN|NaN|NaN|%!d(float64=NaN)|NaN|    +NaN|float64|NaN',
    );
  });

  it('for integers without a sign', () => {
    const most = new GoInt('uint64', 2n ** 64n - 1n);
    expect(sprintf('%d %x %v %#v %T %c %U', new Array<GoValue>(7).fill(most), room)).toBe(
      '18446744073709551615 ffffffffffffffff 18446744073709551615 0xffffffffffffffff uint64 \ufffd U+FFFFFFFFFFFFFFFF',
    );
    expect(sprintf('%#v %#v', [new GoInt('int32', -5n), new GoInt('uint8', 5n)], room)).toBe('-5 0x5');
  });

  it('for bytes inside of something', () => {
    const bytes = new GoList('[]uint8', [new GoInt('uint8', 1n)]);
    expect(sprintf('%#v %v %x %s %t', [[bytes], [bytes], [bytes], [bytes], bytes], room)).toBe(
      '[]interface {}{[]uint8{0x1}} [[1]] [01] [\u0001] [%!t(uint8=1)]',
    );
  });

  it('for text that is broken in the middle of a character', () => {
    expect(sprintf('%q %+q %#q %x', ['\ud83d', '\ud83d', '\ud83d', '\udcff'], room)).toBe(
      '"\ufffd" "\\ufffd" "\ufffd" ff',
    );
    expect(sprintf('%q %+q %#q %s', ['\udcff', '\udcff', '\udcff', 'a'], room)).toBe('"\\xff" "\\xff" "\\xff" a');
  });

  it('as text, one after the other, or in lines', () => {
    expect(text('a', room)).toBe('a');
    expect(text([null, 'a', 1.5, new Map<string, GoValue>([['k', null]])], room)).toBe('[<nil> a 1.5 map[k:<nil>]]');
    expect(sprint([1, 2, 'a', 'b', 3, null, null], room)).toBe('1 2a b3 <nil> <nil>'.replace('a b', 'ab'));
    expect(sprintln([1, 'a', 'b', null], room)).toBe('1 a b <nil>\n');
    expect(sprint([], room)).toBe('');
    expect(sprintln([], room)).toBe('\n');
  });

  it('but no addresses, which no two runs share', () => {
    const version = new GoObject({ type: '*semver.Version', text: '1.2.3' });
    for (const value of [version, [1], new GoList('[]string', ['a']), new Map<string, GoValue>()]) {
      expect(() => sprintf('%p', [value], room)).toThrow('%p prints an address in memory');
    }
    const time = new GoObject({ type: 'time.Time', text: '2006' });
    expect(sprintf('%p %p %p', [time, 'a', 1.5], room)).toBe('%!p(time.Time=2006) %!p(string=a) %!p(float64=1.5)');
  });

  it('for its price: the format, each part, and what they make together', () => {
    const priceOf = (print: (room: { charge(amount: number): void }) => string): number => {
      let sum = 0;
      print({
        charge(amount) {
          sum += amount;
        },
      });
      return sum;
    };
    expect(priceOf((small) => sprintf('abc', [], small))).toBe(3);
    expect(priceOf((small) => sprintf('%v|', [['ab', 'c']], small))).toBe(3 + 2 + 1 + 6);
    expect(priceOf((small) => sprintf('%5d', [new GoInt('int', 7n)], small))).toBe(3 + 5);
    expect(priceOf((small) => text([null], small))).toBe(5 + 7);
    expect(priceOf((small) => text(new Map<string, GoValue>([['k', 'vw']]), small))).toBe(1 + 2 + 9);
    expect(priceOf((small) => text(new GoInt('int', 7n), small))).toBe(0);
    expect(priceOf((small) => sprint(['ab', 'c'], small))).toBe(3);
  });

  it('and nothing more than may be', () => {
    let left = 20;
    const small = {
      charge(amount: number) {
        left -= amount;
        if (left < 0) throw new LimitExceeded('memory', 20);
      },
    };
    // The format itself and what comes of it.
    expect(sprintf('%14.0f', [1], small)).toBe('             1');
    expect(() => sprintf('%f', [1], small)).toThrow(LimitExceeded);
  });
});
