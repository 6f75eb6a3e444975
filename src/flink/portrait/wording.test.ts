import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brief, sentence, sinceText, spanText, untilText } from './wording.ts';

describe('a length of time', () => {
  it.each([
    [0, '0s'],
    [-5, '0s'],
    [Number.NaN, '0s'],
    [850, '850ms'],
    [12_900, '12s'],
    [60_000, '1m'],
    [250_000, '4m 10s'],
    [3_600_000, '1h'],
    [11_100_000, '3h 5m'],
    [9 * 86_400_000, '9d'],
  ])('%d ms is %s', (ms, text) => {
    expect(spanText(ms)).toBe(text);
  });

  it('is told from now, and only of times', () => {
    const at = new Date(10_000).toISOString();
    expect(untilText(at, 0)).toBe('in 10s');
    expect(untilText(at, 20_000)).toBe('now');
    expect(untilText(at, 999)).toBe('in 10s');
    expect(untilText(at, 9_999)).toBe('in 1s');
    expect(sinceText(at, 22_000)).toBe('12s');
    expect(sinceText(at, 10_850)).toBe('0s');
    expect(sinceText('never', 0)).toBeUndefined();
    expect(untilText(undefined, 0)).toBeUndefined();
  });
});

describe('a message', () => {
  it('tells changed fields without the words that are for tools', () => {
    const because = 'The spec changed: FlinkDeploymentSpec[job.parallelism : 2 -> 4, restartNonce : null -> 1].';
    expect(sentence(because)).toBe('The spec changed: job.parallelism: 2 → 4, restartNonce: null → 1.');
    expect(sentence('A FlinkDeploymentSpec[a] is not a change')).toBe('A FlinkDeploymentSpec[a] is not a change.');
  });

  it('is one line of bounded length, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), (text) => {
        expect(brief(text).length).toBeLessThanOrEqual(400);
        expect(brief(text)).not.toMatch(/\n/);
        expect(sentence(text)).toMatch(/^$|[.!?…]$/);
      }),
    );
  });
});
