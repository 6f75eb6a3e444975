import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { application } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const rollback = {
  'kubernetes.operator.deployment.rollback.enabled': 'true',
  'kubernetes.operator.deployment.readiness.timeout': '2 min',
};

describe('a JobManager Deployment that vanished', () => {
  it('is made again with HA, and the job goes on from its last checkpoint', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha: true }));
    const [{ origin }] = stage.runs(name) as [ReturnType<FlinkStage['lastRun']>];
    await stage.removeObject(kinds.deployments, name);
    await stage.until('it is missed', () => stage.status(name).jobStatus?.state !== 'RUNNING');
    await stage.stable(name);
    expect(stage.runs(name)).toHaveLength(2);
    expect(stage.lastRun(name).origin).toMatchObject({ jobId: origin.jobId });
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(await stage.events(name, 'RecoverDeployment')).toHaveLength(1);
  });

  it('is made again empty for a stateless job', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ job: { upgradeMode: 'stateless' } }));
    await stage.removeObject(kinds.deployments, name);
    await stage.until('it is missed', () => stage.status(name).jobStatus?.state !== 'RUNNING');
    await stage.stable(name);
    expect(stage.counted(name)).toMatchObject({ startedEmpty: 1 });
  });

  it('of a stateful job without HA is not made up: a person is asked, and redeploys', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await stage.removeObject(kinds.deployments, name);
    await stage.clock.advance(5 * 60_000);
    expect(stage.runs(name)).toHaveLength(1);
    expect(stage.find(kinds.deployments, name)).toBeUndefined();
    expect(stage.condition(name, 'Stalled')).toMatchObject({ status: 'True' });
    expect(stage.status(name).error).toMatch(/savepointRedeployNonce.*statelessRedeployNonce/s);
    await stage.editJob(name, { statelessRedeployNonce: 1 });
    await stage.stable(name);
    expect(stage.lastRun(name).from).toBe(0);
  });

  it('stays away when its recovery is switched off', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const configuration = { 'kubernetes.operator.jm-deployment-recovery.enabled': 'false' };
    const name = await stage.running(application({ ha: true, configuration }));
    await stage.removeObject(kinds.deployments, name);
    await stage.clock.advance(5 * 60_000);
    expect(stage.find(kinds.deployments, name)).toBeUndefined();
    expect(stage.status(name)).toMatchObject({ jobManagerDeploymentStatus: 'MISSING' });
  });
});

describe('a JobManager pod that was killed', () => {
  it('comes back by itself with HA, and nothing is redeployed', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha: true }));
    await stage.killJobManager(name);
    await stage.until('it is missed', () => stage.status(name).jobStatus?.state !== 'RUNNING');
    await stage.stable(name);
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(stage.status(name).history).toHaveLength(1);
  });
});

describe('a Service or ConfigMap that vanished', () => {
  it.each([
    ['Service', kinds.services, 'orders-rest'],
    ['ConfigMap', kinds.configMaps, 'flink-config-orders'],
  ] as const)('is made again: %s', async (_, type, object) => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha: true }));
    await stage.removeObject(type, object);
    await stage.until('it is back', () => stage.find(type, object) !== undefined);
    await stage.clock.advance(120_000);
    expect(stage.runs(name)).toHaveLength(1);
    expect(stage.status(name).lifecycleState).toBe('STABLE');
    expect(await stage.events(name, 'DependentRestored')).toHaveLength(1);
  });
});

