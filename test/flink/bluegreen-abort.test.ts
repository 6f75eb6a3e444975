import { describe, expect, it } from 'vitest';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { blueGreen } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const ingress = { template: '{{name}}.example.com' };
const settings = { 'abort.grace-period': '2 min' };
const broken = { podTemplate: { metadata: { annotations: { 'embedded.cutover.dev/fail': 'image-pull' } } } };

async function aborted(stage: FlinkStage, more: Record<string, string> = {}): Promise<BlueGreenOnStage> {
  const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, settings: { ...settings, ...more } }));
  orders.watchTraffic();
  await orders.edit(broken);
  await orders.state('TRANSITIONING_TO_GREEN');
  await orders.state('ACTIVE_BLUE');
  return orders;
}

describe('a side that does not come up within the grace period', () => {
  it('is given up and left as it is, while the other serves throughout', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await aborted(stage);
    expect(orders.status).toMatchObject({
      jobStatus: { state: 'FAILING' },
      serving: { color: 'BLUE' },
      aborted: { color: 'GREEN', uid: orders.side('green')?.metadata.uid },
      history: [{ outcome: 'aborted' }, { outcome: 'promoted' }],
    });
    expect(orders.status).not.toHaveProperty('transition');
    expect(orders.condition('Stalled')).toMatchObject({ status: 'True', reason: 'TransitionAborted' });
    expect(orders.condition('Available')).toMatchObject({ status: 'True' });
    expect(orders.side('green')?.spec.job?.state).toBe('running');
    await orders.expectQuiet(60 * 60_000);
    expect(orders.live).toEqual(['blue']);
    expect(orders.leadsTo()).toBe('orders-blue-rest');
    expect(orders.gaps).toEqual([]);
    expect(orders.savepoints()).toHaveLength(1);
  });

  it.each([
    ['suspend', 'suspended'],
    ['delete', undefined],
  ] as const)('is put away where that is asked for: %s', async (action, state) => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await aborted(stage, { 'abort.action': action });
    await stage.until('it is put away', () => orders.side('green')?.spec.job?.state === state);
    await orders.expectQuiet();
    expect(orders.live).toEqual(['blue']);
    expect(orders.gaps).toEqual([]);
  });

  it('is followed by a fresh one when the template changes, which starts from a fresh savepoint', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await aborted(stage);
    const { uid } = orders.side('green')?.metadata ?? {};
    await stage.clock.advance(60_000);
    const before = stage.lastRun('orders-blue').state.offset;
    await orders.edit({ podTemplate: null });
    await orders.release('v2');
    await orders.active('green');
    expect(orders.side('green')?.metadata.uid).not.toBe(uid);
    expect(orders.savepoints()).toHaveLength(2);
    const green = orders.lastRun('green');
    expect(green.origin.restoredFrom).toBe(orders.savepoints().find((path) => path === green.origin.restoredFrom));
    expect(green.from).toBeGreaterThanOrEqual(before);
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(orders.gaps).toEqual([]);
    expect(orders.status).not.toHaveProperty('error');
    expect(orders.status).not.toHaveProperty('aborted');
  });

  it('is deleted when the template is put back, and blue is not touched', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await aborted(stage);
    await orders.edit({ podTemplate: null });
    await orders.sideGone('green');
    await orders.jobState('RUNNING');
    await orders.expectQuiet();
    expect(orders.ran).toEqual(['blue v1']);
    expect(orders.condition('Ready')).toMatchObject({ status: 'True' });
    expect(orders.gaps).toEqual([]);
  });

  it('is not promoted when it becomes ready after all', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, settings }));
    orders.watchTraffic();
    stage.fail('orders-green', { start: { mode: 'slow', ms: 5 * 60_000 } });
    await orders.release('v2');
    await orders.state('TRANSITIONING_TO_GREEN');
    await orders.state('ACTIVE_BLUE');
    await stage.until('green runs after all', () => orders.live.includes('green'), 20 * 60_000);
    await stage.clock.advance(60_000);
    expect(orders.status).toMatchObject({ blueGreenState: 'ACTIVE_BLUE', serving: { color: 'BLUE' } });
    expect(orders.leadsTo()).toBe('orders-blue-rest');
    expect(orders.condition('LeftOver')).toMatchObject({ status: 'True' });
    expect(orders.gaps).toEqual([]);
  });

  it('does not keep what reaches blue in place from reaching it', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await aborted(stage);
    await orders.edit({ flinkConfiguration: { 'kubernetes.operator.savepoint.history.max.count': '3' } });
    await stage.until('blue has it', () => {
      const { flinkConfiguration } = orders.side('blue')?.spec ?? {};
      return flinkConfiguration?.['kubernetes.operator.savepoint.history.max.count'] === '3';
    });
    await orders.editJob({ state: 'suspended' });
    await stage.lifecycle('orders-blue', 'SUSPENDED');
    await orders.editJob({ state: 'running' });
    await stage.until('blue runs', () => orders.live.includes('blue'));
    expect(orders.side('blue')?.spec).not.toHaveProperty('podTemplate');
    expect(orders.counted()).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });
});

describe('the serving side', () => {
  it('is shown as failing while it is unhealthy, and no longer when it has recovered', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    stage.fail('orders-blue', { job: { mode: 'after', ms: 1 } });
    await orders.jobState('FAILING');
    expect(orders.status).toMatchObject({ blueGreenState: 'ACTIVE_BLUE', error: expect.any(String) });
    expect(orders.condition('Available')).toMatchObject({ status: 'False' });
    stage.fail('orders-blue', {});
    await orders.jobState('RUNNING');
    expect(orders.status).not.toHaveProperty('error');
    expect(orders.condition('Available')).toMatchObject({ status: 'True' });
    expect(orders.leadsTo()).toBe('orders-blue-rest');
  });

  it('that is unhealthy makes a transition with state wait visibly, and then begin by itself', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    stage.fail('orders-blue', { job: { mode: 'after', ms: 1 } });
    await orders.jobState('FAILING');
    await orders.release('v2');
    await stage.clock.advance(5 * 60_000);
    expect(orders.status.blueGreenState).toBe('ACTIVE_BLUE');
    expect(orders.side('green')).toBeUndefined();
    expect(orders.status.error).toMatch(/savepoint/);
    stage.fail('orders-blue', {});
    await orders.active('green');
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
  });

  it('that is unhealthy does not keep a stateless transition from mending it', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, job: { upgradeMode: 'stateless' } }));
    stage.fail('orders-blue', { job: { mode: 'after', ms: 1 } });
    await orders.jobState('FAILING');
    await orders.release('v2');
    await orders.active('green');
    expect(orders.live).toEqual(['green']);
  });

  it.each([
    ['with', true],
    ['without', false],
  ])('that is unhealthy is suspended for its last checkpoint where the policy says so, %s HA', async (_, ha) => {
    await using stage = await FlinkStage.open();
    stage.start();
    const policy = { 'unhealthy.policy': 'last-checkpoint' };
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ha, ingress, settings: policy }));
    stage.fail('orders-blue', { job: { mode: 'after', ms: 1 } });
    await orders.jobState('FAILING');
    await orders.release('v2');
    await orders.active('green', 30 * 60_000);
    expect(orders.lastRun('green').origin.restoredFrom).toMatch(/chk-\d+$/);
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
  });
});
