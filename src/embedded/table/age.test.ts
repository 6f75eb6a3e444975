import { describe, expect, it } from 'vitest';
import { age, humanDuration } from './age.ts';

const s = 1000;
const m = 60 * s;
const h = 60 * m;
const d = 24 * h;

describe('humanDuration', () => {
  it.each([
    [-2 * s, '<invalid>'],
    [-1 * s, '0s'],
    [999, '0s'],
    [119 * s, '119s'],
    [2 * m, '2m'],
    [9 * m + 59 * s, '9m59s'],
    [10 * m + 5 * s, '10m'],
    [179 * m, '179m'],
    [3 * h, '3h'],
    [7 * h + 59 * m, '7h59m'],
    [8 * h + 59 * m, '8h'],
    [47 * h, '47h'],
    [48 * h, '2d'],
    [7 * d + 23 * h, '7d23h'],
    [8 * d + 23 * h, '8d'],
    [729 * d, '729d'],
    [730 * d, '2y'],
    [2 * 365 * d + 4 * d, '2y4d'],
    [9 * 365 * d + 300 * d, '9y'],
  ])('says %d ms as %s', (ms, text) => expect(humanDuration(ms)).toBe(text));
});

describe('age', () => {
  it('says so when there is no time, or none that can be read', () => {
    expect(age(undefined, 0)).toBe('<unknown>');
    expect(age('yesterday', 0)).toBe('<invalid>');
    expect(age('1970-01-01T00:00:00Z', 5 * s)).toBe('5s');
  });
});
