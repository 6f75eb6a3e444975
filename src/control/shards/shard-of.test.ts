import { describe, expect, it } from 'vitest';
import { shardOf } from './shard-of.ts';

describe('the shard of a place', () => {
  it('never changes: replicas of other versions rely on it', () => {
    const places = ['default/orders', 'default/orders-blue', 'team-a/x', 'team-a', '', 'größe/ö'];
    expect(places.map((place) => shardOf(place, 8))).toMatchInlineSnapshot(`
      [
        5,
        0,
        7,
        0,
        3,
        3,
      ]
    `);
    expect(places.map((place) => shardOf(place, 3))).toMatchInlineSnapshot(`
      [
        1,
        0,
        0,
        2,
        2,
        0,
      ]
    `);
  });

  it('spreads names that differ in their last letters only', () => {
    const counts = new Array<number>(8).fill(0);
    for (let at = 0; at < 8_000; at++) {
      const shard = shardOf(`default/job-${at}`, 8);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    for (const count of counts) expect(count).toBeGreaterThan(900);
  });
});
