import { expect, it } from 'vitest';
import { parseDuration, showDuration } from './duration.ts';

it.each([
  ['10 min', 600_000],
  ['15s', 15_000],
  ['15 S', 15_000],
  ['250', 250],
  ['1 d', 86_400_000],
  ['2 hours', 7_200_000],
  ['3 minutes', 180_000],
  ['5m', 300_000],
  ['20 secs', 20_000],
  ['7 ms', 7],
  ['3 microseconds', 0.003],
  ['PT10M', 600_000],
  ['pt1h30.5s', 3_630_500],
  ['P1DT1S', 86_401_000],
  ['-PT1M', -60_000],
])('reads %s', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

it.each(['999999999999999999 d', `P${'9'.repeat(400)}D`, `-PT${'9'.repeat(400)}S`])(
  'takes %s for as long as a time can be away',
  (text) => {
    const milliseconds = parseDuration(text) ?? Number.NaN;
    expect(Math.abs(milliseconds)).toBe(100_000 * 365 * 86_400_000);
    expect(() => new Date(Date.UTC(2026) + milliseconds).toISOString()).not.toThrow();
  },
);

it.each(['', 'abc', '10 parsecs', '-5 s', '1.5 s', 'P', 'PT', '5 constructor', '10 mins', '1 __proto__', 's'])(
  'does not take "%s" for a duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

it.each([
  [0, '0 ms'],
  [1500, '1500 ms'],
  [90_000, '90 s'],
  [600_000, '10 min'],
  [86_400_000, '1 d'],
])('shows %d ms as people write it', (milliseconds, text) => {
  expect(showDuration(milliseconds)).toBe(text);
  expect(parseDuration(text)).toBe(milliseconds);
});
