import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kube/kinds.ts';
import { application, countingArguments } from './manifests.ts';
import { FlinkWorld } from './world.ts';

const NAME = 'clicks';
const MINUTES = 60_000;

describe('a standalone application of Flink 2.3', { timeout: 8 * MINUTES }, () => {
  let world: FlinkWorld;
  beforeAll(async () => {
    world = await FlinkWorld.open('flink-standalone');
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const revision = (number: number) => ({ args: countingArguments(world.volume, NAME, number) });

  it('starts empty and counts', async () => {
    const cluster = { name: NAME, version: 'v2_3', mode: 'standalone' } as const;
    await world.apply(application(world.volume, cluster, { upgradeMode: 'savepoint' }));
    await world.untilRuns('flinkdeployment', NAME, revision(1));
    await world.untilCounts(NAME, 1);
    const [first] = world.volume.attempts(NAME);
    expect(first?.first).toMatchObject({ value: 0, count: 1 });
    const taskManagers = await world.list(kinds.deployments, { app: NAME, component: 'taskmanager' });
    expect(taskManagers.map(({ metadata }) => metadata.name)).toEqual([`${NAME}-taskmanager`]);
  });

  it('goes on from one savepoint when its spec is edited', async () => {
    await world.editJob('flinkdeployment', NAME, revision(2));
    await world.untilRuns('flinkdeployment', NAME, revision(2));
    await world.untilCounts(NAME, 2);

    const [first, second, ...more] = world.volume.attempts(NAME);
    expect(more).toEqual([]);
    expect(second?.first.value).toBeGreaterThan(first?.last.value ?? Number.POSITIVE_INFINITY);
    expect(world.volume.savepoints(NAME)).toHaveLength(1);
    expect(world.volume.flaws(NAME)).toEqual([]);
  });

  it('is gone when it is deleted, TaskManagers included', async () => {
    await world.remove(`flinkdeployment/${NAME}`);
    for (const type of [kinds.deployments, kinds.pods]) {
      const left = () => world.list(type, { app: NAME });
      await world.until(`no ${type.plural} are left`, left, (all) => all.length === 0);
    }
  });
});
