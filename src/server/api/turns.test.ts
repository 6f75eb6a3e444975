import { expect, it } from 'vitest';
import type { Clock } from '../../clock/clock.ts';
import { Turns } from './turns.ts';

it('lets what takes long rest before the next, and nobody wait who has left', async () => {
  let now = 0;
  const waits: number[] = [];
  const clock = {
    now: () => now,
    monotonic: () => now,
    after: (ms: number, then: () => void) => {
      waits.push(ms);
      now += ms;
      queueMicrotask(then);
      return () => undefined;
    },
  } as Clock;
  const turns = new Turns(clock);
  const here = new AbortController().signal;
  const long = (): number => {
    now += 1_000;
    return now;
  };
  expect(await turns.take(long, here)).toBe(1_000);
  expect(await turns.take(long, here)).toBe(6_000);
  expect(waits).toEqual([4_000]);
  await expect(turns.take(long, AbortSignal.abort())).rejects.toMatchObject({ status: 400 });
  expect(now).toBe(6_000);
});
