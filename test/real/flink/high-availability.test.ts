import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kube/kinds.ts';
import { application, countingArguments, highAvailability } from './manifests.ts';
import { FlinkWorld } from './world.ts';

const NAME = 'payments';
const MINUTES = 60_000;
const JOB_MANAGER = { app: NAME, component: 'jobmanager' };

describe('a native application of Flink 2.3 with high availability', { timeout: 8 * MINUTES }, () => {
  let world: FlinkWorld;
  beforeAll(async () => {
    world = await FlinkWorld.open('flink-ha');
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const attempts = () => world.volume.attempts(NAME);
  const last = () => {
    const found = attempts().at(-1);
    if (found === undefined) throw new Error(`${NAME} has never counted`);
    return found;
  };
  const revision = (number: number) => ({ args: countingArguments(world.volume, NAME, number) });

  it('starts empty and counts', async () => {
    const configuration = { ...highAvailability(world.volume), 'execution.checkpointing.interval': '2s' };
    const cluster = { name: NAME, version: 'v2_3', configuration } as const;
    await world.apply(application(world.volume, cluster, { upgradeMode: 'last-state' }));
    await world.untilRuns('flinkdeployment', NAME, revision(1));
    await world.untilCounts(NAME, 1);
    expect(last().first).toMatchObject({ value: 0, count: 1 });
  });

  it('goes on from its last checkpoint, without a savepoint and under the same id, when its spec is edited', async () => {
    const before = await checkpointed();
    const { job } = last();
    await world.editJob('flinkdeployment', NAME, revision(2));
    await world.untilRuns('flinkdeployment', NAME, revision(2));
    await world.untilCounts(NAME, 2);

    expect(attempts()).toHaveLength(2);
    expect(last().first.value).toBeGreaterThan(before);
    expect(last().job).toBe(job);
    expect(world.volume.savepoints(NAME)).toEqual([]);
    expect(world.volume.flaws(NAME)).toEqual([]);
  });

  it('recovers by itself when its JobManager is killed: the operator redeploys nothing', async () => {
    const before = await checkpointed();
    const { job } = last();
    const lives = attempts().length;
    const [deployment] = await world.list(kinds.deployments, JOB_MANAGER);
    const [pod] = await world.list(kinds.pods, JOB_MANAGER);
    await world.killPod(pod?.metadata.name ?? '');
    await world.untilCounts(NAME, lives + 1);
    await world.untilRuns('flinkdeployment', NAME, revision(2));

    expect(last().first.value).toBeGreaterThan(before);
    expect(last().job).toBe(job);
    const [deploymentAfter] = await world.list(kinds.deployments, JOB_MANAGER);
    expect(deploymentAfter?.metadata).toMatchObject({
      uid: deployment?.metadata.uid,
      generation: deployment?.metadata.generation,
    });
    expect(world.volume.flaws(NAME)).toEqual([]);
  });

  it('takes its recovery metadata along when it is deleted', async () => {
    await world.remove(`flinkdeployment/${NAME}`);
    for (const type of [kinds.deployments, kinds.configMaps, kinds.pods]) {
      const left = () => world.list(type, { app: NAME });
      await world.until(`no ${type.plural} are left`, left, (all) => all.length === 0);
    }
  });

  /** Waits for a checkpoint that begins after now, and returns how far the job had counted by now. */
  async function checkpointed(): Promise<number> {
    const { value, time } = last().last;
    const { job } = last();
    await world.until(
      'a checkpoint is completed',
      async () => (await world.flink(NAME, `/jobs/${job}/checkpoints`)) as CheckpointStatistics,
      ({ latest }) => (latest?.completed?.trigger_timestamp ?? 0) > time,
    );
    return value;
  }
});

interface CheckpointStatistics {
  readonly latest?: { readonly completed?: { readonly trigger_timestamp: number } | null };
}
