import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { application, session, sessionJob } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const job = 'FlinkSessionJob';

/** A session cluster with two jobs in it. */
async function withJobs(stage: FlinkStage, choice: Parameters<typeof session>[0] = {}): Promise<void> {
  stage.start();
  await stage.running(session(choice), 0);
  for (const name of ['one', 'two']) await stage.running(sessionJob({ name }), 25_000);
}

const runsOf = (stage: FlinkStage, label: string) =>
  stage.runs('session').filter(({ origin }) => origin.label === label);

describe('a session cluster', () => {
  it.each(['native', 'standalone'] as const)(
    'in %s mode becomes ready and runs the jobs submitted to it',
    async (mode) => {
      await using stage = await FlinkStage.open();
      await withJobs(stage, { mode, spec: { taskManager: { resource: { memory: '1g', cpu: 0.5 }, replicas: 2 } } });
      expect(stage.status('session')).toMatchObject({
        lifecycleState: 'STABLE',
        jobManagerDeploymentStatus: 'READY',
        reconciliationStatus: { state: 'DEPLOYED' },
      });
      for (const name of ['one', 'two']) {
        expect(stage.status(name, job)).toMatchObject({ lifecycleState: 'STABLE', jobStatus: { state: 'RUNNING' } });
        expect(runsOf(stage, name)).toHaveLength(1);
        expect(runsOf(stage, name)[0]?.origin.jobId).toBe(stage.status(name, job).jobStatus?.jobId);
      }
    },
  );

  it('is made anew when its spec changes, and its jobs go on from their last checkpoints', async () => {
    await using stage = await FlinkStage.open();
    await withJobs(stage, { ha: true });
    await stage.edit('session', { jobManager: { resource: { memory: '2g', cpu: 1 } } });
    await stage.until(
      'its jobs count again',
      () => runsOf(stage, 'one').length === 2 && runsOf(stage, 'two').length === 2,
    );
    await stage.stable('session');
    for (const name of ['one', 'two']) {
      await stage.stable(name, job);
      expect(stage.counted('session', runsOf(stage, name))).toMatchObject({ lost: [], startedEmpty: 0 });
    }
  });

  it('waits with its deletion until its jobs are gone', async () => {
    await using stage = await FlinkStage.open();
    await withJobs(stage);
    await stage.remove('session');
    await stage.clock.advance(5 * 60_000);
    expect(stage.resource('session')).toBeDefined();
    expect(runsOf(stage, 'one')[0]?.isLive).toBe(true);
    for (const name of ['one', 'two']) await stage.remove(name, job);
    await stage.gone('session');
    await stage.clock.advance(60_000);
    expect(stage.pods('session')).toEqual([]);
    expect(stage.haConfigMaps('session')).toEqual([]);
  });
});

