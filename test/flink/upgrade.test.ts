import { describe, expect, it } from 'vitest';
import { application, checkpointMs, rate } from './manifests.ts';
import { FlinkStage } from './stage.ts';

/** What a restart from the last checkpoint may repeat at most: the records since then, and those of its making. */
const sinceCheckpoint = ((checkpointMs + 2_000) / 1000) * rate;

describe('an upgrade by savepoint', () => {
  it.each(['v1_20', 'v2_3'] as const)('of %s loses nothing and counts nothing twice', async (flinkVersion) => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ flinkVersion }));
    await stage.editJob(name, { parallelism: 1 });
    await stage.stable(name);
    await stage.clock.advance(20_000);
    const [first, second] = stage.runs(name);
    expect(stage.runs(name)).toHaveLength(2);
    expect(first?.end).toBe('FINISHED');
    expect(stage.savepoints(name)).toEqual([second?.origin.restoredFrom]);
    expect(second?.origin.jobId).not.toBe(first?.origin.jobId);
    expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
    expect(stage.snapshots().map(({ status }) => status)).toMatchObject([
      { state: 'COMPLETED', path: second?.origin.restoredFrom },
    ]);
    expect(await stage.events(name, 'SpecChanged')).toHaveLength(1);
    expect(stage.status(name).history?.[0]).toMatchObject({ cause: 'spec-change', outcome: 'deployed' });
  });

  it('takes the newest of several edits, and one savepoint for all of them', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    stage.fail(name, { savepoints: { mode: 'slow', ms: 20_000 } });
    await stage.editJob(name, { args: ['--rate', '10', '--label', 'second'] });
    await stage.phase(name, 'suspending');
    await stage.clock.advance(5_000);
    await stage.editJob(name, { args: ['--rate', '10', '--label', 'third'] });
    await stage.stable(name);
    expect(stage.runs(name).map(({ origin }) => origin.label)).toEqual(['v1', 'third']);
    expect(stage.savepoints(name)).toHaveLength(1);
    expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });

  it('to another Flink version carries the state over', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha: true, job: { upgradeMode: 'last-state' } }));
    await stage.edit(name, { flinkVersion: 'v2_3', image: 'flink:2.3' });
    await stage.stable(name);
    expect(stage.lastRun(name).origin.restoredFrom).toBe(stage.savepoints(name)[0]);
    expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });

  it('of a job that does not run goes on from its last state, through HA metadata', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha: true }));
    stage.fail(name, { job: { mode: 'after', ms: 1 } });
    await stage.until('it restarts', () => stage.status(name).jobStatus?.state === 'RESTARTING');
    await stage.editJob(name, { parallelism: 1 });
    await stage.phase(name, 'clearing');
    stage.fail(name, {});
    await stage.stable(name);
    expect(stage.savepoints(name)).toEqual([]);
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
  });
});

describe('an upgrade by last-state', () => {
  it('with HA keeps the job id and repeats at most what came after the last checkpoint', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha: true, job: { upgradeMode: 'last-state' } }));
    await stage.editJob(name, { args: ['--rate', '10', '--label', 'second'] });
    await stage.stable(name);
    await stage.clock.advance(20_000);
    const [first, second] = stage.runs(name);
    expect(stage.runs(name)).toHaveLength(2);
    expect(second?.origin.jobId).toBe(first?.origin.jobId);
    expect(second?.origin.label).toBe('second');
    expect(second?.origin.restoredFrom).toContain('/chk-');
    expect(stage.savepoints(name)).toEqual([]);
    const { lost, doubled, startedEmpty } = stage.counted(name);
    expect({ lost, startedEmpty }).toEqual({ lost: [], startedEmpty: 0 });
    expect(doubled.reduce((sum, { from, to }) => sum + to - from, 0)).toBeLessThanOrEqual(sinceCheckpoint);
  });

  it('without HA cancels the job and starts from its last checkpoint', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ job: { upgradeMode: 'last-state' } }));
    await stage.editJob(name, { parallelism: 1 });
    await stage.stable(name);
    const [first, second] = stage.runs(name);
    expect(first?.end).toBe('CANCELED');
    expect(second?.origin.restoredFrom).toMatch(new RegExp(`/${first?.origin.jobId}/chk-\\d+$`));
    expect(second?.origin.jobId).not.toBe(first?.origin.jobId);
    expect(stage.counted(name)).toMatchObject({ lost: [], startedEmpty: 0 });
  });

  it('takes a savepoint instead when the last checkpoint is too old', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const configuration = {
      'execution.checkpointing.interval': '1 h',
      'kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age': '1 min',
    };
    const choice = application({ ha: true, configuration, job: { upgradeMode: 'last-state' } });
    const name = await stage.running(choice, 10 * 60_000);
    await stage.editJob(name, { parallelism: 1 });
    await stage.stable(name);
    expect(stage.lastRun(name).origin.restoredFrom).toBe(stage.savepoints(name)[0]);
    expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });
});

