import { describe, expect, it } from 'vitest';
import type { BlueGreenPhase } from '../../src/flink/resources/blue-green-transition.ts';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { blueGreen } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const ingress = { template: '{{name}}.example.com' };
const others = ['flinkdeployment', 'flinksessionjob', 'flinkstatesnapshot'];

describe.each<[BlueGreenPhase, Record<string, string>]>([
  ['savepointing', {}],
  ['starting', {}],
  ['verifying', { 'promotion.hold': '5 s' }],
  ['switching', {}],
  ['draining', { 'deployment-deletion.delay': '5 s' }],
  ['keeping', { 'rollback-window': '5 s' }],
  ['retiring', {}],
])('an operator that dies when the transition is %s', (phase, settings) => {
  it('is followed by one that goes on from there, with the one savepoint that was taken', async () => {
    await using stage = await FlinkStage.open();
    const first = stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, settings }));
    orders.watchTraffic();
    await orders.release('v2');
    await orders.atOnceWhen(
      ({ transition }) => transition?.phase === phase,
      async () => first.kill(),
    );
    await stage.clock.advance(30_000);
    stage.start();
    await orders.active('green');
    await orders.sideGone('blue');
    await stage.clock.advance(60_000);
    expect(orders.ran).toEqual(['blue v1', 'green v2']);
    expect(orders.savepoints()).toHaveLength(1);
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(orders.gaps).toEqual([]);
    expect(orders.status.history?.map(({ outcome }) => outcome)).toEqual(['promoted', 'promoted']);
  });
});

describe('an operator that dies', () => {
  it('during the first deployment is followed by one that ends it', async () => {
    await using stage = await FlinkStage.open();
    const first = stage.start();
    const orders = await BlueGreenOnStage.applied(stage, blueGreen({ ingress }));
    await orders.atOnceWhen(
      ({ transition }) => transition !== undefined,
      async () => first.kill(),
    );
    await stage.clock.advance(30_000);
    stage.start();
    await orders.active('blue');
    expect(orders.ran).toEqual(['blue v1']);
    expect(orders.leadsTo()).toBe('orders-blue-rest');
  });

  it('during a way back is followed by one that ends it', async () => {
    await using stage = await FlinkStage.open();
    const first = stage.start();
    const settings = { 'rollback-window': '10 min' };
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, settings }));
    orders.watchTraffic();
    await orders.release('v2');
    await orders.phase('keeping');
    await orders.annotate('rollback');
    await orders.atOnceWhen(
      ({ transition }) => transition?.phase === 'returning',
      async () => first.kill(),
    );
    await stage.clock.advance(30_000);
    stage.start();
    await orders.active('blue');
    await orders.sideGone('green');
    expect(orders.live).toEqual(['blue']);
    expect(orders.leadsTo()).toBe('orders-blue-rest');
    expect(orders.ran).toEqual(['blue v1', 'green v2']);
    expect(orders.gaps).toEqual([]);
  });
});

describe('a redeploy nonce (seed 003)', () => {
  it('is not lost when the operator dies before the new side exists', async () => {
    await using stage = await FlinkStage.open();
    const first = stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    orders.watchTraffic();
    stage.fail('orders-green', { start: { mode: 'slow', ms: 5 * 60_000 } });
    await orders.release('v2');
    await stage.until('green is there', () => orders.side('green') !== undefined);
    await orders.editJob({ statelessRedeployNonce: 1 });
    await orders.atOnceWhen(
      ({ blueGreenState }) => blueGreenState === 'ACTIVE_BLUE',
      async () => first.kill(),
    );
    stage.fail('orders-green', {});
    await stage.clock.advance(30_000);
    stage.start();
    await orders.active('green');
    await orders.expectQuiet();
    expect(orders.lastRun('green')).toMatchObject({ from: 0, origin: { restoredFrom: undefined, label: 'v2' } });
    expect(orders.gaps).toEqual([]);
  });
});

describe('a transition', () => {
  it('costs the blue/green controller at most 25 writes, without events', async () => {
    await using stage = await FlinkStage.open();
    stage.start({ off: ['flinkbluegreendeployment'] });
    const controller = stage.start({ off: others });
    const settings = { 'deployment-deletion.delay': '5 s', 'preview-ingress': 'true', 'rollback-window': '5 s' };
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, settings }));
    const before = controller.writes.length;
    await orders.release('v2');
    await orders.active('green');
    await orders.sideGone('blue');
    await stage.clock.advance(10 * 60_000);
    const writes = controller.writes.slice(before);
    expect(writes.length, writes.join('\n')).toBeLessThanOrEqual(25);
    expect(writes.filter((write) => write.startsWith('DELETE')).length).toBeGreaterThanOrEqual(1);
  });
});
