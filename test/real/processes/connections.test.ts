import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/random.ts';
import { until } from '../flink/until.ts';
import { timesMade } from './audit.ts';
import { Kept } from './kept.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { bugsOf, ProcessWorld, working } from './world.ts';

const room = 'wire';
const names = Array.from({ length: 8 }, (_, at) => `errand-${at}`);

let world: ProcessWorld;
let proxy: TcpProxy;
let operator: Kept;
let round = 0;

/** One operator lives through all of it, and is started again where it ends, as a pod would be. */
beforeAll(async () => {
  world = await ProcessWorld.open();
  await world.room(room);
  proxy = await TcpProxy.open(world.plane.url);
  operator = new Kept(() => world.replica(room, 'wire', { server: proxy.url }));
  await working(operator.now);
  await world.create(room, names);
  await world.done(room, names, ++round);
});
afterAll(async () => {
  await operator?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

describe('an operator whose connections are bad', () => {
  it('works over a slow one', async () => {
    proxy.turn({ kind: 'slow', latencyMs: 100, bytesPerSecond: 100_000 });
    await world.edit(room, names, ++round);
    await allWell();
    expect(operator.ends).toEqual([]);
    proxy.turn({ kind: 'fair' });
  });

  it('goes on when connections are cut in the middle of answers and of what watches tell', async () => {
    const random = seededRandom(9);
    const before = proxy.cuts;
    // From the middle of a handshake to some answers later.
    proxy.turn({ kind: 'cutting', afterBytes: () => 500 + Math.floor(random.next() * 12_000) });
    await world.edit(room, names, ++round);
    await until(
      'connections were cut again and again',
      () => proxy.cuts - before,
      (cuts) => cuts >= 15,
    );
    proxy.turn({ kind: 'fair' });
    await allWell();
    // What it watches is told again, too.
    await world.edit(room, names, ++round);
    await allWell();
  });

  it('goes on after a time in which connections were taken and never answered', async () => {
    const ended = operator.ends.length;
    proxy.turn({ kind: 'hole' });
    await world.edit(room, names, ++round);
    // It must let go of what it cannot be sure to hold any more.
    await until(
      'the operator has lost its lease',
      () => operator.ends.slice(ended),
      (ends) => ends.length > 0,
    );
    expect(operator.programs[ended]?.output.stderr).toMatch(/"msg":"ended: the lease was lost"/);
    proxy.turn({ kind: 'fair' });
    await allWell();
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)('goes on when the API server gets %s and comes back', async (signal) => {
    await world.edit(room, names, ++round);
    await world.plane.restartApiServer(signal);
    await allWell();
  });
});

/** The last round has run, once, and nobody failed in a way that was not foreseen. */
async function allWell(): Promise<void> {
  await world.done(room, names, round);
  expect(await world.rounds(room, names)).toEqual(each(String(round)));
  expect(timesMade(world.writes(room), 'configmaps')).toEqual(each(round));
  expect(operator.programs.flatMap(bugsOf)).toEqual([]);
  expect(operator.ends.filter(({ code }) => code !== 1)).toEqual([]);
}

function each<T>(value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.map((name) => [name, value]));
}
