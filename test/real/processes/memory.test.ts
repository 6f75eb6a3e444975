import { afterAll, beforeAll, expect, it } from 'vitest';
import { operatorVersion } from '../../../src/kudo/resources/operator-version.ts';
import { timesMade } from './audit.ts';
import { heavyPackage } from './errand.ts';
import { bugsOf, ProcessWorld } from './world.ts';

const room = 'memory';
const names = ['one', 'two', 'three', 'four'];
/** What a small operator needs, and not much more. */
const heapMb = 64;
const packageBytes = 500_000;
/** Several times what there is room for. */
const most = 400;

let world: ProcessWorld;
beforeAll(async () => {
  world = await ProcessWorld.open();
  await world.room(room);
});
afterAll(() => world?.[Symbol.asyncDispose]());

it('says that its memory is used up when it is, and another one with more of it goes on', async () => {
  // Without a lease, for which the other one would only wait.
  const flags = ['--no-leader-elect'];
  const env = { NODE_OPTIONS: `--max-old-space-size=${heapMb}` };
  await using small = world.replica(room, 'small', { flags, env });
  await world.create(room, names);
  await world.done(room, names, 1);

  let over = false;
  void small.ended.then(() => {
    over = true;
  });
  for (let n = 0; n < most && !over; n++) {
    await world.person.resource(operatorVersion.type).create(heavyPackage(room, `heavy-${n}`, packageBytes));
  }
  await world.edit(room, names, 2);
  expect(await small.ended).toMatchObject({ signal: 'SIGABRT' });
  expect(small.output.stderr).toMatch(/heap out of memory/);

  await using large = world.replica(room, 'large', { flags });
  await world.done(room, names, 2);
  expect(timesMade(world.writes(room), 'configmaps')).toEqual(Object.fromEntries(names.map((name) => [name, 2])));
  expect(bugsOf(large)).toEqual([]);
});
