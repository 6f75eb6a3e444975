import { describe, expect, it } from 'vitest';
import { patienceMs, type ShardSeen, shardMoves } from './shard-moves.ts';

const held = (holder: string, askedBy?: string): ShardSeen => ({ holder, ...(askedBy && { askedBy }) });
const free = (freeMs: number, askedBy?: string): ShardSeen => ({ freeMs, ...(askedBy && { askedBy }) });

describe('what a replica does about shards', () => {
  it('takes one at once while it has none, and leaves the rest to others for a while', () => {
    expect(shardMoves('a', [free(0), free(0), free(0)]).take).toHaveLength(1);
    expect(shardMoves('a', [free(patienceMs), free(patienceMs), held('b')]).take).toHaveLength(2);
  });

  it('lets those who have less go first', () => {
    const shards = [held('a'), held('a'), held('b'), free(patienceMs)];
    expect(shardMoves('a', shards).take).toEqual([]);
    expect(shardMoves('b', shards).take).toEqual([3]);
    expect(shardMoves('a', [...shards.slice(0, 3), free(2 * patienceMs)]).take).toEqual([3]);
  });

  it('asks the one who has most, once, and only if it makes them more equal', () => {
    const shards = [held('a'), held('a'), held('a'), held('b')];
    expect(shardMoves('c', shards).ask).toEqual([0]);
    expect(shardMoves('b', shards).ask).toEqual([0]);
    expect(shardMoves('c', [held('a'), held('b')]).ask).toEqual([]);
    expect(shardMoves('c', [held('a', 'c'), ...shards.slice(1)]).ask).toEqual([]);
    expect(shardMoves('c', [held('a', 'b'), ...shards.slice(1)]).ask).toEqual([1]);
  });

  it('gives what it is asked for as long as it has two more than who asks', () => {
    expect(shardMoves('a', [held('a', 'b'), held('a', 'c'), held('a')]).give).toEqual([0, 1]);
    expect(shardMoves('a', [held('a', 'b'), held('a', 'c')]).give).toEqual([0]);
    expect(shardMoves('a', [held('a', 'b'), held('a'), held('b')]).give).toEqual([]);
  });

  it('lets others go first while it does not see everything, asks for nothing, and gives all that it is asked for', () => {
    expect(shardMoves('a', [free(1_000), free(5_000)], 3_000).take).toEqual([1]);
    expect(shardMoves('a', [held('b'), held('b'), held('b')], 3_000).ask).toEqual([]);
    expect(shardMoves('a', [held('a', 'b'), held('b'), held('b')], 3_000).give).toEqual([0]);
  });

  it('asks those who do not see everything for all that they have, however little', () => {
    const blind = (holder: string, askedBy?: string): ShardSeen => ({ ...held(holder, askedBy), isBlind: true });
    expect(shardMoves('a', [held('a'), held('a'), blind('b'), blind('b'), free(0)]).ask).toEqual([2, 3]);
    expect(shardMoves('a', [held('a'), held('c'), blind('b', 'c'), blind('b', 'a')]).ask).toEqual([]);
  });

  it('gives half of what it was asked for while it did not see everything, once it does', () => {
    const all = [held('a', 'b'), held('a', 'b'), held('a', 'b'), held('a', 'b')];
    expect(shardMoves('a', all).give).toEqual([0, 1]);
    expect(shardMoves('a', all, 3_000).give).toEqual([0, 1, 2, 3]);
  });

  it('asks another when what it asked for is kept', () => {
    const kept = [held('a', 'b'), held('a'), held('b')];
    expect(shardMoves('b', [...kept, held('c'), held('c'), held('c')]).ask).toEqual([3]);
    const underWay = [held('a', 'b'), held('a'), held('a'), held('b')];
    expect(shardMoves('b', [...underWay, held('c'), held('c'), held('c'), held('c')]).ask).toEqual([]);
    const blind = [{ ...held('a', 'b'), isBlind: true }, held('b')];
    expect(shardMoves('b', [...blind, held('c'), held('c'), held('c')]).ask).toEqual([]);
  });

  it('takes what it asked for as soon as it is free', () => {
    expect(shardMoves('b', [held('a'), held('b'), free(0, 'b')]).take).toEqual([2]);
  });
});
