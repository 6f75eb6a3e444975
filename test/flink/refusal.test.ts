import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../src/kube/object.ts';
import { application, blueGreen, namespace, session, sessionJob } from './manifests.ts';
import { FlinkStage } from './stage.ts';

describe('a bad spec that slipped past the webhook', () => {
  it('is refused with its reason in error, event and condition, and what runs keeps running', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await stage.editJob(name, { parallelism: 0 });
    await stage.until('it is refused', () => stage.status(name).error !== undefined);
    await stage.clock.advance(10 * 60_000);
    expect(stage.status(name).error).toMatch(/parallelism/);
    expect(stage.condition(name, 'Stalled')).toMatchObject({ status: 'True', reason: 'ValidationError' });
    expect(stage.condition(name, 'Running')).toMatchObject({ status: 'True' });
    expect(await stage.events(name, 'ValidationError')).toHaveLength(1);
    expect(stage.runs(name)).toHaveLength(1);
    expect(stage.lastRun(name).isLive).toBe(true);
    await stage.editJob(name, { parallelism: 1 });
    await stage.stable(name);
    expect(stage.status(name)).not.toHaveProperty('error');
    expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });

  it('at creation deploys nothing, and a repair is taken up', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    await stage.apply(application({ configuration: { 'kubernetes.cluster-id': 'other' } }));
    await stage.until('it is refused', () => stage.status('orders').error !== undefined);
    expect(stage.status('orders').error).toContain('kubernetes.cluster-id');
    expect(stage.pods('orders')).toEqual([]);
    await stage.edit('orders', { flinkConfiguration: { 'kubernetes.cluster-id': null } });
    await stage.stable('orders');
  });

  it('can still be deleted', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await stage.editJob(name, { parallelism: 0 });
    await stage.until('it is refused', () => stage.status(name).error !== undefined);
    await stage.remove(name);
    await stage.gone(name);
  });

  it('in the middle of an upgrade lets that end well', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await stage.editJob(name, { parallelism: 1 });
    await stage.phase(name, 'clearing');
    await stage.editJob(name, { parallelism: 0 });
    await stage.clock.advance(5 * 60_000);
    expect(stage.runs(name).filter(({ isLive }) => isLive)).toHaveLength(1);
    expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
    expect(stage.status(name).error).toMatch(/parallelism/);
    await stage.editJob(name, { parallelism: 3 });
    await stage.stable(name);
    expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });

  it('of a session job is refused likewise', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    await stage.running(session(), 0);
    const name = await stage.running(sessionJob());
    await stage.editJob(name, { jarURI: 'http://169.254.169.254/x.jar' }, 'FlinkSessionJob');
    await stage.until('it is refused', () => stage.status(name, 'FlinkSessionJob').error !== undefined);
    expect(stage.status(name, 'FlinkSessionJob').error).toContain('spec.job.jarURI');
    expect(stage.lastRun('session').isLive).toBe(true);
    expect(stage.runs('session')).toHaveLength(1);
  });
});

/** A quota that lets nobody make another FlinkStateSnapshot. */
const noSnapshots: AnyObject = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'no-snapshots', namespace },
  spec: { hard: { 'count/flinkstatesnapshots.flink.apache.org': '0' } },
};

describe('a savepoint that nobody may record', () => {
  it('is in the status, and the upgrade of an application ends', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await stage.apply(noSnapshots);
    await stage.editJob(name, { parallelism: 1 });
    await stage.stable(name);
    const [savepoint = ''] = stage.savepoints(name);
    expect(stage.snapshots()).toEqual([]);
    expect(stage.status(name).jobStatus?.savepointInfo?.lastSavepoint?.location).toBe(savepoint);
    expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
    const [note, ...more] = await stage.events(name, 'SavepointError');
    expect(note).toContain(savepoint);
    expect(note).toContain('exceeded quota: no-snapshots');
    expect(more).toEqual([]);
  });

  it('is in the status, and the upgrade of a session job ends', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    await stage.running(session(), 0);
    const name = await stage.running(sessionJob());
    await stage.apply(noSnapshots);
    await stage.editJob(name, { parallelism: 1 }, 'FlinkSessionJob');
    await stage.stable(name, 'FlinkSessionJob');
    expect(stage.status(name, 'FlinkSessionJob').jobStatus?.savepointInfo?.lastSavepoint?.location).toBeDefined();
    expect(stage.counted('session')).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });

  it('holds up neither the suspension nor the resumption of a side', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    await stage.apply(blueGreen());
    await stage.until('blue serves', () => stage.blueGreen('orders')?.status?.blueGreenState === 'ACTIVE_BLUE');
    await stage.clock.advance(25_000);
    await stage.apply(noSnapshots);
    const template = (job: object) => ({ template: { spec: { job } } });
    await stage.edit('orders', template({ state: 'suspended' }), 'FlinkBlueGreenDeployment');
    await stage.lifecycle('orders-blue', 'SUSPENDED');
    await stage.edit('orders', template({ state: 'running' }), 'FlinkBlueGreenDeployment');
    await stage.stable('orders-blue');
    expect(stage.counted('orders-blue')).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });

  it('is told of when the resource goes, which it does', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const configuration = { 'kubernetes.operator.job.savepoint-on-deletion': 'true' };
    const name = await stage.running(application({ configuration }));
    await stage.apply(noSnapshots);
    await stage.remove(name);
    await stage.gone(name);
    const [savepoint = ''] = stage.savepoints(name);
    expect(await stage.events(name, 'SavepointError')).toEqual([expect.stringContaining(savepoint)]);
  });
});
