import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextMatch, parseQuartz } from '../../src/flink/decide/snapshots/quartz.ts';
import { cases, ending } from './fuzz.ts';
import { hostileText, longText, mutated } from './hostile.ts';

const words = [
  '*',
  '?',
  'L',
  'W',
  'LW',
  'L-3',
  '15W',
  '6L',
  '6#3',
  '/',
  '-',
  ',',
  '#',
  '0',
  '59',
  '60',
  '1970',
  '2099',
  'MON',
  'JAN',
  ' ',
];
const field = fc.oneof(
  fc.constantFrom(
    '*',
    '?',
    '0',
    '*/7',
    '1-5',
    '5-1',
    'L',
    'L-3',
    'LW',
    '15W',
    '31W',
    '2#5',
    'MON-FRI',
    'FRIL',
    'FEB',
    '30',
    '31',
    '2099',
  ),
  hostileText(words, 3).map((text) => text.replaceAll(/\s/g, '')),
);
const made = fc.array(field, { minLength: 6, maxLength: 7 }).map((fields) => fields.join(' '));
/** Expressions that are right in shape, and may ask for days that never come. */
const likely = fc
  .tuple(
    fc.constantFrom('0', '*/20', '59'),
    fc.constantFrom('0', '5/13', '*'),
    fc.constantFrom('0', '23-2', '*'),
    fc.oneof(
      fc.tuple(
        fc.constantFrom('1', '30', '31', 'L', 'L-27', 'LW', '31W', '1W', '*'),
        fc.constantFrom('*', 'FEB', '2', 'NOV-JAN'),
        fc.constant('?'),
      ),
      fc.tuple(
        fc.constant('?'),
        fc.constantFrom('*', 'FEB', '2'),
        fc.constantFrom('*', 'L', '6L', '2#5', 'SAT-MON', '7'),
      ),
    ),
    fc.constantFrom('', ' *', ' 2099', ' 1970', ' 2028/4'),
  )
  .map(([second, minute, hour, days, year]) => `${second} ${minute} ${hour} ${days.join(' ')}${year}`);

const instants = fc.integer({ min: Date.UTC(1999, 0), max: Date.UTC(2099, 11) });

it('an expression is understood or refused in words, and its next match lies ahead', () => {
  fc.assert(
    fc.property(
      fc.oneof(made, likely, mutated(['0 0 3 * * ?', '0 15 10 ? * 6L 2030'], words)),
      instants,
      (text, instant) => {
        const read = parseQuartz(text);
        if ('problem' in read) {
          expect(read.problem.length).toBeLessThan(text.length + 500);
          return;
        }
        const next = ending(() => nextMatch(read, instant));
        if (next === undefined) return;
        expect(next).toBeGreaterThan(instant);
        expect(next % 1000).toBe(0);
        // Nothing lies between: from just before it, the same one is found.
        expect(nextMatch(read, next - 1)).toBe(next);
      },
    ),
    cases(300),
  );
});

it('an expression of any length is answered', () => {
  fc.assert(
    fc.property(longText(words), ({ text }) => {
      ending(() => parseQuartz(text));
    }),
    cases(40),
  );
});
