import { describe, expect, it } from 'vitest';
import { flinkBlueGreenDeployment } from '../../src/flink/resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { application, blueGreen } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const ingress = { template: '{{name}}.example.com' };

describe('a serving side that is deleted by hand', () => {
  it('is not made again without its state: that is told with what is known of it, and a nonce goes on', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    await orders.release('v2');
    await orders.active('green');
    await stage.clock.advance(20_000);
    const [known = ''] = orders.savepoints();
    await orders.removeSide('green');
    await orders.sideGone('green');
    await orders.jobState('FAILING');
    expect(orders.status).toMatchObject({ blueGreenState: 'ACTIVE_GREEN', error: expect.stringContaining(known) });
    expect(orders.condition('Available')).toMatchObject({ status: 'False' });
    await orders.expectQuiet();
    await orders.editJob({ savepointRedeployNonce: 1, initialSavepointPath: known });
    await orders.active('blue');
    expect(orders.lastRun('blue').origin.restoredFrom).toBe(known);
    expect(orders.status).not.toHaveProperty('error');
  });

  it('is made again where it has no state', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, job: { upgradeMode: 'stateless' } }));
    const { uid } = orders.side('blue')?.metadata ?? {};
    await orders.removeSide('blue');
    await stage.until('another blue runs', () => {
      const blue = orders.side('blue');
      return blue !== undefined && blue.metadata.uid !== uid && orders.live.includes('blue');
    });
    await orders.active('blue');
    expect(orders.status.serving).toMatchObject({ uid: orders.side('blue')?.metadata.uid });
    expect(orders.leadsTo()).toBe('orders-blue-rest');
  });

  it('during a transition leaves only the way forward', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    stage.fail('orders-green', { start: { mode: 'slow', ms: 60_000 } });
    await orders.release('v2');
    await stage.until('green is there', () => orders.side('green') !== undefined);
    await orders.removeSide('blue');
    await orders.active('green', 30 * 60_000);
    expect(orders.leadsTo()).toBe('orders-green-rest');
    expect(orders.lastRun('green').origin.restoredFrom).toBe(orders.savepoints()[0]);
  });
});

describe('the new side', () => {
  it('that is deleted by hand is made again, from the same savepoint and with the same deadline', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    orders.watchTraffic();
    stage.fail('orders-green', { start: { mode: 'slow', ms: 60_000 } });
    await orders.release('v2');
    await stage.until('green is there', () => orders.side('green') !== undefined);
    const { uid } = orders.side('green')?.metadata ?? {};
    const { deadline } = orders.status.transition ?? {};
    await orders.removeSide('green');
    await stage.until('another green is there', () => {
      const other = orders.side('green')?.metadata.uid;
      return other !== undefined && other !== uid;
    });
    expect(orders.status.transition?.deadline).toBe(deadline);
    stage.fail('orders-green', {});
    await orders.active('green');
    expect(orders.savepoints()).toHaveLength(1);
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(orders.gaps).toEqual([]);
  });

  it('that fails after it got the traffic gives it back to the old one, which is still there', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const settings = { 'deployment-deletion.delay': '5 min', 'abort.grace-period': '2 min' };
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, settings }));
    await orders.release('v2');
    await orders.phase('draining');
    expect(orders.leadsTo()).toBe('orders-green-rest');
    stage.fail('orders-green', { job: { mode: 'after', ms: 1 } });
    await stage.until('traffic is back', () => orders.leadsTo() === 'orders-blue-rest');
    expect(orders.live).toContain('blue');
    await orders.state('ACTIVE_BLUE');
    expect(orders.status).toMatchObject({ serving: { color: 'BLUE' }, aborted: { color: 'GREEN' } });
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
  });

  it('that fails for a moment during the deletion delay makes the delay begin anew', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const settings = { 'deployment-deletion.delay': '3 min' };
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, settings }));
    await orders.release('v2');
    await orders.phase('draining');
    await stage.clock.advance(60_000);
    stage.fail('orders-green', { job: { mode: 'after', ms: 1 } });
    await stage.until('it is noticed', () => orders.status.transition?.deadline !== undefined);
    stage.fail('orders-green', {});
    const noticed = stage.clock.now();
    await orders.active('green');
    expect(stage.clock.now() - noticed).toBeGreaterThanOrEqual(3 * 60_000);
    expect(orders.leadsTo()).toBe('orders-green-rest');
  });
});

