import { describe, expect, it } from 'vitest';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { blueGreen } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const ingress = { template: '{{name}}.example.com' };

/** A savepoint that a person took, some time ago. */
async function kept(orders: BlueGreenOnStage, directory = 'kept'): Promise<string> {
  const { stage } = orders;
  const { jobId } = orders.side('blue')?.status?.jobStatus ?? {};
  const where = `s3://bucket/${directory}/`;
  await stage.rest('orders-blue', 'POST', `/jobs/${jobId}/savepoints`, { 'target-directory': where });
  await stage.until('it is taken', () => stage.flink.storage.list(where).length > 0);
  await stage.clock.advance(20_000);
  return (stage.flink.storage.list(where)[0] ?? '').replace(/\/_metadata$/, '');
}

/** Green is being made, and is kept from coming up. */
async function transitioning(
  stage: FlinkStage,
  choice: Parameters<typeof blueGreen>[0] = {},
): Promise<BlueGreenOnStage> {
  const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, ...choice }));
  orders.watchTraffic();
  stage.fail('orders-green', { start: { mode: 'slow', ms: 5 * 60_000 } });
  await orders.editJob({ parallelism: 1 });
  await orders.state('TRANSITIONING_TO_GREEN');
  await stage.until('green is there', () => orders.side('green') !== undefined);
  return orders;
}

describe('savepointRedeployNonce', () => {
  it('starts the other side from the path of the user, without a savepoint of its own', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    const path = await kept(orders);
    orders.watchTraffic();
    await orders.editJob({ savepointRedeployNonce: 1, initialSavepointPath: path });
    await orders.active('green');
    expect(orders.lastRun('green').origin.restoredFrom).toBe(path);
    expect(orders.savepoints()).toEqual([]);
    expect(orders.states).not.toContain('SAVEPOINTING_BLUE');
    expect(orders.status.history?.[0]).toMatchObject({ cause: 'savepoint-redeploy', restoredFrom: path });
    expect(orders.gaps).toEqual([]);
    await orders.editJob({ savepointRedeployNonce: null });
    await orders.expectQuiet();
    expect(orders.runs).toHaveLength(2);
  });

  it('acts once for each change of it, and remembers what it was through its removal', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    const path = await kept(orders);
    for (const [nonce, side] of [
      [1, 'green'],
      [2, 'blue'],
      [1, 'green'],
    ] as const) {
      await orders.editJob({ savepointRedeployNonce: nonce, initialSavepointPath: path });
      await orders.active(side);
      await stage.clock.advance(60_000);
    }
    expect(orders.runs).toHaveLength(4);
    await orders.editJob({ savepointRedeployNonce: null });
    await stage.clock.advance(60_000);
    await orders.editJob({ savepointRedeployNonce: 1 });
    await stage.clock.advance(5 * 60_000);
    expect(orders.runs).toHaveLength(4);
  });

  it('mends a serving side that is broken', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    const path = await kept(orders);
    stage.fail('orders-blue', { job: { mode: 'after', ms: 1 } });
    await orders.jobState('FAILING');
    await orders.editJob({ savepointRedeployNonce: 1, initialSavepointPath: path });
    await orders.active('green');
    expect(orders.lastRun('green').origin.restoredFrom).toBe(path);
    expect(orders.leadsTo()).toBe('orders-green-rest');
  });
});

describe('statelessRedeployNonce', () => {
  it('starts the other side empty, whatever path is left over', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    orders.watchTraffic();
    await orders.editJob({ statelessRedeployNonce: 1, initialSavepointPath: 's3://left/over' });
    await orders.active('green');
    expect(orders.lastRun('green')).toMatchObject({ from: 0, origin: { restoredFrom: undefined } });
    expect(orders.savepoints()).toEqual([]);
    expect(orders.gaps).toEqual([]);
    await stage.clock.advance(30_000);
    await orders.release('v2');
    await orders.active('blue');
    expect(orders.lastRun('blue').origin.restoredFrom).toBe(orders.savepoints()[0]);
  });
});

