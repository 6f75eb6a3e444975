import { describe, expect, it } from 'vitest';
import { application } from './manifests.ts';
import { FlinkStage } from './stage.ts';

describe('savepointRedeployNonce', () => {
  it('cancels the job and starts anew from initialSavepointPath', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ ha: true }));
    await stage.editJob(name, { parallelism: 1 });
    await stage.stable(name);
    await stage.clock.advance(60_000);
    const [initialSavepointPath = ''] = stage.savepoints(name);
    await stage.editJob(name, { initialSavepointPath, savepointRedeployNonce: 1 });
    await stage.stable(name);
    const [, second, third] = stage.runs(name);
    expect(second?.end).toBe('CANCELED');
    expect(third?.origin).toMatchObject({ restoredFrom: initialSavepointPath });
    expect(third?.from).toBe(second?.from);
    expect(stage.savepoints(name)).toHaveLength(1);
    const { reconciliationStatus, droppedState, nonces } = stage.status(name);
    expect(reconciliationStatus?.lastStableSpec).toBe(reconciliationStatus?.lastReconciledSpec);
    expect(droppedState?.location).toContain(`${second?.origin.jobId}/chk-`);
    expect(nonces).toEqual({ savepointRedeploy: 1 });
  });

  it('brings back what a stateless redeploy left behind', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await stage.editJob(name, { statelessRedeployNonce: 1 });
    await stage.stable(name);
    await stage.clock.advance(30_000);
    const location = stage.status(name).droppedState?.location ?? expect.fail('nobody knows where the state lies');
    await stage.editJob(name, { initialSavepointPath: location, savepointRedeployNonce: 1 });
    await stage.stable(name);
    const [first, , third] = stage.runs(name);
    expect(third?.origin.restoredFrom).toBe(location);
    expect(
      stage.counted(
        name,
        [first, third].flatMap((run) => run ?? []),
      ),
    ).toMatchObject({ lost: [] });
  });

  it('without a path is refused, and the job keeps running', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await stage.editJob(name, { savepointRedeployNonce: 1 });
    await stage.until('it is refused', () => stage.condition(name, 'Stalled')?.status === 'True');
    await stage.clock.advance(60_000);
    expect(stage.status(name).error).toContain('initialSavepointPath');
    expect(stage.runs(name)).toHaveLength(1);
    expect(stage.lastRun(name).isLive).toBe(true);
    await stage.editJob(name, { savepointRedeployNonce: null });
    await stage.stable(name);
    expect(stage.status(name)).not.toHaveProperty('error');
    expect(stage.runs(name)).toHaveLength(1);
  });

  it('works on a job that has failed for good', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application({ configuration: { 'restart-strategy.type': 'none' } }));
    await stage.editJob(name, { parallelism: 1 });
    await stage.stable(name);
    const [initialSavepointPath = ''] = stage.savepoints(name);
    stage.fail(name, { job: { mode: 'after', ms: 1 } });
    await stage.jobState(name, 'FAILED');
    stage.fail(name, {});
    await stage.editJob(name, { initialSavepointPath, savepointRedeployNonce: 8 });
    await stage.stable(name);
    expect(stage.lastRun(name).origin.restoredFrom).toBe(initialSavepointPath);
  });

  it('supersedes an upgrade that is under way', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const name = await stage.running(application());
    await stage.editJob(name, { parallelism: 1 });
    await stage.stable(name);
    const [initialSavepointPath = ''] = stage.savepoints(name);
    stage.fail(name, { savepoints: { mode: 'never' } });
    await stage.edit(name, { restartNonce: 1 });
    await stage.phase(name, 'suspending');
    await stage.clock.advance(10_000);
    await stage.editJob(name, { initialSavepointPath, savepointRedeployNonce: 1 });
    await stage.stable(name);
    expect(stage.lastRun(name).origin.restoredFrom).toBe(initialSavepointPath);
    expect(stage.status(name).history?.[1]?.outcome).toContain('superseded');
  });
});
