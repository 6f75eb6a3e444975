import { describe, expect, it } from 'vitest';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { blueGreen } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const ingress = { template: '{{name}}.{{namespace}}.example.com', className: 'nginx' };

describe('the first deployment', () => {
  it('makes blue, and leads traffic to it once it runs', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    expect(orders.states).toEqual(['INITIALIZING_BLUE', 'ACTIVE_BLUE']);
    expect(orders.status).toMatchObject({
      blueGreenState: 'ACTIVE_BLUE',
      jobStatus: { state: 'RUNNING' },
      serving: { color: 'BLUE', name: 'orders-blue', uid: orders.side('blue')?.metadata.uid },
      history: [{ cause: 'first-deployment', outcome: 'promoted', to: 'BLUE' }],
    });
    expect(orders.condition('Ready')).toMatchObject({ status: 'True' });
    expect(orders.condition('Available')).toMatchObject({ status: 'True' });
    expect(orders.leadsTo()).toBe('orders-blue-rest');
    expect(orders.ran).toEqual(['blue v1']);
    expect(orders.side('green')).toBeUndefined();
    await orders.expectQuiet();
  });

  it('starts from the path that the template names', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const before = await BlueGreenOnStage.serving(stage, blueGreen());
    await before.release('v2');
    await before.active('green');
    const [path] = before.savepoints();
    const next = blueGreen({ name: 'next', job: { initialSavepointPath: path ?? '' } });
    const after = await BlueGreenOnStage.serving(stage, next);
    expect(after.lastRun('blue').origin.restoredFrom).toBe(path);
  });

  it('of a suspended template makes nothing until it is to run', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.applied(stage, blueGreen({ job: { state: 'suspended' } }));
    await orders.jobState('SUSPENDED');
    expect(orders.side('blue')).toBeUndefined();
    await orders.expectQuiet();
    await orders.editJob({ state: 'running' });
    await orders.active('blue');
    expect(orders.ran).toEqual(['blue v1']);
  });

  it('that does not come up is told, keeps trying, and is mended by an edit in place', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.applied(stage, blueGreen({ spec: { image: 'registry.example/broken' } }));
    stage.fail('orders-blue', { job: { mode: 'at-start' } });
    await orders.jobState('FAILING', 20 * 60_000);
    expect(orders.status.blueGreenState).toBe('INITIALIZING_BLUE');
    const { uid } = orders.side('blue')?.metadata ?? {};
    stage.fail('orders-blue', {});
    await orders.release('v2');
    await orders.active('blue');
    expect(orders.side('blue')?.metadata.uid).toBe(uid);
    expect(orders.states).toEqual(['INITIALIZING_BLUE', 'ACTIVE_BLUE']);
    expect(orders.status).not.toHaveProperty('error');
  });
});

describe('a transition with a savepoint', () => {
  it('goes from blue to green and back, and the counts continue', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    orders.watchTraffic();
    await orders.release('v2');
    await orders.active('green');
    await orders.sideGone('blue');
    expect(orders.leadsTo()).toBe('orders-green-rest');
    await stage.clock.advance(30_000);
    await orders.release('v3');
    await orders.active('blue');
    await orders.sideGone('green');
    expect(orders.leadsTo()).toBe('orders-blue-rest');
    expect(orders.states).toEqual([
      'INITIALIZING_BLUE',
      'ACTIVE_BLUE',
      'SAVEPOINTING_BLUE',
      'TRANSITIONING_TO_GREEN',
      'ACTIVE_GREEN',
      'SAVEPOINTING_GREEN',
      'TRANSITIONING_TO_BLUE',
      'ACTIVE_BLUE',
    ]);
    expect(orders.ran).toEqual(['blue v1', 'green v2', 'blue v3']);
    expect(orders.savepoints()).toHaveLength(2);
    expect(orders.runs.slice(1).map(({ origin }) => origin.restoredFrom)).toEqual(orders.savepoints());
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(orders.gaps).toEqual([]);
    expect(stage.snapshots()).toHaveLength(2);
    await orders.expectQuiet();
  });

  it('restores from a savepoint also where the mode is last-state', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ha: true, job: { upgradeMode: 'last-state' } }));
    await orders.release('v2');
    await orders.active('green');
    expect(orders.lastRun('green').origin.restoredFrom).toBe(orders.savepoints()[0]);
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
  });

  it('keeps its savepoint when the deployment is deleted', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    await orders.release('v2');
    await orders.active('green');
    await stage.remove('orders', 'FlinkBlueGreenDeployment');
    await orders.sideGone('green');
    await stage.clock.advance(60_000);
    expect(stage.snapshots()).toHaveLength(1);
    expect(orders.savepoints()).toHaveLength(1);
  });
});

describe('a stateless transition', () => {
  it('starts empty, takes no savepoint and does not use a path that is left over', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, job: { upgradeMode: 'stateless' } }));
    orders.watchTraffic();
    await orders.release('v2', { initialSavepointPath: 's3://bucket/left/over' });
    await orders.active('green');
    expect(orders.states).not.toContain('SAVEPOINTING_BLUE');
    expect(orders.lastRun('green')).toMatchObject({ from: 0, origin: { restoredFrom: undefined } });
    expect(orders.savepoints()).toEqual([]);
    expect(orders.gaps).toEqual([]);
  });
});

describe('an edit that demands no new side', () => {
  it('is patched into the serving side, which keeps what somebody did to it by hand', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    await orders.editSide('blue', { flinkConfiguration: { 'kubernetes.operator.reconcile.interval': '30 s' } });
    await orders.edit({ flinkConfiguration: { 'kubernetes.operator.savepoint.history.max.count': '3' } });
    await orders.active('blue');
    await stage.clock.advance(60_000);
    expect(orders.side('blue')?.spec.flinkConfiguration).toMatchObject({
      'kubernetes.operator.reconcile.interval': '30 s',
      'kubernetes.operator.savepoint.history.max.count': '3',
    });
    expect(orders.ran).toEqual(['blue v1']);
    expect(orders.states).toEqual(['INITIALIZING_BLUE', 'ACTIVE_BLUE']);
  });

  it('of the metadata of the template reaches the side', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const metadata = { labels: { team: 'a' }, annotations: { note: 'one' } };
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ metadata }));
    expect(orders.side('blue')?.metadata).toMatchObject({
      labels: { team: 'a', 'flink/blue-green-deployment-type': 'BLUE' },
      annotations: { note: 'one' },
    });
    await orders.patch({ spec: { template: { metadata: { labels: { team: 'b' } } } } });
    await stage.until('the label is there', () => orders.side('blue')?.metadata.labels?.team === 'b');
    expect(orders.ran).toEqual(['blue v1']);
  });
});
