import { describe, expect, it } from 'vitest';
import { countdown, duration, parseDuration } from './duration.ts';

describe('durations', () => {
  it.each([
    [0, '0s'],
    [3400, '3.4s'],
    [9949, '9.9s'],
    [9960, '10s'],
    [41_000, '41s'],
    [59_999, '1m'],
    [79_000, '1m19s'],
    [7_500_000, '2h5m'],
    [273_600_000, '3d4h'],
    [-5, '0s'],
    [Number.NaN, '?'],
  ])('%d ms reads %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it('counts down in whole seconds', () => {
    expect([-1, 1, 8400, 79_000].map(countdown)).toEqual(['0s', '1s', '9s', '1m19s']);
  });

  it('reads what people type', () => {
    expect(['90s', '10m', '1h30m', '2d', '45', '0', '', 'soon', '10x', '-1s'].map(parseDuration)).toEqual([
      90_000,
      600_000,
      5_400_000,
      172_800_000,
      45_000,
      0,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each(['36501d', '999999999d', '9d'.repeat(5000)])('takes %s for no time that anybody waits', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});
