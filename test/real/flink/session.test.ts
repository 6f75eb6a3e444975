import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kube/kinds.ts';
import { serveJar } from './jar-server.ts';
import { type ClusterChoice, countingArguments, session, sessionJob } from './manifests.ts';
import { FlinkWorld } from './world.ts';

const CLUSTER: ClusterChoice = { name: 'shared', version: 'v1_20' };
const JOB = 'visits';
const MINUTES = 60_000;
const JOB_MANAGER = { app: CLUSTER.name, component: 'jobmanager' };

describe('a job in a session cluster of Flink 1.20', { timeout: 8 * MINUTES }, () => {
  let world: FlinkWorld;
  let jar: Awaited<ReturnType<typeof serveJar>>;
  beforeAll(async () => {
    jar = await serveJar('flink-1.20');
    world = await FlinkWorld.open('flink-session');
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
    await jar?.[Symbol.asyncDispose]();
  });

  const attempts = () => world.volume.attempts(JOB);
  const attempt = (life: number) => {
    const found = attempts()[life - 1];
    if (found === undefined) throw new Error(`${JOB} has had ${attempts().length} lives, not ${life}`);
    return found;
  };
  const revision = (number: number) => ({ args: countingArguments(world.volume, JOB, number) });
  const runs = (job: object) => world.untilRuns('flinksessionjob', JOB, job);
  const jobManagers = async () => (await world.list(kinds.pods, JOB_MANAGER)).map(({ metadata }) => metadata.uid);

  it('is submitted, under an id of ours, and counts', async () => {
    await world.apply(session(world.volume, CLUSTER));
    const choice = { name: JOB, cluster: CLUSTER, jarURI: jar.url, upgradeMode: 'savepoint' } as const;
    await world.apply(sessionJob(world.volume, choice));
    const { status } = await runs(revision(1));
    await world.untilCounts(JOB, 1);
    expect(attempt(1).first).toMatchObject({ value: 0, count: 1, job: status?.jobStatus?.jobId });
  });

  it('goes on from one savepoint in the same cluster when its spec is edited', async () => {
    const before = await jobManagers();
    await world.editJob('flinksessionjob', JOB, revision(2));
    await runs(revision(2));
    await world.untilCounts(JOB, 2);

    expect(attempts()).toHaveLength(2);
    expect(attempt(2).first.value).toBeGreaterThan(attempt(1).last.value);
    expect(world.volume.savepoints(JOB)).toHaveLength(1);
    expect(await jobManagers()).toEqual(before);
    expect(world.volume.flaws(JOB)).toEqual([]);
  });

  it('starts from zero in the same cluster when statelessRedeployNonce changes', async () => {
    const before = await jobManagers();
    await world.editJob('flinksessionjob', JOB, { statelessRedeployNonce: 7 });
    await runs({ statelessRedeployNonce: 7 });
    await world.untilCounts(JOB, 3);

    expect(attempts()).toHaveLength(3);
    expect(attempt(3).first).toMatchObject({ value: 0, count: 1 });
    expect(new Set(attempts().map(({ job }) => job)).size).toBe(3);
    expect(world.volume.savepoints(JOB)).toHaveLength(1);
    expect(await jobManagers()).toEqual(before);
    expect(world.volume.flaws(JOB)).toEqual([]);
  });

  it('keeps its cluster from going until it is deleted itself', async () => {
    const before = await jobManagers();
    await world.askToRemove(`flinkdeployment/${CLUSTER.name}`);
    const said = () => world.events(CLUSTER.name, 'CleanupFailed');
    await world.until('the cluster says why it stays', said, (all) => all.length > 0);
    expect(await jobManagers()).toEqual(before);

    await world.remove(`flinksessionjob/${JOB}`);
    const left = () => world.list(kinds.pods, { app: CLUSTER.name });
    await world.until('no pods are left', left, (all) => all.length === 0);
  });
});
