import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { runController } from '../controllers/loop.ts';
import { TestWorld } from '../controllers/test-world.ts';
import { configMaps, namespaces } from '../kinds/resource-types.ts';
import { quotaStatus } from './quota-status.ts';

const quotas = { group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true };
const map = (name: string): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop' },
});

describe('quotaStatus', () => {
  it('tells how much of a quota is used, and follows what is made and deleted', async () => {
    const world = new TestWorld(1, [quotas]);
    await world.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    const hard = { configmaps: '5', 'limits.memory': '1Gi', 'count/jobs.batch': '2' };
    await world.create(quotas, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q', namespace: 'shop' },
      spec: { hard },
    } as AnyObject);
    runController(world, quotaStatus(world));
    const used = () => (world.get(quotas, 'shop', 'q')?.status as { used: unknown } | undefined)?.used;

    await world.clock.advance(1000);
    expect(world.get(quotas, 'shop', 'q')?.status).toEqual({
      hard,
      used: { configmaps: '0', 'limits.memory': '0', 'count/jobs.batch': '0' },
    });
    const first = await world.create(configMaps, map('a'));
    await world.create(configMaps, map('b'));
    await world.clock.advance(1000);
    expect(used()).toMatchObject({ configmaps: '2' });
    await world.remove(configMaps, first);
    await world.clock.advance(1000);
    expect(used()).toMatchObject({ configmaps: '1' });

    const writes = world.writes.length;
    await world.clock.advance(3600_000);
    expect(world.writes.length).toBe(writes);
  });
});
