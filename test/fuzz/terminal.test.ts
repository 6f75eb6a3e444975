import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ageSince } from '../../src/portrait/text/age.ts';
import { countdown, duration, parseDuration } from '../../src/portrait/text/duration.ts';
import { formatted } from '../../src/portrait/text/formatted.ts';
import { harmless, harmlessText, isHarmlessText } from '../../src/portrait/text/harmless.ts';
import { nearNames } from '../../src/portrait/text/near-names.ts';
import { table } from '../../src/portrait/text/table.ts';
import { tree } from '../../src/portrait/text/tree.ts';
import { cutTo, padTo, widthOf, wrapTo } from '../../src/portrait/text/width.ts';
import { cases, ending } from './fuzz.ts';
import { hostileJson, hostileText, longText } from './hostile.ts';

const controls = [
  '\x1b[31m',
  '\x1b]0;title\x07',
  '\x9b2J',
  '\r',
  '\b',
  '\x7f',
  '\u202e',
  '\u2066',
  '\u2028',
  '\x85',
  '한',
  '👩‍👩‍👧',
  'e\u0301',
  '\u200b',
  '\ufe0f',
  '\u{e0041}',
];
const texts = hostileText(controls);
/** What no terminal and no editor may get to see of foreign text. */
const obeyed = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

describe('text for a terminal', () => {
  it('holds nothing that a terminal obeys, and says the same in quotes', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const safe = harmless(text);
        expect(safe).not.toMatch(obeyed);
        expect(harmless(safe)).toBe(safe);
        expect(harmlessText(text).replaceAll(/[\n\t]/g, '')).not.toMatch(obeyed);
        expect(isHarmlessText(text)).toBe(harmlessText(text) === text);
        const quoted = JSON.stringify(text);
        expect(JSON.parse(harmless(quoted))).toBe(text);
      }),
      cases(1000),
    );
  });

  it('keeps within its columns', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 30 }), (text, columns) => {
        const safe = harmless(text);
        expect(widthOf(cutTo(safe, columns))).toBeLessThanOrEqual(columns);
        expect(widthOf(padTo(safe, columns))).toBe(Math.max(columns, widthOf(safe)));
        const lines = wrapTo(safe, columns);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        expect(lines.join('').replaceAll(' ', '')).toBe(safe.replaceAll(' ', ''));
      }),
      cases(800),
    );
  });

  it('is a table or a tree of as many lines as it has entries', () => {
    fc.assert(
      fc.property(fc.array(fc.array(texts, { maxLength: 4 }), { maxLength: 6 }), (rows) => {
        const safe = rows.map((row) => row.map(harmless));
        expect(table(['A', 'B', 'C'], safe).split('\n')).toHaveLength(rows.length + 2);
        const branches = rows.map((row) => ({ text: row.join(''), branches: row.map((text) => ({ text })) }));
        const lines = tree('root', branches).split('\n');
        expect(lines).toHaveLength(3 + rows.length + rows.flat().length);
      }),
      cases(300),
    );
    const many = Array.from({ length: 200_000 }, (_, index) => [`row-${index}`]);
    expect(table(['NAME'], many).length).toBeGreaterThan(1_000_000);
  });

  it('is JSON and YAML that say what was meant', () => {
    fc.assert(
      fc.property(hostileJson(controls, 3), fc.constantFrom('json', 'yaml'), (value, format) => {
        const text = formatted(value, format);
        expect(text.replaceAll(/[\n\t]/g, '')).not.toMatch(obeyed);
        const back: unknown = format === 'json' ? JSON.parse(text) : parse(text, { version: '1.1', logLevel: 'error' });
        expect(JSON.stringify(back)).toBe(JSON.stringify(value));
      }),
      cases(400),
    );
  });

  it('is read to its end, however long it is', () => {
    fc.assert(
      fc.property(longText([...controls, 'a ', '1s'], 100_000), ({ text }) => {
        ending(() => [
          harmless(text),
          cutTo(text, 80),
          wrapTo(text, 80),
          parseDuration(text),
          nearNames(text, [text, 'a']),
        ]);
      }),
      cases(40),
    );
  });
});

describe('durations of the command line', () => {
  const words = ['1', '9'.repeat(9), 's', 'm', 'h', 'd', '0', '-1', '.5'];

  it('are a time that can be waited for, or none', () => {
    fc.assert(
      fc.property(hostileText(words), (text) => {
        const ms = parseDuration(text);
        if (ms === undefined) return;
        expect(ms).toSatisfy((one: number) => Number.isSafeInteger(one) && one >= 0);
        expect(() => new Date(Date.UTC(2026, 0) + ms).toISOString()).not.toThrow();
      }),
      { ...cases(600), examples: [['999999999d'], ['999999999d'.repeat(200)]] },
    );
  });

  it('are shown so that they can be read again, and longer ones never shorter', () => {
    const some = fc.integer({ min: 10_000, max: 40 * 86_400_000 });
    fc.assert(
      fc.property(some, some, (a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        const [shownLess, shownMore] = [parseDuration(duration(less)), parseDuration(duration(more))];
        expect(shownLess).toBeLessThanOrEqual(shownMore ?? Number.NaN);
        expect(Math.abs((shownMore ?? Number.NaN) - more) / more).toBeLessThan(0.05);
      }),
      cases(500),
    );
  });

  it('are shown for any number and any time', () => {
    fc.assert(
      fc.property(fc.double(), texts, (ms, time) => {
        expect(duration(ms)).toMatch(/^(\?|[\d.e+]+[smhd])/);
        expect(countdown(ms).length).toBeLessThan(40);
        expect(ageSince(time, Date.UTC(2026, 0))).toMatch(/^(\d+[smhd])?$/);
      }),
      cases(500),
    );
  });
});
