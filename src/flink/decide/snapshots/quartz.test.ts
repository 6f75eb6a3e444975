import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextMatch, parseQuartz } from './quartz.ts';

/** The next `count` matches after the start of 2024-02-20 (a Tuesday). */
function matches(text: string, count = 3, from = '2024-02-20T00:00:00Z'): readonly string[] {
  const parsed = parseQuartz(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const found: string[] = [];
  let at: number | undefined = Date.parse(from);
  while (found.length < count) {
    at = nextMatch(parsed, at);
    if (at === undefined) break;
    found.push(new Date(at).toISOString().slice(0, 19));
  }
  return found;
}

const problem = (text: string): string => {
  const parsed = parseQuartz(text);
  return 'problem' in parsed ? parsed.problem : `understood as ${parsed.pattern}`;
};

describe('a Quartz expression', () => {
  it.each([
    ['0 0 12 * * ?', ['2024-02-20T12:00:00', '2024-02-21T12:00:00', '2024-02-22T12:00:00']],
    ['0 0/20 * * * ?', ['2024-02-20T00:20:00', '2024-02-20T00:40:00', '2024-02-20T01:00:00']],
    ['0 /20 * * * ?', ['2024-02-20T00:20:00', '2024-02-20T00:40:00', '2024-02-20T01:00:00']],
    ['30 10-14/2 3 * * ?', ['2024-02-20T03:10:30', '2024-02-20T03:12:30', '2024-02-20T03:14:30']],
    ['0 0 22-1 * * ?', ['2024-02-20T01:00:00', '2024-02-20T22:00:00', '2024-02-20T23:00:00']],
    ['0 15 10 ? * MON-FRI', ['2024-02-20T10:15:00', '2024-02-21T10:15:00', '2024-02-22T10:15:00']],
    ['0 15 10 ? * FRI-MON', ['2024-02-23T10:15:00', '2024-02-24T10:15:00', '2024-02-25T10:15:00']],
    ['0 0 0 ? * 1', ['2024-02-25T00:00:00', '2024-03-03T00:00:00', '2024-03-10T00:00:00']],
    ['0 0 0 ? * L', ['2024-02-24T00:00:00', '2024-03-02T00:00:00', '2024-03-09T00:00:00']],
    ['0 0 0 ? * 6L', ['2024-02-23T00:00:00', '2024-03-29T00:00:00', '2024-04-26T00:00:00']],
    ['0 0 0 ? * FRI#3', ['2024-03-15T00:00:00', '2024-04-19T00:00:00', '2024-05-17T00:00:00']],
    ['0 0 0 L * ?', ['2024-02-29T00:00:00', '2024-03-31T00:00:00', '2024-04-30T00:00:00']],
    ['0 0 0 L-3 * ?', ['2024-02-26T00:00:00', '2024-03-28T00:00:00', '2024-04-27T00:00:00']],
    ['0 0 0 LW * ?', ['2024-02-29T00:00:00', '2024-03-29T00:00:00', '2024-04-30T00:00:00']],
    ['0 0 0 15W JUN-JUL ?', ['2024-06-14T00:00:00', '2024-07-15T00:00:00', '2025-06-16T00:00:00']],
    ['0 0 0 1 1 ? 2026-2027', ['2026-01-01T00:00:00', '2027-01-01T00:00:00']],
    ['0 0 0 1 1 ? 2020', []],
  ])('%s', (text, expected) => {
    expect(matches(text)).toEqual(expected);
  });

  it.each([
    ['0 0 12 * *', /6 or 7 fields/],
    ['0 0 12 * * ? * *', /6 or 7 fields/],
    ['0 0 12 * * *', /exactly one .* must be "\?"/],
    ['0 0 12 ? * ?', /exactly one/],
    ['60 0 12 * * ?', /seconds "60": not a number from 0 to 59/],
    ['0 0/0 12 * * ?', /minutes "0\/0": what follows "\/"/],
    ['0 0 12 1,L * ?', /day-of-month "1,L": .* stand alone/],
    ['0 0 12 L-30 * ?', /at most L-27/],
    ['0 0 12 32W * ?', /1 to 31/],
    ['0 0 12 ? FOO MON', /month "FOO": .* or one of JAN/],
    ['0 0 12 ? * MON#6', /1 to 5/],
    ['0 0 12 ? * 8L', /none of 1 \(SUN\) to 7 \(SAT\)/],
    ['0 0 12 ? * 0', /day-of-week "0"/],
    ['0 0 12 ? * MON#1,TUE', /"#" stands alone/],
    ['0 0 0 1 1 ? 2030-2020', /must not be after/],
    ['0 1-2-3 0 1 1 ?', /only one "-"/],
    [`0 ${'1,'.repeat(600)}1 0 1 1 ?`, /longer than/],
  ])('refuses %s', (text, expected) => {
    expect(problem(text)).toMatch(expected);
  });

  it('is understood or refused, never thrown at, and then has matches in the future only', () => {
    const element = fc.oneof(
      fc.constantFrom(
        '*',
        '?',
        'L',
        'LW',
        '15W',
        'L-2',
        '6#3',
        '6L',
        'MON',
        '*/5',
        '0/7',
        '9-3',
        '1,2',
        '59',
        '-',
        '/',
        '',
      ),
      fc.string({ maxLength: 5 }),
    );
    const expression = fc.array(element, { minLength: 5, maxLength: 8 }).map((fields) => fields.join(' '));
    fc.assert(
      fc.property(expression, fc.integer({ min: 0, max: 4e12 }), (text, instant) => {
        const parsed = parseQuartz(text);
        if ('problem' in parsed) return parsed.problem.length > 0;
        const next = nextMatch(parsed, instant);
        return next === undefined || next > instant;
      }),
      { numRuns: 200 },
    );
  });
});
