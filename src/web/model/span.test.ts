import { describe, expect, it } from 'vitest';
import { ago, between, span } from './span.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const past = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

describe('a length of time', () => {
  it.each([
    [0, '0s'],
    [999, '0s'],
    [59_999, '59s'],
    [60_000, '1m 00s'],
    [185_000, '3m 05s'],
    [3_600_000, '1h 00m'],
    [7_860_000, '2h 11m'],
    [86_400_000 * 9 + 3_600_000 * 4, '9d 4h'],
    [-5, '0s'],
  ])('%i ms is %s', (ms, text) => {
    expect(span(ms)).toBe(text);
  });

  it('has tenths below ten seconds where that is asked for', () => {
    expect(span(449, true)).toBe('0.4s');
    expect(span(9_999, true)).toBe('9.9s');
    expect(span(10_000, true)).toBe('10s');
  });

  it('says nothing of what is no number', () => {
    expect(span(Number.NaN)).toBe('');
    expect(span(Number.POSITIVE_INFINITY)).toBe('');
  });
});

describe('how long ago', () => {
  it.each([
    [0, 'now'],
    [-30, 'now'],
    [12, '12s'],
    [60, '1m'],
    [3599, '59m'],
    [47 * 3600, '47h'],
    [48 * 3600, '2d'],
  ])('%i seconds are %s', (seconds, text) => {
    expect(ago(past(seconds), now)).toBe(text);
  });

  it('is empty for what is no time', () => {
    expect(ago(undefined, now)).toBe('');
    expect(ago('yesterday', now)).toBe('');
  });
});

describe('between two times', () => {
  it('ends now when it has no end', () => {
    expect(between(past(5), undefined, now)).toBe(5000);
    expect(between(past(5), past(2), now)).toBe(3000);
  });

  it('is never negative, and undefined for what is no time', () => {
    expect(between(past(-5), undefined, now)).toBe(0);
    expect(between(undefined, undefined, now)).toBeUndefined();
    expect(between(past(5), 'soon', now)).toBeUndefined();
  });
});
