import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Clock, sleep } from '../clock/clock.ts';
import { VirtualClock } from '../clock/virtual.ts';
import { type Lane, lanes, urgent } from './lanes.ts';
import { Leisure } from './leisure.ts';
import { type Lease, WorkQueue } from './queue.ts';

async function drain(queue: WorkQueue): Promise<string[]> {
  const keys: string[] = [];
  const over = AbortSignal.abort();
  for (;;) {
    const lease = await (total(queue) > 0 ? queue.take() : queue.take(over));
    if (!lease) return keys;
    keys.push(lease.key);
    lease.done();
  }
}

/** Another clock that shows the same time. */
function view(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, callback) => clock.after(ms, callback),
  };
}

const total = (queue: WorkQueue): number => lanes.reduce((sum, lane) => sum + queue.depth(lane), 0);

describe('the work queue', () => {
  it('serves a key once however often it was added', async () => {
    const queue = new WorkQueue({ clock: new VirtualClock() });
    for (let i = 0; i < 100; i++) queue.add('a/x');
    expect(await drain(queue)).toEqual(['a/x']);
  });

  it('lets an edit overtake the resync of everything', async () => {
    const queue = new WorkQueue({ clock: new VirtualClock() });
    for (let i = 0; i < 5; i++) queue.add(`a/${i}`, { lane: 'resync' });
    queue.add('a/4', { lane: 'edit' });
    queue.add('a/3');
    expect(await drain(queue)).toEqual(['a/4', 'a/3', 'a/0', 'a/1', 'a/2']);
  });

  describe('lets the rest of the process have its turn', () => {
    /** Three workers, and a clock that goes on with every look at it, and by a millisecond with each piece of work. */
    function busy(count: number, lane: Lane) {
      let now = 0;
      const tick = (): number => (now += 0.001);
      const queue = new WorkQueue({ clock: { now: tick, monotonic: tick, after: () => () => {} } });
      for (let i = 0; i < count; i++) queue.add(`a/${i}`, { lane });
      const taken: string[] = [];
      const work = async (): Promise<void> => {
        for (let lease = await queue.take(); lease; lease = await queue.take()) {
          taken.push(lease.key);
          now += 1;
          lease.done();
          if (taken.length === count) queue.close();
        }
      };
      return { queue, taken, workers: Promise.all([work(), work(), work()]) };
    }
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

    it('while many keys are taken in a row, and loses none', async () => {
      const { queue, taken, workers } = busy(1_000, 'change');
      await turn();
      expect(taken.length).toBeGreaterThan(3);
      expect(taken.length).toBeLessThan(20);
      queue.add('a/999', { lane: 'edit' });
      await turn();
      expect(taken.indexOf('a/999')).toBeGreaterThan(0);
      expect(taken.length).toBeLessThan(40);
      await workers;
      expect(new Set(taken).size).toBe(1_000);
    });

    it('after each key of a look at everything, but not before an edit', async () => {
      const { queue, taken, workers } = busy(100, 'resync');
      await turn();
      expect(taken.length).toBeLessThanOrEqual(2);
      queue.add('a/98', { lane: 'edit' });
      queue.add('a/99', { lane: 'edit' });
      const before = taken.length;
      await turn();
      expect(taken.slice(before, before + 2)).toEqual(['a/98', 'a/99']);
      expect(taken.length).toBeLessThanOrEqual(before + 3);
      await workers;
      expect(new Set(taken).size).toBe(100);
    });
  });

  it('looks at everything in half of the time of the process, and at an edit at once', async () => {
    const clock = new VirtualClock();
    let busy = 0;
    const queue = new WorkQueue({ clock: { ...view(clock), busy: () => busy } });
    for (let i = 0; i < 10; i++) queue.add(`a/${i}`, { lane: 'resync' });
    const taken: string[] = [];
    const worker = (async () => {
      for (let lease = await queue.take(); lease; lease = await queue.take()) {
        taken.push(lease.key);
        if (lease.lane === 'resync') busy += 4;
        lease.done();
      }
    })();
    await clock.advance(20);
    expect(taken).toEqual(['a/0', 'a/1', 'a/2']);
    queue.add('a/9', { lane: 'edit' });
    await clock.advance(0);
    expect(taken).toEqual(['a/0', 'a/1', 'a/2', 'a/9']);
    await clock.advance(60);
    expect(taken).toHaveLength(10);
    queue.close();
    await worker;
  });

  it('shares half of the time of the process with other queues that look at everything', async () => {
    const clock = new VirtualClock();
    let busy = 0;
    const leisure = new Leisure({ ...view(clock), busy: () => busy });
    const taken: string[] = [];
    const queues = ['a', 'b', 'c'].map((name) => {
      const queue = new WorkQueue({ clock, leisure });
      for (let i = 0; i < 10; i++) queue.add(`${name}/${i}`, { lane: 'resync' });
      return queue;
    });
    const workers = queues.map(async (queue) => {
      for (let lease = await queue.take(); lease; lease = await queue.take()) {
        taken.push(lease.key);
        busy += 4;
        lease.done();
      }
    });
    await clock.advance(40);
    expect(taken).toEqual(['a/0', 'b/0', 'c/0', 'a/1', 'b/1', 'c/1']);
    await clock.advance(200);
    expect(new Set(taken).size).toBe(30);
    for (const queue of queues) queue.close();
    await Promise.all(workers);
  });

  it('leaves workers for what is urgent while everything is looked at, and looks at all of it', async () => {
    const queue = new WorkQueue({ clock: new VirtualClock(), mostResyncs: 2 });
    for (let i = 0; i < 5; i++) queue.add(`a/${i}`, { lane: 'resync' });
    const leases: Lease[] = [];
    const workers = Array.from({ length: 4 }, () => queue.take().then((lease) => lease && leases.push(lease)));
    const keys = (): readonly string[] => leases.map(({ key }) => key);
    await Promise.resolve();
    await Promise.resolve();
    expect(keys()).toEqual(['a/0', 'a/1']);
    queue.add('a/4', { lane: 'edit' });
    await workers[2];
    expect(keys()).toEqual(['a/0', 'a/1', 'a/4']);
    leases[2]?.done();
    expect(queue.depth('resync')).toBe(2);
    leases[0]?.done();
    await workers[3];
    expect(keys()).toEqual(['a/0', 'a/1', 'a/4', 'a/2']);
    leases[1]?.done();
    expect(await queue.take()).toMatchObject({ key: 'a/3', lane: 'resync' });
  });

  it('serves namespaces in turn within a lane', async () => {
    const queue = new WorkQueue({ clock: new VirtualClock() });
    for (const key of ['big/1', 'big/2', 'big/3', 'small/1', 'node']) queue.add(key);
    expect(await drain(queue)).toEqual(['big/1', 'small/1', 'node', 'big/2', 'big/3']);
  });

  it('leases a key to one worker at a time and brings it back when it was added meanwhile', async () => {
    const queue = new WorkQueue({ clock: new VirtualClock() });
    queue.add('a/x', { lane: 'resync' });
    const first = await queue.take();
    queue.add('a/x', { lane: 'resync' });
    queue.add('a/x', { lane: 'edit' });
    let second: Lease | undefined;
    const taken = queue.take().then((lease) => {
      second = lease;
    });
    await Promise.resolve();
    expect(second).toBeUndefined();
    first?.done();
    first?.done();
    await taken;
    expect(second).toMatchObject({ key: 'a/x', lane: 'edit' });
    second?.done();
    expect(total(queue)).toBe(0);
  });

  it('waits until a key is due, and merges to the earliest time', async () => {
    const clock = new VirtualClock();
    const queue = new WorkQueue({ clock });
    queue.add('a/x', { after: 10_000 });
    queue.add('a/x', { after: 500, lane: 'edit' });
    queue.add('a/x', { after: 2_000, lane: 'resync' });
    let lease: Lease | undefined;
    void queue.take().then((taken) => {
      lease = taken;
    });
    await clock.advance(499);
    expect(lease).toBeUndefined();
    await clock.advance(1);
    expect(lease).toMatchObject({ key: 'a/x', lane: 'edit', waitedMs: 0 });
    lease?.done();
    await clock.advance(60_000);
    expect(total(queue)).toBe(0);
  });

  it('doubles the wait after each failure up to the limit, and starts over when forgotten', () => {
    const clock = new VirtualClock();
    const queue = new WorkQueue({ clock, longestBackoffMs: 100 });
    expect([1, 2, 3, 4, 5, 6].map(() => queue.retry('a/x'))).toEqual([5, 10, 20, 40, 80, 100]);
    for (let i = 0; i < 2000; i++) queue.forget(`a/${i}`);
    queue.forget('a/x');
    expect(queue.retry('a/x')).toBe(5);
    expect(queue.retry('a/y', { atLeastMs: 3000 })).toBe(3000);
  });

  it('spreads the retries of many failing keys by the overall rate', () => {
    const queue = new WorkQueue({ clock: new VirtualClock(), retryRate: { perSecond: 10, burst: 3 } });
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => queue.retry(key))).toEqual([5, 5, 5, 100, 200]);
  });

  it('tries a failed key at once when there is news about it', async () => {
    const queue = new WorkQueue({ clock: new VirtualClock() });
    queue.retry('a/x', { atLeastMs: 60_000 });
    queue.add('a/x', { lane: 'edit' });
    expect(await queue.take()).toMatchObject({ key: 'a/x', failures: 1, lane: 'edit' });
  });

  it('lets only an edit cut the wait short that was added while the work went on, unless that wrote nothing', async () => {
    const clock = new VirtualClock();
    const queue = new WorkQueue({ clock });
    const fail = async (lane: Lane, silent = false): Promise<void> => {
      queue.add('a/x');
      const lease = await queue.take();
      queue.add('a/x', { lane });
      queue.retry('a/x', { atLeastMs: 60_000, silent });
      lease?.done();
    };
    await fail('change');
    expect([queue.depth('change'), queue.delayed]).toEqual([0, 1]);
    await clock.advance(60_000);
    (await queue.take())?.done();
    await fail('edit');
    expect([queue.depth('edit'), queue.delayed]).toEqual([1, 0]);
    (await queue.take())?.done();
    await fail('change', true);
    expect([queue.depth('change'), queue.delayed]).toEqual([1, 0]);
  });

  it('ends waiting workers when it closes or their signal aborts, and takes nothing in afterwards', async () => {
    const queue = new WorkQueue({ clock: new VirtualClock() });
    const stop = new AbortController();
    const one = queue.take(stop.signal);
    const other = queue.take();
    stop.abort();
    expect(await one).toBeUndefined();
    queue.close();
    expect(await other).toBeUndefined();
    queue.add('a/x');
    expect(await queue.take()).toBeUndefined();
  });

  it('arms one timer however many keys wait', () => {
    const clock = new VirtualClock();
    let armed = 0;
    const counting = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (ms: number, callback: () => void) => {
        armed += 1;
        return clock.after(ms, callback);
      },
    };
    const queue = new WorkQueue({ clock: counting });
    for (let i = 0; i < 1000; i++) queue.add(`a/${i}`, { after: 1000 + i });
    expect(armed).toBe(1);
  });
});