describe('a redeploy nonce that changes during a transition (seed 003)', () => {
  it('deletes green, is ACTIVE_BLUE at once, and makes green anew from the new path once it is gone', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await transitioning(stage);
    const path = await kept(orders);
    const { uid } = orders.side('green')?.metadata ?? {};
    await orders.editJob({ savepointRedeployNonce: 1, initialSavepointPath: path });
    await orders.state('ACTIVE_BLUE', 5_000);
    expect(orders.status.savepointTriggerId ?? '').toBe('');
    expect(orders.status).not.toHaveProperty('transition');
    stage.fail('orders-green', {});
    await orders.active('green');
    expect(orders.states.slice(-4)).toEqual([
      'TRANSITIONING_TO_GREEN',
      'ACTIVE_BLUE',
      'TRANSITIONING_TO_GREEN',
      'ACTIVE_GREEN',
    ]);
    expect(orders.side('green')?.metadata.uid).not.toBe(uid);
    expect(orders.lastRun('green').origin.restoredFrom).toBe(path);
    expect(orders.savepoints()).toHaveLength(1);
    expect(orders.gaps).toEqual([]);
    expect(await stage.events('orders', 'TransitionSuperseded')).toEqual([
      `savepointRedeployNonce changed during transition from BLUE to GREEN. Aborting current transition and will restart with new savepoint from: ${path}`,
    ]);
    expect(await stage.events('orders', 'SideDeleted')).toEqual([
      "Deleted transitioning FlinkDeployment 'orders-green' due to savepointRedeployNonce change",
    ]);
  });

  it('without state starts green empty', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await transitioning(stage);
    await orders.editJob({ statelessRedeployNonce: 1 });
    await orders.state('ACTIVE_BLUE', 5_000);
    stage.fail('orders-green', {});
    await orders.active('green');
    expect(orders.lastRun('green')).toMatchObject({ from: 0, origin: { restoredFrom: undefined } });
    expect(orders.gaps).toEqual([]);
  });

  it('is pending, and warned of, while the deletion of green is stuck; and not lost by a restart', async () => {
    await using stage = await FlinkStage.open();
    const first = stage.start();
    const orders = await transitioning(stage);
    const path = await kept(orders);
    await orders.hold('green', ['test/stuck']);
    await orders.editJob({ savepointRedeployNonce: 1, initialSavepointPath: path });
    await orders.state('ACTIVE_BLUE', 5_000);
    await stage.clock.advance(5 * 60_000);
    expect(orders.status.blueGreenState).toBe('ACTIVE_BLUE');
    expect(orders.status.error).toMatch(/orders-green.*test\/stuck/);
    expect(await stage.events('orders', 'SideLeaving')).toHaveLength(1);
    await first.stop();
    stage.start();
    await stage.clock.advance(5 * 60_000);
    expect(orders.status.blueGreenState).toBe('ACTIVE_BLUE');
    stage.fail('orders-green', {});
    await orders.hold('green', []);
    await orders.active('green');
    expect(orders.lastRun('green').origin.restoredFrom).toBe(path);
    expect(orders.status).not.toHaveProperty('error');
    expect(orders.gaps).toEqual([]);
  });

  it('several times in a row ends with the last of them', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await transitioning(stage);
    const paths = [await kept(orders, 'one'), await kept(orders, 'two'), await kept(orders, 'three')];
    for (const [index, initialSavepointPath] of paths.entries()) {
      await orders.editJob({ savepointRedeployNonce: index + 1, initialSavepointPath });
      await stage.clock.advance(700);
    }
    stage.fail('orders-green', {});
    await orders.active('green');
    await orders.expectQuiet();
    expect(orders.lastRun('green').origin.restoredFrom).toBe(paths[2]);
    expect(orders.status.nonces).toMatchObject({ savepointRedeploy: 3 });
    expect(orders.gaps).toEqual([]);
  });

  it.each(['stateless', 'savepoint'] as const)(
    'and then the other one, before green is gone, ends with the %s redeploy, which is the last',
    async (last) => {
      await using stage = await FlinkStage.open();
      stage.start();
      const orders = await transitioning(stage);
      const path = await kept(orders);
      const edits = [{ savepointRedeployNonce: 1, initialSavepointPath: path }, { statelessRedeployNonce: 1 }];
      const [first, second] = last === 'stateless' ? edits : edits.toReversed();
      await orders.hold('green', ['test/stuck']);
      await orders.editJob(first ?? {});
      await orders.state('ACTIVE_BLUE', 5_000);
      await orders.editJob(second ?? {});
      await stage.clock.advance(5_000);
      expect(orders.condition('Promoted')).toMatchObject({ status: 'False', reason: 'UnderWay' });
      expect(orders.condition('Stalled')).toBeUndefined();
      stage.fail('orders-green', {});
      await orders.hold('green', []);
      await orders.active('green');
      await orders.expectQuiet();
      expect(orders.lastRun('green').origin.restoredFrom).toBe(last === 'savepoint' ? path : undefined);
      expect(orders.runs).toHaveLength(2);
      expect(await stage.events('orders', 'RedeploySuperseded')).toHaveLength(1);
      expect(orders.gaps).toEqual([]);
    },
  );

  it.each(['verifying', 'switching', 'draining'] as const)(
    'right before completion, while it is %s, still starts over',
    async (phase) => {
      await using stage = await FlinkStage.open();
      stage.start();
      const settings = {
        'deployment-deletion.delay': '30 s',
        ...(phase === 'verifying' && { 'promotion.hold': '30 s' }),
      };
      const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, settings }));
      const path = await kept(orders);
      orders.watchTraffic();
      await orders.release('v2');
      await orders.atOnceWhen(
        ({ transition }) => transition?.phase === phase,
        () => orders.editJob({ savepointRedeployNonce: 1, initialSavepointPath: path }),
      );
      const { uid } = orders.side('green')?.metadata ?? {};
      await orders.state('ACTIVE_BLUE', 60_000);
      expect(orders.leadsTo()).toBe('orders-blue-rest');
      await orders.active('green');
      expect(orders.side('green')?.metadata.uid).not.toBe(uid);
      expect(orders.lastRun('green').origin.restoredFrom).toBe(path);
      expect(orders.gaps).toEqual([]);
    },
  );

  it('after the old side went is handled from the new one', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    const path = await kept(orders);
    orders.watchTraffic();
    await orders.release('v2');
    await stage.until('blue is going', () => orders.side('blue')?.metadata.deletionTimestamp !== undefined);
    await orders.editJob({ savepointRedeployNonce: 1, initialSavepointPath: path });
    await orders.active('blue');
    expect(orders.ran.map((run) => run.split(' ')[0])).toEqual(['blue', 'green', 'blue']);
    expect(orders.lastRun('blue').origin.restoredFrom).toBe(path);
    expect(orders.gaps).toEqual([]);
  });
});

