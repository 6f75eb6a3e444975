import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { application, countingArguments } from '../flink/manifests.ts';
import { processes } from '../flink/place.ts';
import { FlinkWorld } from '../flink/world.ts';

const NAME = 'clicks';
const MINUTES = 60_000;

/** What must not go wrong where no container runs either: a real Flink 2.3 behind a real API server. */
describe('Flink as plain processes', { timeout: 8 * MINUTES }, () => {
  let world: FlinkWorld;
  beforeAll(async () => {
    world = await FlinkWorld.open('flink-processes', processes);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const revision = (number: number) => ({ args: countingArguments(world.volume, NAME, number) });
  const runs = (job: object) => world.untilRuns('flinkdeployment', NAME, job);

  it('starts empty and counts', async () => {
    const cluster = { name: NAME, version: 'v2_3', mode: 'standalone' } as const;
    const { volume, jarURI } = world;
    await world.apply(application(volume, cluster, { upgradeMode: 'savepoint', jarURI }));
    await runs(revision(1));
    await world.untilCounts(NAME, 1);
    expect(world.volume.attempts(NAME)[0]?.first).toMatchObject({ value: 0, count: 1 });
  });

  it('goes on from exactly one savepoint although the operator is killed in the middle of it', async () => {
    const job = world.volume.attempts(NAME)[0]?.job ?? '';
    await world.volume.hold();
    await world.editJob('flinkdeployment', NAME, revision(2));
    const savepoints = () => world.savepointsOf(NAME, job);
    await world.until('Flink takes a savepoint', savepoints, ([one]) => one?.status === 'IN_PROGRESS');
    await world.replaceOperator();
    expect(await savepoints()).toHaveLength(1);
    await world.volume.release();

    await runs(revision(2));
    await world.untilCounts(NAME, 2);
    const [first, second, ...more] = world.volume.attempts(NAME);
    expect(more).toEqual([]);
    expect(second?.first.value).toBeGreaterThan(first?.last.value ?? Number.POSITIVE_INFINITY);
    expect(world.volume.savepoints(NAME)).toHaveLength(1);
    expect(world.volume.flaws(NAME)).toEqual([]);
  });

  it('starts from zero when statelessRedeployNonce changes', async () => {
    await world.editJob('flinkdeployment', NAME, { statelessRedeployNonce: 1 });
    await runs({ statelessRedeployNonce: 1 });
    await world.untilCounts(NAME, 3);
    expect(world.volume.attempts(NAME)[2]?.first).toMatchObject({ value: 0, count: 1 });
    expect(world.volume.flaws(NAME)).toEqual([]);
  });
});