/** What the queue promises, written as plainly as possible: a list that is searched every time. */
class Model {
  readonly pending = new Map<string, { lane: Lane; due: number; since: number }>();
  readonly leased = new Map<string, { lane: Lane; due: number } | undefined>();
  #sequence = 0;

  add(key: string, lane: Lane, due: number, now: number): void {
    if (this.leased.has(key)) {
      const again = this.leased.get(key);
      this.leased.set(key, again ? { lane: urgent(again.lane, lane), due: Math.min(again.due, due) } : { lane, due });
      return;
    }
    const entry = this.pending.get(key);
    if (!entry) {
      this.pending.set(key, { lane, due, since: due <= now ? this.#sequence++ : -1 });
      return;
    }
    const ready = entry.since >= 0;
    const lifted = urgent(entry.lane, lane);
    if (ready && lifted !== entry.lane) entry.since = this.#sequence++;
    entry.lane = lifted;
    entry.due = Math.min(entry.due, due);
    if (!ready && entry.due <= now) entry.since = this.#sequence++;
  }

  ripen(now: number): void {
    const due = [...this.pending.values()].filter((entry) => entry.since < 0 && entry.due <= now);
    for (const entry of due.sort((a, b) => a.due - b.due)) entry.since = this.#sequence++;
  }

  /** Keys that may come next: of the most urgent lane, the first of each group. */
  candidates(): string[] {
    const ready = [...this.pending].filter(([, entry]) => entry.since >= 0);
    for (const lane of lanes) {
      const first = new Map<string, readonly [string, { since: number }]>();
      for (const item of ready.filter(([, entry]) => entry.lane === lane)) {
        const group = item[0].split('/')[0] ?? '';
        const other = first.get(group);
        if (!other || item[1].since < other[1].since) first.set(group, item);
      }
      if (first.size > 0) return [...first.values()].map(([key]) => key);
    }
    return [];
  }

  done(key: string, now: number): void {
    const again = this.leased.get(key);
    this.leased.delete(key);
    if (again) this.add(key, again.lane, again.due, now);
  }
}

describe('the work queue against its model', () => {
  const key = fc.constantFrom('a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1');
  const lane = fc.constantFrom<Lane>('edit', 'change', 'resync');
  // Odd and distinct delays keep due times apart: among equals the order is the queue's own business.
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), key, lane, after: fc.constantFrom(0, 0, 7.1, 13.3, 101.7) }),
    fc.record({ do: fc.constant('take' as const) }),
    fc.record({ do: fc.constant('done' as const), which: fc.nat(5) }),
    fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(1.01, 8.003, 50.0007) }),
  );

  it('serves the right key at the right time, loses none and never leases one twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = new VirtualClock();
        const queue = new WorkQueue({ clock });
        const model = new Model();
        const leases: Lease[] = [];
        const over = AbortSignal.abort();

        const take = async (): Promise<void> => {
          const candidates = model.candidates();
          const lease = await queue.take(candidates.length === 0 && total(queue) === 0 ? over : undefined);
          if (candidates.length === 0) return expect(lease).toBeUndefined();
          expect(candidates).toContain(lease?.key);
          if (!lease) return;
          expect(lease.lane).toBe(model.pending.get(lease.key)?.lane);
          expect(model.leased.has(lease.key)).toBe(false);
          model.pending.delete(lease.key);
          model.leased.set(lease.key, undefined);
          leases.push(lease);
        };

        for (const s of steps) {
          const now = clock.monotonic();
          if (s.do === 'add') {
            queue.add(s.key, { lane: s.lane, after: s.after });
            model.add(s.key, s.lane, now + s.after, now);
          } else if (s.do === 'take') {
            await take();
          } else if (s.do === 'done') {
            const [lease] = leases.splice(s.which % Math.max(1, leases.length), 1);
            lease?.done();
            if (lease) model.done(lease.key, now);
          } else {
            await clock.advance(s.ms);
            model.ripen(clock.monotonic());
          }
          expect(queue.delayed).toBe([...model.pending.values()].filter((entry) => entry.since < 0).length);
        }

        for (const lease of leases.splice(0)) {
          lease.done();
          model.done(lease.key, clock.monotonic());
        }
        await clock.advance(1000);
        model.ripen(clock.monotonic());
        while (model.candidates().length > 0) await take();
        expect(total(queue)).toBe(0);
        expect(clock.untilNext).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('wakes a worker for every key, however few of them may look at everything', async () => {
    const event = fc.record({ key, lane, after: fc.constantFrom(0, 0, 7), pause: fc.constantFrom(0, 0, 3, 20) });
    const property = fc.asyncProperty(
      fc.array(event, { maxLength: 40 }),
      fc.integer({ min: 1, max: 3 }),
      async (events, mostResyncs) => {
        const clock = new VirtualClock();
        const queue = new WorkQueue({ clock, mostResyncs });
        const unserved = new Set<string>();
        const work = async (ms: number): Promise<void> => {
          for (let lease = await queue.take(); lease; lease = await queue.take()) {
            unserved.delete(lease.key);
            await sleep(clock, ms);
            lease.done();
          }
        };
        const workers = [work(5), work(11), work(0), work(2)];
        for (const { key, lane, after, pause } of events) {
          unserved.add(key);
          queue.add(key, { lane, after });
          await clock.advance(pause);
        }
        await clock.advance(1_000);
        expect([...unserved]).toEqual([]);
        expect(total(queue)).toBe(0);
        queue.close();
        await Promise.all(workers);
      },
    );
    await fc.assert(property);
  });

  it('never serves a namespace twice while another one waits in the same lane', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(9))), async (items) => {
        const queue = new WorkQueue({ clock: new VirtualClock() });
        for (const [group, name] of items) queue.add(`${group}/${name}`);
        const left = new Map<string, number>();
        for (const k of new Set(items.map(([group, name]) => `${group}/${name}`))) {
          left.set(k[0] as string, (left.get(k[0] as string) ?? 0) + 1);
        }
        let servedThisRound = new Set<string>();
        for (const k of await drain(queue)) {
          const group = k[0] as string;
          if (servedThisRound.has(group)) {
            const waiting = [...left].filter(([other, count]) => count > 0 && !servedThisRound.has(other));
            expect(waiting).toEqual([]);
            servedThisRound = new Set();
          }
          servedThisRound.add(group);
          left.set(group, (left.get(group) ?? 0) - 1);
        }
      }),
    );
  });
});