describe('a stateless upgrade', () => {
  it('starts empty, and takes no savepoint', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ job: { upgradeMode: 'stateless' } }));
    await stage.editJob(name, { parallelism: 1 });
    await stage.stable(name);
    expect(stage.runs(name).map(({ end }) => end)).toEqual(['CANCELED', undefined]);
    expect(stage.counted(name)).toMatchObject({ startedEmpty: 1 });
    expect(stage.savepoints(name)).toEqual([]);
    expect(await stage.events(name, 'StateDropped')).toEqual([]);
  });

  it('drops the HA metadata, so that the new job cannot find the state of the old one', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha: true, job: { upgradeMode: 'stateless' } }));
    await stage.editJob(name, { parallelism: 1 });
    await stage.stable(name);
    expect(stage.lastRun(name)).toMatchObject({ from: 0, origin: { restoredFrom: undefined } });
  });
});

describe.each(['savepoint', 'last-state', 'stateless'] as const)('suspending with %s', (upgradeMode) => {
  it('puts the cluster away, remembers the state, and resumes with it', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha: true, job: { upgradeMode } }));
    await stage.editJob(name, { state: 'suspended' });
    await stage.lifecycle(name, 'SUSPENDED');
    await stage.clock.advance(60_000);
    expect(stage.pods(name)).toEqual([]);
    expect(stage.condition(name, 'Ready')).toMatchObject({ status: 'True', reason: 'Suspended' });
    await stage.editJob(name, { args: ['--rate', '10', '--label', 'meanwhile'] });
    await stage.clock.advance(60_000);
    expect(stage.runs(name)).toHaveLength(1);
    await stage.editJob(name, { state: 'running' });
    await stage.stable(name);
    await stage.clock.advance(20_000);
    expect(stage.runs(name).map(({ origin }) => origin.label)).toEqual(['v1', 'meanwhile']);
    const { lost, doubled, startedEmpty } = stage.counted(name);
    expect({ lost, startedEmpty }).toEqual({ lost: [], startedEmpty: upgradeMode === 'stateless' ? 1 : 0 });
    if (upgradeMode === 'savepoint') expect(doubled).toEqual([]);
  });
});

describe('restartNonce', () => {
  it('restarts by the upgrade mode, once per change, and not when it is removed', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    for (const restartNonce of [1, 2, 1]) {
      await stage.edit(name, { restartNonce });
      await stage.stable(name);
      await stage.clock.advance(15_000);
    }
    expect(stage.runs(name)).toHaveLength(4);
    await stage.edit(name, { restartNonce: null });
    await stage.clock.advance(60_000);
    await stage.edit(name, { restartNonce: 1 });
    await stage.clock.advance(60_000);
    expect(stage.runs(name)).toHaveLength(4);
    expect(stage.savepoints(name)).toHaveLength(3);
    expect(stage.counted(name)).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });
});

describe('an edit that demands nothing', () => {
  it('restarts nothing, and is used when it is needed next', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await stage.editJob(name, { upgradeMode: 'stateless', allowNonRestoredState: true });
    await stage.stable(name);
    await stage.clock.advance(60_000);
    expect(stage.runs(name)).toHaveLength(1);
    await stage.edit(name, { restartNonce: 1 });
    await stage.stable(name);
    expect(stage.counted(name)).toMatchObject({ startedEmpty: 1 });
  });
});
