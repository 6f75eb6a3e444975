import { describe, expect, it } from 'vitest';
import type { FlinkStateSnapshot } from '../../src/flink/resources/flink-state-snapshot.ts';
import { application, namespace } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const snapshotOf = (job: string, spec: Partial<FlinkStateSnapshot['spec']>): FlinkStateSnapshot => ({
  apiVersion: 'flink.apache.org/v1beta1',
  kind: 'FlinkStateSnapshot',
  metadata: { name: 'mine', namespace },
  spec: { jobReference: { kind: 'FlinkDeployment', name: job }, ...spec },
});
const mine = (stage: FlinkStage): FlinkStateSnapshot['status'] =>
  stage.snapshots().find(({ metadata }) => metadata.name === 'mine')?.status;

describe('savepointTriggerNonce', () => {
  it('takes one savepoint per change, and the job runs on', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    for (const savepointTriggerNonce of [1, 2, null, 2]) {
      await stage.editJob(name, { savepointTriggerNonce });
      await stage.clock.advance(60_000);
    }
    expect(stage.savepoints(name)).toHaveLength(2);
    expect(stage.runs(name)).toHaveLength(1);
    expect(stage.snapshots().map(({ status }) => status?.state)).toEqual(['COMPLETED', 'COMPLETED']);
    expect(
      stage
        .snapshots()
        .map(({ status }) => status?.path)
        .sort(),
    ).toEqual(stage.savepoints(name));
    expect(stage.status(name).nonces?.savepointTrigger).toBe(2);
    expect(stage.status(name).lifecycleState).toBe('STABLE');
  });

  it('keeps the savepoint in status where there are no snapshot objects', async () => {
    await using stage = await FlinkStage.open({
      settings: { 'kubernetes.operator.snapshot.resource.enabled': 'false' },
    });
    stage.start();
    const name = await stage.running(application());
    await stage.editJob(name, { savepointTriggerNonce: 1 });
    await stage.clock.advance(60_000);
    expect(stage.snapshots()).toEqual([]);
    expect(stage.savepoints(name)).toHaveLength(1);
    expect(stage.status(name).jobStatus?.savepointInfo?.lastSavepoint).toMatchObject({
      location: stage.savepoints(name)[0],
      triggerType: 'MANUAL',
    });
  });
});

describe('checkpointTriggerNonce', () => {
  it('takes one checkpoint per change', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ configuration: { 'execution.checkpointing.interval': '24 h' } }));
    await stage.editJob(name, { checkpointTriggerNonce: 1 });
    await stage.clock.advance(60_000);
    expect(stage.snapshots().map(({ spec, status }) => [spec.checkpoint !== undefined, status?.state])).toEqual([
      [true, 'COMPLETED'],
    ]);
    expect(stage.flink.storage.list(`s3://bucket/${name}/cp`)).toHaveLength(1);
    expect(stage.runs(name)).toHaveLength(1);
  });
});

describe('periodic savepoints', () => {
  it.each([
    ['30 min', 2],
    ['0 0 * * * ?', 1],
  ])('by %s are taken, and the oldest go', async (interval, anHour) => {
    await using stage = await FlinkStage.open();
    stage.start();
    const configuration = {
      'kubernetes.operator.periodic.savepoint.interval': interval,
      'kubernetes.operator.savepoint.history.max.count': '3',
    };
    const name = await stage.running(application({ configuration }));
    await stage.clock.advance(61 * 60_000);
    expect(stage.snapshots().length).toBe(anHour);
    await stage.clock.advance(4 * 60 * 60_000);
    expect(stage.snapshots().length).toBeLessThanOrEqual(3);
    expect(stage.snapshots().every(({ status }) => status?.state === 'COMPLETED')).toBe(true);
    expect(stage.runs(name)).toHaveLength(1);
  });
});

describe('a FlinkStateSnapshot', () => {
  it('is taken, and removed from the store when it is deleted', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await stage.apply(snapshotOf(name, { savepoint: { disposeOnDelete: true } }));
    await stage.until('it is there', () => mine(stage)?.state === 'COMPLETED');
    expect(stage.savepoints(name)).toEqual([mine(stage)?.path]);
    await stage.remove('mine', 'FlinkStateSnapshot');
    await stage.until('it is gone', () => stage.snapshots().length === 0);
    expect(stage.savepoints(name)).toEqual([]);
  });

  it('that fails is tried again, with growing pauses, as often as it may', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    stage.fail(name, { savepoints: { mode: 'fail', times: 2 } });
    await stage.apply(snapshotOf(name, { savepoint: {}, backoffLimit: -1 }));
    await stage.until('it is there', () => mine(stage)?.state === 'COMPLETED');
    expect(mine(stage)).toMatchObject({ failures: 2 });
    expect(stage.savepoints(name)).toHaveLength(1);
    expect(stage.lastRun(name).isLive).toBe(true);
  });

  it('of a job that is not running is abandoned, visibly', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await stage.editJob(name, { state: 'suspended' });
    await stage.lifecycle(name, 'SUSPENDED');
    await stage.apply(snapshotOf(name, { savepoint: {} }));
    await stage.until('it is given up', () => mine(stage)?.state === 'ABANDONED');
    expect(await stage.events('mine', 'SnapshotAbandoned')).toHaveLength(1);
  });

  it('does not stick in deletion when its cluster is gone', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await stage.apply(snapshotOf(name, { savepoint: { disposeOnDelete: true } }));
    await stage.until('it is there', () => mine(stage)?.state === 'COMPLETED');
    await stage.remove(name);
    await stage.gone(name);
    await stage.remove('mine', 'FlinkStateSnapshot');
    await stage.until('it is gone', () => mine(stage) === undefined, 60 * 60_000);
    expect(stage.savepoints(name)).toHaveLength(1);
  });

  it('is triggered anew when the JobManager forgets it, and the job is never stopped for it', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha: true }));
    stage.fail(name, { savepoints: { mode: 'slow', ms: 20_000 } });
    await stage.apply(snapshotOf(name, { savepoint: {} }));
    await stage.until('it is under way', () => mine(stage)?.state === 'IN_PROGRESS');
    await stage.clock.advance(2_000);
    await stage.killJobManager(name);
    await stage.until('it is there', () => mine(stage)?.state === 'COMPLETED', 30 * 60_000);
    expect(stage.savepoints(name)).toHaveLength(1);
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
  });
});
