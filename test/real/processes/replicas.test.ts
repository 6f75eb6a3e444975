import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isDeed, timesMade } from './audit.ts';
import { Stalls } from './stalls.ts';
import { bugsOf, ProcessWorld, standingBy, working } from './world.ts';

/** What is promised to users: how long nobody acts after a kill, and after a graceful stop. */
const killedMs = 20_000;
const stoppedMs = 3_000;

/** Enough that nobody has done them all before the signal comes. */
const names = Array.from({ length: 16 }, (_, at) => `errand-${at}`);
const times = (count: number): Readonly<Record<string, number>> =>
  Object.fromEntries(names.map((name) => [name, count]));

let world: ProcessWorld;
const stalls = new Stalls();
beforeAll(async () => {
  world = await ProcessWorld.open();
});
afterAll(async () => {
  stalls[Symbol.dispose]();
  await world?.[Symbol.asyncDispose]();
});

/** Each test has a namespace and a lease of its own, so that they can wait at the same time. */
describe.concurrent('two replicas on a real API server', () => {
  it('go on within 20 s when the one that acts is killed, and do nothing twice', async () => {
    const room = 'killed';
    await world.room(room);
    await using first = world.replica(room, 'killed-first');
    await working(first);
    await using second = world.replica(room, 'killed-second');
    await standingBy(second);
    await world.create(room, names);
    await world.done(room, names, 1);

    await inTheMiddle(room, 'killed-first');
    const killed = Date.now();
    first.kill('SIGKILL');
    await world.done(room, names, 2);

    const gap = firstDeed(room, 'killed-second') - killed;
    measured('SIGKILL', gap);
    expect(gap).toBeLessThanOrEqual(killedMs + stalls.since(killed));
    expect(timesMade(world.writes(room), 'configmaps')).toEqual(times(2));
    expect((await world.lease(room)).spec).toMatchObject({ leaseTransitions: 1 });
    expect(bugsOf(second)).toEqual([]);
  });

  it('hand over within 3 s when the one that acts is asked to stop', async () => {
    const room = 'stopped';
    await world.room(room);
    const replicas = ['stopped-0', 'stopped-1', 'stopped-2', 'stopped-3'];
    const gaps: number[] = [];
    const begun = Date.now();
    let leader = world.replica(room, 'stopped-0');
    try {
      await working(leader);
      await world.create(room, names);
      await world.done(room, names, 1);
      for (const [at, name] of replicas.slice(1).entries()) {
        const next = world.replica(room, name);
        await standingBy(next);
        await inTheMiddle(room, replicas[at] ?? '', at + 2);
        const asked = Date.now();
        leader.kill('SIGTERM');
        expect(await leader.ended).toEqual({ code: 0, signal: null });
        await leader[Symbol.asyncDispose]();
        leader = next;
        await world.done(room, names, at + 2);
        gaps.push(firstDeed(room, name) - asked);
      }
      measured('SIGTERM', ...gaps);
      // The middle one: a machine that stalls for a moment stalls in one of them.
      expect(gaps.toSorted((a, b) => a - b)[1]).toBeLessThanOrEqual(stoppedMs + stalls.since(begun));
      expect(timesMade(world.writes(room), 'configmaps')).toEqual(times(4));
    } finally {
      await leader[Symbol.asyncDispose]();
    }
  });

  it('are not disturbed by one that stood still past its lease: it wakes up, writes nothing, and ends', async () => {
    const room = 'frozen';
    await world.room(room);
    await using first = world.replica(room, 'frozen-first');
    await working(first);
    await using second = world.replica(room, 'frozen-second');
    await standingBy(second);
    await world.create(room, names);
    await world.done(room, names, 1);

    await inTheMiddle(room, 'frozen-first');
    const frozen = Date.now();
    first.kill('SIGSTOP');
    await world.done(room, names, 2);
    const gap = firstDeed(room, 'frozen-second') - frozen;
    measured('SIGSTOP', gap);
    expect(gap).toBeLessThanOrEqual(killedMs + stalls.since(frozen));

    // There is something to do in the moment in which it wakes up, and only one may do it.
    await world.edit(room, names, 3);
    const woken = Date.now();
    first.kill('SIGCONT');
    expect(await first.ended).toEqual({ code: 1, signal: null });
    expect(first.output.stderr).toMatch(/"msg":"ended: the lease was lost"/);
    await world.done(room, names, 3);

    const writes = world.writes(room);
    const late = writes.filter(({ by, at, code }) => by === 'frozen-first' && at >= woken && code < 400);
    // Events tell of what it did before; it may not do anything more, nor touch the lease.
    expect(late.filter(({ resource }) => resource !== 'events')).toEqual([]);
    expect(timesMade(writes, 'configmaps')).toEqual(times(3));
    expect((await world.lease(room)).spec).toMatchObject({ leaseTransitions: 1 });
    expect([...bugsOf(first), ...bugsOf(second)]).toEqual([]);
  });
});

/** Begins another round of all, and returns when this replica has begun to work on it. */
async function inTheMiddle(room: string, replica: string, round = 2): Promise<void> {
  const before = world.writes(room).length;
  await world.edit(room, names, round);
  const begun = (): boolean =>
    world
      .writes(room)
      .slice(before)
      .some((write) => write.by === replica && isDeed(write));
  await vi.waitUntil(begun, { timeout: 60_000, interval: 5 });
}

function firstDeed(room: string, replica: string): number {
  return world.writes(room).find((write) => write.by === replica && isDeed(write))?.at ?? Number.NaN;
}

function measured(what: string, ...ms: readonly number[]): void {
  console.info(`${what}: the other one acts after ${ms.map((one) => (one / 1000).toFixed(1)).join(', ')} s`);
}