describe('a side that is edited by hand', () => {
  it('is left so, and that is told', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    await orders.editSide('blue', { job: { parallelism: 1 } });
    await stage.stable('orders-blue');
    await stage.until('it is told', () => orders.condition('ChangedByHand') !== undefined);
    expect(orders.condition('ChangedByHand')).toMatchObject({ message: expect.stringContaining('job.parallelism') });
    await orders.expectQuiet();
    expect(orders.side('blue')?.spec.job?.parallelism).toBe(1);
    await orders.release('v2');
    await orders.active('green');
    expect(orders.side('green')?.spec.job?.parallelism).toBe(2);
    expect(orders.condition('ChangedByHand')).toBeUndefined();
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
  });

  it('is reported as suspended when somebody suspends it, and not resumed', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    await orders.editSide('blue', { job: { state: 'suspended' } });
    await stage.lifecycle('orders-blue', 'SUSPENDED');
    await orders.jobState('SUSPENDED');
    await orders.expectQuiet();
    expect(orders.live).toEqual([]);
    expect(orders.condition('Available')).toMatchObject({ status: 'False' });
  });
});

describe('a stranger', () => {
  it('that has the name of a side is waited for, visibly, and not touched', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    const stranger = application({ name: 'orders-green' });
    await stage.apply(stranger);
    await stage.stable('orders-green');
    await orders.release('v2');
    await stage.clock.advance(5 * 60_000);
    expect(orders.status.error).toMatch(/orders-green belongs to somebody else/);
    expect(orders.live.filter((side) => side === 'green')).toHaveLength(1);
    expect(orders.side('green')?.metadata.labels ?? {}).not.toHaveProperty('flink/blue-green-deployment-type');
    await stage.remove('orders-green');
    await orders.active('green');
    expect(orders.side('green')?.metadata.labels).toHaveProperty('flink/blue-green-deployment-type', 'GREEN');
    expect(orders.status).not.toHaveProperty('error');
  });
});

describe.each([
  ['at rest', async (_: BlueGreenOnStage) => {}],
  [
    'while a savepoint is taken',
    async (orders: BlueGreenOnStage) => {
      orders.stage.fail('orders-blue', { savepoints: { mode: 'slow', ms: 60_000 } });
      await orders.release('v2');
      await orders.state('SAVEPOINTING_BLUE');
    },
  ],
  [
    'while green is made',
    async (orders: BlueGreenOnStage) => {
      orders.stage.fail('orders-green', { start: { mode: 'slow', ms: 60_000 } });
      await orders.release('v2');
      await orders.phase('starting');
    },
  ],
  [
    'while blue drains',
    async (orders: BlueGreenOnStage) => {
      await orders.release('v2');
      await orders.phase('draining');
    },
  ],
] as const)('a deployment that is deleted %s', (_, until) => {
  it('goes with all it has, and nothing is made any more', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const settings = { 'deployment-deletion.delay': '1 min' };
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, settings }));
    await until(orders);
    await stage.remove('orders', 'FlinkBlueGreenDeployment');
    await stage.until('all is gone', () =>
      [flinkBlueGreenDeployment.type, flinkDeployment.type, kinds.ingresses, kinds.deployments].every(
        (type) => orders.objects(type).length === 0,
      ),
    );
    await stage.clock.advance(10 * 60_000);
    expect(orders.objects(flinkDeployment.type)).toEqual([]);
    expect(orders.live).toEqual([]);
  });
});