describe('a spec that does not come up', () => {
  it('is rolled back with its state, and says so', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(
      application({ ha: true, configuration: rollback, job: { upgradeMode: 'last-state' } }),
    );
    await stage.edit(name, {
      podTemplate: { metadata: { annotations: { 'embedded.cutover.dev/fail': 'image-pull' } } },
    });
    await stage.lifecycle(name, 'ROLLED_BACK', 'FlinkDeployment', 20 * 60_000);
    await stage.until('the job counts again', () => stage.lastRun(name).isLive);
    await stage.clock.advance(30_000);
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(await stage.events(name, 'Rollback')).toHaveLength(1);
    expect(stage.condition(name, 'Running')).toMatchObject({ status: 'True' });
    // The next edit is tried again.
    await stage.edit(name, { podTemplate: null });
    await stage.stable(name);
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
  });

  it('stays as it is without rollback, and the next edit is taken up', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha: true }));
    await stage.edit(name, {
      podTemplate: { metadata: { annotations: { 'embedded.cutover.dev/fail': 'image-pull' } } },
    });
    await stage.clock.advance(10 * 60_000);
    expect(stage.status(name).lifecycleState).not.toBe('STABLE');
    await stage.edit(name, { podTemplate: null });
    await stage.stable(name);
    expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });
});

describe('a job that fails', () => {
  it('for good is started again from its last checkpoint when that is asked for', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const configuration = { 'restart-strategy.type': 'none', 'kubernetes.operator.job.restart.failed': 'true' };
    const name = await stage.running(application({ ha: true, configuration }));
    stage.fail(name, { job: { mode: 'after', ms: 1, times: 1 } });
    await stage.until('it is started again', () => stage.runs(name).length === 2);
    await stage.stable(name);
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(await stage.events(name, 'RestartFailedJob')).toHaveLength(1);
  });

  it('for good stays so otherwise, and its error is told', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ configuration: { 'restart-strategy.type': 'none' } }));
    stage.fail(name, { job: { mode: 'after', ms: 1, times: 1 } });
    await stage.jobState(name, 'FAILED');
    await stage.clock.advance(10 * 60_000);
    expect(stage.runs(name)).toHaveLength(1);
    expect(stage.status(name)).toMatchObject({ lifecycleState: 'FAILED', error: expect.stringMatching(/./) });
    expect(stage.condition(name, 'Stalled')).toMatchObject({ status: 'True' });
    expect((await stage.events(name, 'JobException')).length).toBeGreaterThan(0);
  });

  it('too often is restarted as unhealthy', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const configuration = {
      'kubernetes.operator.cluster.health-check.enabled': 'true',
      'kubernetes.operator.cluster.health-check.restarts.window': '5 min',
      'kubernetes.operator.cluster.health-check.restarts.threshold': '3',
      'restart-strategy.type': 'fixed-delay',
      'restart-strategy.fixed-delay.attempts': '1000000',
      'restart-strategy.fixed-delay.delay': '1 s',
    };
    const name = await stage.running(application({ ha: true, configuration, job: { upgradeMode: 'last-state' } }));
    stage.fail(name, { job: { mode: 'after', ms: 5_000 } });
    await stage.until(
      'it is restarted',
      () =>
        (stage.status(name).history ?? []).some(({ cause }) => cause === 'unhealthy') ||
        stage.status(name).transition?.cause === 'unhealthy',
    );
    stage.fail(name, {});
    await stage.stable(name);
    expect(await stage.events(name, 'RestartUnhealthyJob')).toHaveLength(1);
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
  });
});

describe('a job that has ended', () => {
  it('loses its JobManager when its time is over, and nothing is started again', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const configuration = { 'kubernetes.operator.jm-deployment.shutdown-ttl': '10 min' };
    const name = await stage.running(application({ configuration }));
    const { jobId } = stage.status(name).jobStatus ?? {};
    await stage.rest(name, 'POST', `/jobs/${jobId}/stop`, {});
    await stage.jobState(name, 'FINISHED');
    await stage.clock.advance(8 * 60_000);
    expect(stage.find(kinds.deployments, name)).toBeDefined();
    await stage.clock.advance(5 * 60_000);
    expect(stage.find(kinds.deployments, name)).toBeUndefined();
    await stage.clock.advance(60 * 60_000);
    expect(stage.runs(name)).toHaveLength(1);
    expect(stage.status(name).jobStatus?.state).toBe('FINISHED');
  });
});
