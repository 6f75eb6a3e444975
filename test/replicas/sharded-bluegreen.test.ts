import { describe, expect, it } from 'vitest';
import type { LeaseObject } from '../../src/control/lease.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { BlueGreenOnStage } from '../flink/blue-green-on-stage.ts';
import { blueGreen } from '../flink/manifests.ts';
import { FlinkStage, type Running } from '../flink/stage.ts';

const names = ['orders', 'payments', 'clicks', 'stock'];

describe('blue/green deployments whose work replicas share', () => {
  it('lose and repeat nothing when one replica dies, one stops and one joins between transitions', async () => {
    await using stage = await FlinkStage.open({ nodes: { count: 2, cpu: '256', memory: '1024Gi' } });
    await stage.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'operators' } });
    const start = (instance: string): Running =>
      stage.start({ instance, lease: { namespace: 'operators', name: 'cutover', shards: 4 } });
    const holders = (): ReadonlySet<string> => {
      const leases = stage.embedded.world.list<LeaseObject>(kinds.leases);
      const ofShards = leases.filter(({ metadata }) => metadata.name?.startsWith('cutover-shard-'));
      return new Set(ofShards.map(({ spec }) => spec?.holderIdentity?.split('_')[0] ?? ''));
    };
    const [first, second, third] = [start('op-1'), start('op-2'), start('op-3')];
    await stage.clock.advance(20_000);
    expect(holders()).toEqual(new Set(['op-1', 'op-2', 'op-3']));

    const all: BlueGreenOnStage[] = [];
    for (const name of names) all.push(await BlueGreenOnStage.applied(stage, blueGreen({ name })));
    for (const one of all) await one.active('blue');
    await stage.clock.advance(30_000);

    for (const one of all) await one.release('v2');
    await stage.clock.advance(3_000);
    first.kill();
    await stage.clock.advance(2_000);
    expect(all.some(({ status }) => status.transition)).toBe(true);
    expect(await second.stop()).toBe('stopped');
    for (const one of all) await one.active('green');
    expect(holders()).toEqual(new Set(['op-3']));

    const fourth = start('op-4');
    await stage.clock.advance(20_000);
    expect(holders()).toEqual(new Set(['op-3', 'op-4']));
    for (const one of all) await one.release('v3');
    for (const one of all) await one.active('blue');

    for (const one of all) {
      expect(one.ran, one.name).toEqual(['blue v1', 'green v2', 'blue v3']);
      expect(one.savepoints(), one.name).toHaveLength(2);
      expect(one.counted(), one.name).toMatchObject({ lost: [], startedEmpty: 0 });
      expect(one.status.history?.map(({ outcome }) => outcome)).toEqual(['promoted', 'promoted', 'promoted']);
    }
    await third.stop();
    await fourth.stop();
  });
});