describe('a session job', () => {
  it('waits for its cluster, and starts when that is ready', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    await stage.apply(sessionJob({ name: 'one' }));
    await stage.clock.advance(5 * 60_000);
    expect(stage.runs('session')).toEqual([]);
    await stage.apply(session());
    await stage.stable('one', job);
    expect(runsOf(stage, 'one')).toHaveLength(1);
  });

  it('is refused in the cluster of an application', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    await stage.running(application({ name: 'session' }));
    await stage.apply(sessionJob({ name: 'one' }));
    await stage.until('it is refused', () => stage.condition('one', 'Stalled', job)?.status === 'True');
    expect(stage.status('one', job).error).toContain('application cluster');
  });

  it.each(['savepoint', 'last-state', 'stateless'] as const)(
    'is upgraded by %s, and its neighbour does not notice',
    async (upgradeMode) => {
      await using stage = await FlinkStage.open();
      await withJobs(stage);
      await stage.editJob('one', { upgradeMode }, job);
      await stage.stable('one', job);
      await stage.clock.advance(30_000);
      await stage.editJob('one', { parallelism: 1 }, job);
      await stage.stable('one', job);
      await stage.clock.advance(15_000);
      const [first, second] = runsOf(stage, 'one');
      expect(runsOf(stage, 'one')).toHaveLength(2);
      expect(second?.origin.jobId).not.toBe(first?.origin.jobId);
      const { lost, startedEmpty, doubled } = stage.counted('session', runsOf(stage, 'one'));
      expect({ lost, startedEmpty }).toEqual({ lost: [], startedEmpty: upgradeMode === 'stateless' ? 1 : 0 });
      if (upgradeMode === 'savepoint') expect(doubled).toEqual([]);
      expect(runsOf(stage, 'two')).toHaveLength(1);
      expect(runsOf(stage, 'two')[0]?.isLive).toBe(true);
    },
  );

  it('is suspended and resumed with its state', async () => {
    await using stage = await FlinkStage.open();
    await withJobs(stage);
    await stage.editJob('one', { state: 'suspended' }, job);
    await stage.lifecycle('one', 'SUSPENDED', job);
    await stage.clock.advance(60_000);
    expect(runsOf(stage, 'one')[0]?.isLive).toBe(false);
    await stage.editJob('one', { state: 'running' }, job);
    await stage.stable('one', job);
    expect(stage.counted('session', runsOf(stage, 'one'))).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });

  it('is redeployed without state under a new id; the HA metadata of the cluster and its neighbour stay', async () => {
    await using stage = await FlinkStage.open();
    await withJobs(stage, { ha: true });
    await stage.clock.advance(30_000);
    const neighbour = stage.status('two', job).jobStatus?.jobId;
    const shared = stage.find(kinds.configMaps, 'session-cluster-config-map')?.metadata.uid;
    stage.writes.length = 0;
    await stage.editJob('one', { statelessRedeployNonce: 1 }, job);
    await stage.stable('one', job);
    await stage.clock.advance(20_000);
    const [first, second] = runsOf(stage, 'one');
    expect(first?.end).toBe('CANCELED');
    expect(second).toMatchObject({ from: 0, origin: { restoredFrom: undefined } });
    expect(second?.origin.jobId).not.toBe(first?.origin.jobId);
    expect(stage.find(kinds.configMaps, 'session-cluster-config-map')?.metadata.uid).toBe(shared);
    expect(stage.haConfigMaps('session')).toContain(`session-${neighbour}-config-map`);
    expect(stage.writes.filter((write) => write.includes('configmaps'))).toEqual([]);
    expect(runsOf(stage, 'two')).toHaveLength(1);
    expect(stage.condition('one', 'StateDropped', job)).toMatchObject({ status: 'True' });
    expect(await stage.events('one', 'StateDropped')).toHaveLength(1);
  });

  it('is cancelled when it is deleted, and only it', async () => {
    await using stage = await FlinkStage.open();
    await withJobs(stage);
    await stage.remove('one', job);
    await stage.gone('one', job);
    expect(runsOf(stage, 'one')[0]?.end).toBe('CANCELED');
    expect(runsOf(stage, 'two')[0]?.isLive).toBe(true);
  });

  it('goes when its cluster is gone', async () => {
    await using stage = await FlinkStage.open();
    await withJobs(stage);
    await stage.person
      .resource({
        group: 'flink.apache.org',
        version: 'v1beta1',
        kind: 'FlinkDeployment',
        plural: 'flinkdeployments',
        namespaced: true,
      })
      .patch({ namespace: 'default', name: 'session' }, { type: 'merge', body: { metadata: { finalizers: null } } });
    await stage.removeObject(kinds.deployments, 'session');
    await stage.remove('one', job);
    await stage.gone('one', job, 30 * 60_000);
  });

  it('whose JobManager died without HA is submitted again under the state that is known, or a person is asked', async () => {
    await using stage = await FlinkStage.open();
    await withJobs(stage);
    await stage.clock.advance(30_000);
    await stage.killJobManager('session');
    await stage.clock.advance(5 * 60_000);
    const { jobStatus, error } = stage.status('one', job);
    // Never silently empty.
    expect(stage.counted('session', runsOf(stage, 'one'))).toMatchObject({ startedEmpty: 0 });
    expect(jobStatus?.state === 'RUNNING' || error !== undefined).toBe(true);
  });
});
