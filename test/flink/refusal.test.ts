import { describe, expect, it } from 'vitest';
import { application, session, sessionJob } from './manifests.ts';
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
