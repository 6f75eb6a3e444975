import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { application, type ClusterChoice } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const modes = ['native', 'standalone'] as const;
const versions = ['v1_20', 'v2_3'] as const;
const choices: ClusterChoice[] = versions.flatMap((flinkVersion) => modes.map((mode) => ({ flinkVersion, mode })));

describe('a first deployment', () => {
  it.each(choices)('of $flinkVersion in $mode mode runs its job, and says so', async (choice) => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application(choice));
    expect(stage.status(name)).toMatchObject({
      lifecycleState: 'STABLE',
      jobManagerDeploymentStatus: 'READY',
      jobStatus: { state: 'RUNNING', jobId: stage.lastRun(name).origin.jobId },
      reconciliationStatus: { state: 'DEPLOYED' },
      clusterInfo: { 'flink-version': expect.stringMatching(choice.flinkVersion === 'v1_20' ? /^1\.20/ : /^2\.3/) },
    });
    expect(stage.status(name)).not.toHaveProperty('error');
    expect(stage.status(name)).not.toHaveProperty('transition');
    expect(stage.condition(name, 'Running')).toMatchObject({ status: 'True' });
    expect(stage.condition(name, 'Ready')).toMatchObject({ status: 'True' });
    expect(stage.runs(name)).toHaveLength(1);
    expect(stage.lastRun(name).to).toBeGreaterThan(300);
    expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
    const workers = stage.find(kinds.deployments, `${name}-taskmanager`);
    expect(workers === undefined).toBe(choice.mode === 'native');
    expect(await stage.events(name, 'Submit')).toHaveLength(1);
  });

  it('starts from initialSavepointPath, once', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const first = await stage.running(application({ name: 'first', job: { savepointTriggerNonce: 1 } }));
    await stage.editJob(first, { state: 'suspended' });
    await stage.lifecycle(first, 'SUSPENDED');
    const [initialSavepointPath = ''] = stage.savepoints(first);
    const name = await stage.running(application({ job: { initialSavepointPath } }));
    expect(stage.lastRun(name).origin.restoredFrom).toBe(initialSavepointPath);
    await stage.editJob(name, { parallelism: 1 });
    await stage.stable(name);
    expect(stage.lastRun(name).origin.restoredFrom).not.toBe(initialSavepointPath);
    expect(stage.lastRun(name).origin.restoredFrom).toBe(stage.savepoints(name)[0]);
  });

  it('records the nonces that are there, and acts on none', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const nonces = { savepointTriggerNonce: 5, checkpointTriggerNonce: 6, statelessRedeployNonce: 7 };
    const name = await stage.running(
      application({ job: { ...nonces, autoscalerResetNonce: 9 }, spec: { restartNonce: 1 } }),
    );
    await stage.clock.advance(120_000);
    expect(stage.status(name).nonces).toEqual({
      restart: 1,
      savepointTrigger: 5,
      checkpointTrigger: 6,
      statelessRedeploy: 7,
      autoscalerReset: 9,
    });
    expect(stage.runs(name)).toHaveLength(1);
    expect(stage.snapshots()).toEqual([]);
    expect(stage.savepoints(name)).toEqual([]);
    expect(await stage.events(name, 'StateDropped')).toEqual([]);
  });

  it('that is suspended deploys nothing until it is to run', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    await stage.apply(application({ job: { state: 'suspended' } }));
    await stage.clock.advance(60_000);
    expect(stage.find(kinds.deployments, 'orders')).toBeUndefined();
    await stage.editJob('orders', { state: 'running' });
    await stage.stable('orders');
    expect(stage.runs('orders')).toHaveLength(1);
  });
});
