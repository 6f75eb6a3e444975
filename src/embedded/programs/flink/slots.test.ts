import { describe, expect, it } from 'vitest';
import type { TaskManagerPort } from './flink-world.ts';
import { Slots } from './slots.ts';

const worker = (id: string, slots: number): TaskManagerPort => ({
  id,
  podName: id,
  address: '10.0.0.1',
  slots,
  disconnected: () => {},
  shutDown: () => {},
});

describe('Slots', () => {
  it('gives each slot to one job at a time', () => {
    const slots = new Slots();
    const [one, two] = [worker('one', 2), worker('two', 2)];
    slots.add(one);
    slots.add(two);
    expect(slots.take('a', 1)).toEqual([one]);
    expect(slots.take('b', 2)).toEqual([one, two]);
    expect([slots.total, slots.free, slots.heldBy('a'), slots.heldBy('b')]).toEqual([4, 1, 1, 2]);
    expect(slots.take('c', 1)).toEqual([two]);
    expect(slots.free).toBe(0);
    slots.release('b');
    expect(slots.workers.map(({ free }) => free)).toEqual([1, 1]);
  });

  it('tells whose tasks go with a TaskManager', () => {
    const slots = new Slots();
    const [one, two] = [worker('one', 1), worker('two', 1)];
    slots.add(one);
    slots.add(two);
    slots.take('a', 2);
    expect(slots.remove(one)).toEqual(['a']);
    expect(slots.remove(one)).toEqual([]);
    expect([slots.has(one), slots.has(two), slots.heldBy('a')]).toEqual([false, true, 1]);
  });
});