describe('another edit during a transition', () => {
  it('makes green again from the newest template and the same savepoint', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await transitioning(stage);
    const { uid } = orders.side('green')?.metadata ?? {};
    await orders.release('v3');
    stage.fail('orders-green', {});
    await orders.active('green');
    expect(orders.side('green')?.metadata.uid).not.toBe(uid);
    expect(orders.lastRun('green').origin).toMatchObject({ label: 'v3', restoredFrom: orders.savepoints()[0] });
    expect(orders.savepoints()).toHaveLength(1);
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(orders.gaps).toEqual([]);
  });

  it('that demands nothing is patched into green', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await transitioning(stage);
    const { uid } = orders.side('green')?.metadata ?? {};
    await orders.editJob({ allowNonRestoredState: true });
    await stage.until('green has it', () => orders.side('green')?.spec.job?.allowNonRestoredState === true);
    stage.fail('orders-green', {});
    await orders.active('green');
    expect(orders.side('green')?.metadata.uid).toBe(uid);
  });

  it('that puts the template back cancels it, and blue is not touched', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await transitioning(stage);
    await orders.editJob({ parallelism: 2 });
    await orders.active('blue');
    await orders.sideGone('green');
    await orders.expectQuiet();
    expect(orders.ran).toEqual(['blue v1']);
    expect(orders.status.history?.[0]).toMatchObject({ outcome: 'cancelled' });
    expect(orders.gaps).toEqual([]);
  });
});
