import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { blueGreen } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const ingress = { template: '{{name}}.example.com' };

const deployed = (stage: FlinkStage, settings: Record<string, string>): Promise<BlueGreenOnStage> =>
  BlueGreenOnStage.serving(stage, blueGreen({ ingress, settings }));

describe('promotion', () => {
  it('by hand waits for the annotation that names the transition', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await deployed(stage, { promotion: 'manual' });
    orders.watchTraffic();
    await orders.release('v2');
    await orders.phase('verifying');
    await orders.expectQuiet(60 * 60_000);
    expect(orders.leadsTo()).toBe('orders-blue-rest');
    expect(orders.condition('Reconciling')).toMatchObject({ reason: 'AwaitsPromotion' });
    await orders.patch({ metadata: { annotations: { 'cutover.dev/promote': 'another' } } });
    await stage.clock.advance(60_000);
    expect(orders.status.transition?.phase).toBe('verifying');
    await orders.annotate('promote');
    await orders.active('green');
    await stage.clock.advance(30_000);
    await orders.release('v3');
    await orders.phase('verifying');
    await stage.clock.advance(5 * 60_000);
    expect(orders.leadsTo()).toBe('orders-green-rest');
    expect(orders.gaps).toEqual([]);
  });

  it('by hand can be given up instead: blue serves on, and green goes', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await deployed(stage, { promotion: 'manual' });
    orders.watchTraffic();
    await orders.release('v2');
    await orders.phase('verifying');
    await orders.annotate('rollback');
    await orders.state('ACTIVE_BLUE');
    await orders.sideGone('green');
    await orders.expectQuiet();
    expect(orders.status.serving).toMatchObject({ color: 'BLUE' });
    expect(orders.gaps).toEqual([]);
  });

  it('is held back for the time that was asked for', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await deployed(stage, { 'promotion.hold': '5 min' });
    await orders.release('v2');
    await orders.phase('verifying');
    const began = stage.clock.now();
    await stage.until('traffic moves', () => orders.leadsTo() === 'orders-green-rest');
    expect(stage.clock.now() - began).toBeGreaterThanOrEqual(5 * 60_000);
    expect(stage.clock.now() - began).toBeLessThan(5 * 60_000 + 10_000);
    await orders.active('green');
  });

  it('waits for the deletion delay between traffic and the end of the old side', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await deployed(stage, { 'deployment-deletion.delay': '5 min' });
    orders.watchTraffic();
    await orders.release('v2');
    await stage.until('traffic moves', () => orders.leadsTo() === 'orders-green-rest');
    const moved = stage.clock.now();
    expect(orders.live).toEqual(['blue', 'green']);
    await stage.until('blue is going', () => orders.side('blue')?.metadata.deletionTimestamp !== undefined);
    expect(stage.clock.now() - moved).toBeGreaterThanOrEqual(5 * 60_000);
    await orders.active('green');
    expect(orders.gaps).toEqual([]);
  });
});

describe('the preview', () => {
  it('leads to the new side until that gets the traffic', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await deployed(stage, { 'preview-ingress': 'true', promotion: 'manual' });
    expect(stage.find(kinds.ingresses, 'orders-preview')).toBeUndefined();
    await orders.release('v2');
    await orders.phase('verifying');
    expect(orders.leadsTo('orders-preview')).toBe('orders-green-rest');
    expect(stage.find(kinds.ingresses, 'orders-preview')?.spec).toMatchObject({
      rules: [{ host: 'preview-orders.example.com' }],
    });
    await orders.annotate('promote');
    await orders.active('green');
    await stage.until('it is gone', () => stage.find(kinds.ingresses, 'orders-preview') === undefined);
  });
});

describe('the rollback window', () => {
  it('keeps the old side, and one annotation switches back to it', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await deployed(stage, { 'rollback-window': '30 min' });
    orders.watchTraffic();
    const { uid } = orders.side('blue')?.metadata ?? {};
    await orders.release('v2');
    await orders.phase('keeping');
    await orders.expectQuiet();
    expect(orders.leadsTo()).toBe('orders-green-rest');
    expect(orders.live).toEqual(['blue', 'green']);
    await orders.annotate('rollback');
    await orders.state('ACTIVE_BLUE');
    expect(orders.leadsTo()).toBe('orders-blue-rest');
    expect(orders.side('blue')?.metadata.uid).toBe(uid);
    await orders.sideGone('green');
    await orders.expectQuiet();
    expect(orders.status.history?.[0]).toMatchObject({ outcome: 'rolled-back' });
    expect(orders.gaps).toEqual([]);
    expect(orders.runs.filter(({ origin }) => origin.cluster.endsWith('blue'))).toHaveLength(1);
  });

  it('ends by itself, or with the next edit', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await deployed(stage, { 'rollback-window': '30 min' });
    await orders.release('v2');
    await orders.phase('keeping');
    await orders.active('green', 40 * 60_000);
    await orders.sideGone('blue');
    await orders.release('v3');
    await orders.phase('keeping');
    await orders.release('v4');
    await orders.sideGone('green');
    await stage.until('v4 runs', () => orders.lastRun('green').origin.label === 'v4' && orders.live.includes('green'));
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
  });
});
