import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import { growthOf, isEnough, perHour, type Sample } from './leak.ts';

const MB = 1024 * 1024;
const random = seededRandom(7);

/** Half an hour, a sample every ten seconds: garbage comes and goes, what is held grows by so much in an hour. */
function run(held: (minute: number) => number, handles: (minute: number) => number = () => 40): readonly Sample[] {
  return Array.from({ length: 180 }, (_, at) => {
    const minute = at / 6;
    const heapBytes = (held(minute) + random.next() * 40) * MB;
    return { ms: at * 10_000, heapBytes, residentBytes: heapBytes + 80 * MB, handles: handles(minute) };
  });
}

describe('what a process holds', () => {
  it('is no leak while it goes up and down', () => {
    expect(growthOf(run(() => 60))).toEqual([]);
  });

  it('is no leak while it only warms up', () => {
    expect(growthOf(run((minute) => 40 + Math.min(minute, 8) * 3))).toEqual([]);
  });

  it('is a leak when it grows on and on', () => {
    expect(growthOf(run((minute) => 60 + minute * 1.5)).map(({ what }) => what)).toContain('heap');
  });

  it('is a leak when connections are never closed', () => {
    const grown = growthOf(
      run(
        () => 60,
        (minute) => 40 + Math.floor(minute * 3),
      ),
    );
    expect(grown.map(({ what }) => what)).toEqual(['handles']);
  });

  it('is not judged by a few samples', () => {
    const few = run((minute) => minute * 100).slice(0, 10);
    expect(growthOf(few)).toEqual([]);
    expect(isEnough(few)).toBe(false);
  });

  it('is not judged by samples that could not be taken', () => {
    const whole = run(() => 60);
    expect(isEnough(whole)).toBe(true);
    expect(isEnough(whole.map((sample) => ({ ...sample, heapBytes: Number.NaN })))).toBe(false);
  });

  it('grows by so much in an hour', () => {
    const slope = perHour(
      run((minute) => 60 + minute),
      ({ heapBytes }) => heapBytes,
    );
    expect(slope / MB).toBeGreaterThan(50);
    expect(slope / MB).toBeLessThan(70);
  });
});
