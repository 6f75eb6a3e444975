import { describe, expect, it } from 'vitest';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { blueGreen } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const ingress = { template: '{{name}}.example.com' };
const configuration = { 'execution.checkpointing.timeout': '2 min' };

describe('the savepoint of a transition', () => {
  it('that fails leaves blue serving, is told, and tried again until it works', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    orders.watchTraffic();
    stage.fail('orders-blue', { savepoints: { mode: 'fail', times: 3 } });
    await orders.release('v2');
    await orders.jobState('FAILING');
    expect(orders.status).toMatchObject({
      blueGreenState: 'SAVEPOINTING_BLUE',
      error: expect.stringMatching(/savepoint/),
    });
    expect(orders.side('green')).toBeUndefined();
    await orders.active('green', 30 * 60_000);
    expect(orders.savepoints()).toHaveLength(1);
    expect(orders.status).not.toHaveProperty('error');
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(orders.gaps).toEqual([]);
    expect((await stage.events('orders', 'SavepointError')).length).toBeGreaterThan(0);
  });

  it('that never ends is given up for another one', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, configuration }));
    orders.watchTraffic();
    stage.fail('orders-blue', { savepoints: { mode: 'never', times: 1 } });
    await orders.release('v2');
    await orders.active('green', 60 * 60_000);
    expect(orders.savepoints()).toHaveLength(1);
    expect(orders.lastRun('green').origin.restoredFrom).toBe(orders.savepoints()[0]);
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(orders.gaps).toEqual([]);
  });

  it('that is taken while the JobManager restarts is taken again of the job that runs', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ha: true }));
    stage.fail('orders-blue', { savepoints: { mode: 'slow', ms: 60_000 } });
    await orders.release('v2');
    await orders.state('SAVEPOINTING_BLUE');
    await stage.clock.advance(5_000);
    await stage.killJobManager('orders-blue');
    stage.fail('orders-blue', {});
    await orders.active('green', 60 * 60_000);
    expect(orders.lastRun('green').origin.restoredFrom).toMatch(/savepoint/);
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
  });

  it('is left alone, and never used again, when the template is put back meanwhile', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    stage.fail('orders-blue', { savepoints: { mode: 'slow', ms: 20_000 } });
    await orders.editJob({ parallelism: 1 });
    await orders.state('SAVEPOINTING_BLUE');
    await orders.editJob({ parallelism: 2 });
    await orders.active('blue');
    await stage.clock.advance(60_000);
    expect(orders.side('green')).toBeUndefined();
    const [first] = orders.savepoints();
    stage.fail('orders-blue', {});
    await orders.editJob({ parallelism: 1 });
    await orders.active('green');
    expect(orders.savepoints()).toHaveLength(2);
    expect(orders.lastRun('green').origin.restoredFrom).not.toBe(first);
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
  });

  it('restores the newest template when that changed meanwhile', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    stage.fail('orders-blue', { savepoints: { mode: 'slow', ms: 20_000 } });
    await orders.release('v2');
    await orders.state('SAVEPOINTING_BLUE');
    await orders.release('v3');
    await orders.active('green');
    expect(orders.ran).toEqual(['blue v1', 'green v3']);
    expect(orders.savepoints()).toHaveLength(1);
  });

  it('is not waited for when the template needs no state any more, or a nonce says so', async () => {
    for (const job of [{ upgradeMode: 'stateless' }, { statelessRedeployNonce: 1 }]) {
      await using stage = await FlinkStage.open();
      stage.start();
      const orders = await BlueGreenOnStage.serving(stage, blueGreen());
      stage.fail('orders-blue', { savepoints: { mode: 'never' } });
      await orders.release('v2');
      await orders.state('SAVEPOINTING_BLUE');
      await orders.editJob(job);
      await orders.active('green', 2 * 60_000);
      expect(orders.lastRun('green')).toMatchObject({ from: 0, origin: { restoredFrom: undefined } });
    }
  });

  it('is recorded as a FlinkStateSnapshot, of which so many are kept', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const settings = { 'savepoint.history.max.count': '2' };
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ settings }), 5_000);
    for (const [label, side] of [
      ['v2', 'green'],
      ['v3', 'blue'],
      ['v4', 'green'],
    ] as const) {
      await orders.release(label);
      await orders.active(side);
      await stage.clock.advance(30_000);
    }
    const kept = stage.snapshots();
    expect(kept).toHaveLength(2);
    expect(kept.map(({ status }) => status?.path)).toContain(orders.lastRun('green').origin.restoredFrom);
    expect(orders.savepoints()).toHaveLength(3);
  });
});
