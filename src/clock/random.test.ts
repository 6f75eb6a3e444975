import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { realRandom, seededRandom, suffix } from './random.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('seededRandom', () => {
  it('replays the same sequence for the same seed, for ever', () => {
    const random = seededRandom(42);
    expect([random.next(), random.next(), random.next()]).toEqual([
      0.6011037519201636, 0.44829055899754167, 0.8524657934904099,
    ]);
    expect(seededRandom(7).uuid()).toBe(seededRandom(7).uuid());
    expect(seededRandom(7).uuid()).not.toBe(seededRandom(8).uuid());
  });

  it('stays within its range and spreads over it, whatever the seed', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed);
        const values = Array.from({ length: 2000 }, () => random.next());
        expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
        const tenths = new Set(values.map((value) => Math.floor(value * 10)));
        expect(tenths.size).toBe(10);
        expect(new Set(values).size).toBeGreaterThan(1990);
      }),
      { numRuns: 20 },
    );
  });

  it('makes version 4 UUIDs that do not repeat', () => {
    const random = seededRandom(1);
    const ids = Array.from({ length: 1000 }, () => random.uuid());
    expect(ids.every((id) => uuid.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(1000);
  });
});

describe('realRandom', () => {
  it('makes version 4 UUIDs and numbers in [0, 1)', () => {
    expect(realRandom.uuid()).toMatch(uuid);
    expect(realRandom.next()).toBeGreaterThanOrEqual(0);
    expect(realRandom.next()).toBeLessThan(1);
  });
});

describe('suffix', () => {
  it('is safe in a Kubernetes name and replays', () => {
    expect(suffix(seededRandom(3))).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(suffix(seededRandom(3), 12)).toHaveLength(12);
    expect(suffix(seededRandom(3))).toBe(suffix(seededRandom(3)));
    expect(suffix({ next: () => 1 - 2 ** -32, uuid: () => '' })).toBe('99999');
  });
});
