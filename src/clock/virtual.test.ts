import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sleep } from './clock.ts';
import { VirtualClock } from './virtual.ts';

describe('VirtualClock', () => {
  it('stands still until it is told to move', async () => {
    const clock = new VirtualClock(1000);
    await new Promise((resolve) => setImmediate(resolve));
    expect([clock.now(), clock.monotonic(), clock.untilNext]).toEqual([1000, 0, undefined]);
    await clock.advance(250);
    expect([clock.now(), clock.monotonic()]).toEqual([1250, 250]);
  });

  it('runs timers in order of due time, first armed first among equals, each at its own instant', async () => {
    const clock = new VirtualClock(0);
    const log: string[] = [];
    for (const [name, ms] of [
      ['c', 30],
      ['a', 10],
      ['b', 20],
      ['a2', 10],
      ['late', 31],
    ] as const) {
      clock.after(ms, () => log.push(`${name}@${clock.now()}`));
    }
    await clock.advance(30);
    expect(log).toEqual(['a@10', 'a2@10', 'b@20', 'c@30']);
    expect(clock.untilNext).toBe(1);
  });

  it('never calls back synchronously, and takes a negative delay for none', async () => {
    const clock = new VirtualClock();
    const log: string[] = [];
    clock.after(-5, () => log.push('called'));
    clock.after(0, () => log.push('called too'));
    expect(log).toEqual([]);
    await clock.advance(0);
    expect(log).toEqual(['called', 'called too']);
  });

  it('does not run a timer that was called off, even by a timer of the same instant', async () => {
    const clock = new VirtualClock();
    const log: string[] = [];
    clock.after(1, () => {
      log.push('first');
      cancel();
    });
    const cancel = clock.after(1, () => log.push('second'));
    await clock.advance(5);
    cancel();
    expect(log).toEqual(['first']);
    expect(clock.untilNext).toBeUndefined();
  });

  it('runs timers that timers arm, when they fall due on the way', async () => {
    const clock = new VirtualClock(0);
    const log: number[] = [];
    const tick = (): void => {
      log.push(clock.now());
      clock.after(10, tick);
    };
    clock.after(10, tick);
    await clock.advance(35);
    expect(log).toEqual([10, 20, 30]);
    expect(clock.now()).toBe(35);
  });

  it('lets promises settle between two timers', async () => {
    const clock = new VirtualClock();
    const log: string[] = [];
    const worker = async (): Promise<void> => {
      await sleep(clock, 1);
      for (let i = 0; i < 50; i++) await Promise.resolve();
      log.push('worker');
    };
    const done = worker();
    clock.after(2, () => log.push('timer'));
    await clock.advance(2);
    await done;
    expect(log).toEqual(['worker', 'timer']);
  });

  it('jumps the wall clock without disturbing timers and monotonic time', async () => {
    const clock = new VirtualClock(1000);
    const log: number[] = [];
    clock.after(10, () => log.push(clock.now()));
    clock.jump(-500);
    expect([clock.now(), clock.monotonic(), clock.untilNext]).toEqual([500, 0, 10]);
    await clock.advance(10);
    expect(log).toEqual([510]);
  });

  it('runs every timer exactly once, in order, however time is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(50), { maxLength: 20 }),
        fc.array(fc.nat(30), { minLength: 1, maxLength: 5 }),
        async (delays, steps) => {
          const clock = new VirtualClock(0);
          const log: (readonly [number, number])[] = [];
          for (const [index, delay] of delays.entries()) clock.after(delay, () => log.push([clock.now(), index]));
          for (const step of steps) await clock.advance(step);
          const end = steps.reduce((sum, step) => sum + step, 0);
          const due = delays.map((delay, index) => [delay, index] as const).filter(([delay]) => delay <= end);
          expect(log).toEqual(due.sort(([a, i], [b, j]) => a - b || i - j));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('runUntil', () => {
  it('stops at the first timer after which the condition holds', async () => {
    const clock = new VirtualClock(0);
    let count = 0;
    const tick = (): void => {
      count++;
      clock.after(10, tick);
    };
    clock.after(10, tick);
    expect(await clock.runUntil(() => count === 3, 1000)).toBe(true);
    expect(clock.now()).toBe(30);
  });

  it('does not move when the condition holds already', async () => {
    const clock = new VirtualClock(0);
    clock.after(10, () => {});
    expect(await clock.runUntil(() => true, 1000)).toBe(true);
    expect(clock.now()).toBe(0);
  });

  it('gives up at the limit, and when no timer is left', async () => {
    const clock = new VirtualClock(0);
    let fired = 0;
    clock.after(10, () => fired++);
    clock.after(100, () => fired++);
    expect(await clock.runUntil(() => fired === 2, 99)).toBe(false);
    expect(fired).toBe(1);
    expect(await clock.runUntil(() => fired === 3, 1000)).toBe(false);
    expect(fired).toBe(2);
  });
});

describe('sleep', () => {
  it('resolves after the time has passed', async () => {
    const clock = new VirtualClock();
    let awake = false;
    void sleep(clock, 100).then(() => {
      awake = true;
    });
    await clock.advance(99);
    expect(awake).toBe(false);
    await clock.advance(1);
    expect(awake).toBe(true);
  });

  it('rejects with the signal’s reason and leaves no timer behind', async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const sleeping = sleep(clock, 100, controller.signal);
    controller.abort(new Error('stop'));
    await expect(sleeping).rejects.toThrow('stop');
    expect(clock.untilNext).toBeUndefined();
    await expect(sleep(clock, 100, controller.signal)).rejects.toThrow('stop');
    expect(clock.untilNext).toBeUndefined();
  });
});
