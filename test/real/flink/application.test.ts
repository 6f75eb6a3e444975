import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kube/kinds.ts';
import { application, countingArguments } from './manifests.ts';
import { FlinkWorld } from './world.ts';

const NAME = 'orders';
const MINUTES = 60_000;

/** The state of one cluster through every way of redeploying it; each test goes on from the one before. */
describe('a native application of Flink 1.20', { timeout: 8 * MINUTES }, () => {
  let world: FlinkWorld;
  beforeAll(async () => {
    world = await FlinkWorld.open('flink-application');
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const attempts = () => world.volume.attempts(NAME);
  const attempt = (life: number) => {
    const found = attempts()[life - 1];
    if (found === undefined) throw new Error(`${NAME} has had ${attempts().length} lives, not ${life}`);
    return found;
  };
  const revision = (number: number) => ({ args: countingArguments(world.volume, NAME, number) });
  const runs = (job: object) => world.untilRuns('flinkdeployment', NAME, job);

  it('starts empty and counts', async () => {
    await world.apply(application(world.volume, { name: NAME, version: 'v1_20' }, { upgradeMode: 'savepoint' }));
    const { status } = await runs(revision(1));
    await world.untilCounts(NAME, 1);
    expect(attempt(1).first).toMatchObject({ value: 0, count: 1, job: status?.jobStatus?.jobId });
  });

  it('goes on from one savepoint when its spec is edited', async () => {
    await world.editJob('flinkdeployment', NAME, revision(2));
    const { status } = await runs(revision(2));
    await world.untilCounts(NAME, 2);

    expect(attempts()).toHaveLength(2);
    expect(attempt(2).first.value).toBeGreaterThan(attempt(1).last.value);
    expect(world.volume.savepoints(NAME)).toHaveLength(1);
    expect(status?.jobStatus?.upgradeSavepointPath).toMatch(new RegExp(`/${world.volume.savepoints(NAME)[0]}/?$`));
    expect(world.volume.flaws(NAME)).toEqual([]);
  });

  it('takes exactly one savepoint although the operator is killed in the middle of it', async () => {
    const running = attempt(2).job;
    const before = world.volume.savepoints(NAME);
    await world.volume.hold();
    await world.editJob('flinkdeployment', NAME, revision(3));
    const savepoints = () => world.savepointsOf(NAME, running);
    await world.until('Flink takes a savepoint', savepoints, ([one]) => one?.status === 'IN_PROGRESS');

    await world.replaceOperator();
    // It asks about the savepoint that its predecessor wanted, and does not want another.
    expect(await savepoints()).toHaveLength(1);
    await world.volume.release();

    await runs(revision(3));
    await world.untilCounts(NAME, 3);
    expect(attempts()).toHaveLength(3);
    expect(attempt(3).first.value).toBeGreaterThan(attempt(2).last.value);
    expect(world.volume.savepoints(NAME)).toHaveLength(before.length + 1);
    expect(world.volume.flaws(NAME)).toEqual([]);
  });

  it('goes back to the savepoint that a new savepointRedeployNonce comes with', async () => {
    const [savepoint] = world.volume.savepoints(NAME).filter((name) => name.includes(attempt(1).job.slice(0, 6)));
    const initialSavepointPath = `file://${world.volume.mountPath}/savepoints/${NAME}/${savepoint}`;
    await world.editJob('flinkdeployment', NAME, { initialSavepointPath, savepointRedeployNonce: 1 });
    await runs({ savepointRedeployNonce: 1 });
    await world.untilCounts(NAME, 4);

    expect(attempts()).toHaveLength(4);
    expect(attempt(4).first).toMatchObject({ value: attempt(2).first.value, count: attempt(2).first.count });
    expect(world.volume.savepoints(NAME)).toHaveLength(2);
    expect(world.volume.flaws(NAME)).toEqual([]);
  });

  it('starts from zero when statelessRedeployNonce changes, and says which state it left behind', async () => {
    await world.editJob('flinkdeployment', NAME, { statelessRedeployNonce: 1 });
    const { spec } = await runs({ statelessRedeployNonce: 1 });
    await world.untilCounts(NAME, 5);

    expect(attempts()).toHaveLength(5);
    expect(attempt(5).first).toMatchObject({ value: 0, count: 1 });
    expect(attempt(5).job).not.toBe(attempt(4).job);
    expect(spec.job?.upgradeMode).toBe('savepoint');
    expect(world.volume.savepoints(NAME)).toHaveLength(2);
    // The nonce before left state behind, too, and said so.
    const dropped = await world.until(
      'it says so',
      () => world.events(NAME, 'StateDropped'),
      (all) => all.length > 1,
    );
    expect(dropped.map(({ type }) => type)).toEqual(['Warning', 'Warning']);
    expect(dropped.map(({ note }) => note).filter((note) => note.includes('without state'))).toEqual([
      expect.stringContaining(`/savepoints/${NAME}/`),
    ]);
    expect(world.volume.flaws(NAME)).toEqual([]);
  });

  it('leaves nothing behind but its savepoints when it is deleted', async () => {
    await world.remove(`flinkdeployment/${NAME}`);
    const mine = { app: NAME };
    for (const type of [kinds.deployments, kinds.services, kinds.configMaps, kinds.pods]) {
      await world.until(
        `no ${type.plural} are left`,
        () => world.list(type, mine),
        (all) => all.length === 0,
      );
    }
    expect(world.volume.savepoints(NAME)).toHaveLength(2);
  });
});
