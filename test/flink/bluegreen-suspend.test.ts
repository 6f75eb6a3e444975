import { describe, expect, it } from 'vitest';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { blueGreen } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const ingress = { template: '{{name}}.example.com' };

describe('suspending', () => {
  it('suspends the serving side in place, and resuming goes on with its state', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    const { uid } = orders.side('blue')?.metadata ?? {};
    await orders.editJob({ state: 'suspended' });
    await stage.lifecycle('orders-blue', 'SUSPENDED');
    await orders.jobState('SUSPENDED');
    expect(orders.status.blueGreenState).toBe('ACTIVE_BLUE');
    expect(orders.condition('Ready')).toMatchObject({ status: 'True', reason: 'Suspended' });
    await orders.expectQuiet();
    await orders.editJob({ state: 'running' });
    await orders.active('blue');
    await orders.jobState('RUNNING');
    expect(orders.side('blue')?.metadata.uid).toBe(uid);
    expect(orders.states).toEqual(['INITIALIZING_BLUE', 'ACTIVE_BLUE']);
    expect(orders.counted()).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });

  it('takes edits along, which act when it is resumed', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    await orders.editJob({ state: 'suspended' });
    await stage.lifecycle('orders-blue', 'SUSPENDED');
    await orders.release('v2');
    await stage.clock.advance(60_000);
    expect(orders.side('green')).toBeUndefined();
    await orders.editJob({ state: 'running' });
    await stage.until('it runs', () => orders.live.length > 0);
    expect(orders.ran).toEqual(['blue v1', 'blue v2']);
    expect(orders.counted()).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });

  it('takes a redeploy nonce along, which acts once when it is resumed', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    await orders.editJob({ state: 'suspended' });
    await stage.lifecycle('orders-blue', 'SUSPENDED');
    await orders.editJob({ statelessRedeployNonce: 1 });
    await stage.clock.advance(60_000);
    await orders.editJob({ state: 'running' });
    await stage.until('it runs', () => orders.live.length > 0);
    await stage.clock.advance(5 * 60_000);
    expect(orders.ran).toEqual(['blue v1', 'blue v1']);
    expect(orders.lastRun('blue')).toMatchObject({ from: 0, origin: { restoredFrom: undefined } });
    expect(orders.side('green')).toBeUndefined();
  });

  it('during a transition is deferred visibly until the new side serves', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    orders.watchTraffic();
    stage.fail('orders-green', { start: { mode: 'slow', ms: 60_000 } });
    await orders.release('v2');
    await orders.state('TRANSITIONING_TO_GREEN');
    await stage.until('green is there', () => orders.side('green') !== undefined);
    await orders.editJob({ state: 'suspended' });
    await stage.clock.advance(20_000);
    expect(orders.status.blueGreenState).toBe('TRANSITIONING_TO_GREEN');
    expect(orders.live).toEqual(['blue']);
    expect(orders.condition('Reconciling')).toMatchObject({ status: 'True', reason: 'SuspendDeferred' });
    expect(orders.gaps).toEqual([]);
    await stage.lifecycle('orders-green', 'SUSPENDED');
    await orders.active('green');
    expect(orders.status.jobStatus?.state).toBe('SUSPENDED');
    await orders.sideGone('blue');
    await orders.editJob({ state: 'running' });
    await stage.until('it runs', () => orders.live.length > 0);
    expect(orders.ran).toEqual(['blue v1', 'green v2', 'green v2']);
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
  });

  it('together with a nonce during a transition deletes green, suspends blue, and acts on resume', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    stage.fail('orders-green', { start: { mode: 'slow', ms: 60_000 } });
    await orders.release('v2');
    await stage.until('green is there', () => orders.side('green') !== undefined);
    await orders.editJob({ state: 'suspended', statelessRedeployNonce: 1 });
    await orders.sideGone('green');
    await stage.lifecycle('orders-blue', 'SUSPENDED');
    await stage.clock.advance(60_000);
    expect(orders.side('green')).toBeUndefined();
    stage.fail('orders-green', {});
    await orders.editJob({ state: 'running' });
    await stage.until('it runs', () => orders.live.length > 0);
    await stage.clock.advance(5 * 60_000);
    expect(orders.lastRun(orders.live[0] as 'blue')).toMatchObject({ from: 0, origin: { label: 'v2' } });
    expect(orders.live).toHaveLength(1);
  });

  it('while a savepoint is taken suspends the serving side: there is no target yet', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    stage.fail('orders-blue', { savepoints: { mode: 'slow', ms: 30_000 } });
    await orders.release('v2');
    await orders.state('SAVEPOINTING_BLUE');
    await orders.editJob({ state: 'suspended' });
    await stage.lifecycle('orders-blue', 'SUSPENDED');
    await orders.active('blue');
    expect(orders.side('green')).toBeUndefined();
    stage.fail('orders-blue', {});
    await orders.editJob({ state: 'running' });
    await stage.until('it runs', () => orders.live.length > 0);
    expect(orders.ran).toEqual(['blue v1', 'blue v2']);
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
  });
});
