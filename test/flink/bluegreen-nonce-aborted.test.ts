import { describe, expect, it } from 'vitest';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { blueGreen } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const ingress = { template: '{{name}}.example.com' };
const settings = { 'abort.grace-period': '2 min' };
const broken = { podTemplate: { metadata: { annotations: { 'embedded.cutover.dev/fail': 'image-pull' } } } };
const patchable = { flinkConfiguration: { 'kubernetes.operator.savepoint.history.max.count': '3' } };

/** A stateless redeploy and a template that does not come up, in one edit. */
async function aborted(stage: FlinkStage): Promise<BlueGreenOnStage> {
  const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, settings }));
  orders.watchTraffic();
  await orders.edit({ ...broken, job: { statelessRedeployNonce: 1 } });
  await orders.state('TRANSITIONING_TO_GREEN');
  await orders.state('ACTIVE_BLUE');
  return orders;
}

describe('a stateless redeploy that was given up', () => {
  it('never restarts the side that serves: not when the template is put back with something to patch', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await aborted(stage);
    await orders.edit({ podTemplate: null, ...patchable });
    await stage.until('blue has it', () => {
      const { flinkConfiguration } = orders.side('blue')?.spec ?? {};
      return flinkConfiguration?.['kubernetes.operator.savepoint.history.max.count'] === '3';
    });
    await orders.sideGone('green');
    await stage.clock.advance(5 * 60_000);
    expect(orders.ran).toEqual(['blue v1']);
    expect(orders.live).toEqual(['blue']);
    expect(orders.gaps).toEqual([]);
    expect(orders.side('blue')?.spec.job).not.toHaveProperty('statelessRedeployNonce');
    expect(orders.counted()).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });

  it('does not act on blue when that is suspended and resumed: it goes on with its state', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await aborted(stage);
    await orders.edit({ podTemplate: null });
    await orders.sideGone('green');
    await orders.editJob({ state: 'suspended' });
    await stage.lifecycle('orders-blue', 'SUSPENDED');
    await orders.editJob({ state: 'running' });
    await stage.until('blue runs', () => orders.live.includes('blue'));
    expect(orders.lastRun('blue').origin.restoredFrom).toBeDefined();
    expect(orders.counted()).toMatchObject({ lost: [], doubled: [], startedEmpty: 0 });
  });

  it('starts the mended template empty, as it was asked to', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await aborted(stage);
    await orders.edit({ podTemplate: null, job: { parallelism: 1 } });
    await orders.active('green');
    expect(orders.lastRun('green')).toMatchObject({ from: 0, origin: { restoredFrom: undefined } });
    expect(orders.savepoints()).toEqual([]);
    expect(orders.gaps).toEqual([]);
  });
});
