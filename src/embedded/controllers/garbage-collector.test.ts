import { afterEach, describe, expect, it } from 'vitest';
import type { KubeObject, OwnerReference } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { configMaps, deployments, events, namespaces, pods, replicaSets } from '../kinds/resource-types.ts';
import { aDeployment, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;

afterEach(() => cluster.stop());

const widgets: ResourceType = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
};
const globals: ResourceType = { ...widgets, kind: 'Global', plural: 'globals', namespaced: false };

async function make(
  type: ResourceType,
  name: string,
  owners: readonly OwnerReference[] = [],
  more: Partial<KubeObject['metadata']> = {},
): Promise<KubeObject> {
  return cluster.world.create(type, {
    apiVersion: type.group ? `${type.group}/${type.version}` : type.version,
    kind: type.kind,
    metadata: {
      name,
      ...(type.namespaced && { namespace: 'default' }),
      ...(owners.length > 0 && { ownerReferences: owners }),
      ...more,
    },
  });
}

const owned = (owner: KubeObject, blocks = false): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name ?? '',
  uid: owner.metadata.uid ?? '',
  ...(blocks && { blockOwnerDeletion: true }),
});

const exists = (type: ResourceType, name: string): boolean =>
  cluster.world.get(type, type.namespaced ? 'default' : undefined, name) !== undefined;

describe('garbage collection', () => {
  it('deletes, in the background, what has lost its owner, over several generations', async () => {
    cluster = new TestCluster();
    await cluster.world.create(deployments, aDeployment('web', { replicas: 2 }));
    await cluster.until(
      'running',
      () => cluster.pods().every((pod) => pod.status?.phase === 'Running') && cluster.pods().length === 2,
    );
    await cluster.world.remove(deployments, cluster.get(deployments, 'web'), { propagation: 'Background' });
    expect(exists(deployments, 'web')).toBe(false);
    await cluster.run(60_000);
    expect(cluster.world.list(replicaSets)).toEqual([]);
    expect(cluster.world.list(pods)).toEqual([]);
  });

  it('deletes the owner last when dependents in the foreground block it', async () => {
    cluster = new TestCluster();
    await cluster.world.create(deployments, aDeployment('web', { replicas: 2 }));
    await cluster.until('running', () => cluster.pods().length === 2);
    await cluster.world.remove(deployments, cluster.get(deployments, 'web'), { propagation: 'Foreground' });
    expect(exists(deployments, 'web')).toBe(true);
    await cluster.until('gone', () => {
      if (cluster.pods().length > 0) expect(exists(deployments, 'web')).toBe(true);
      return !exists(deployments, 'web');
    });
    expect(cluster.world.list(replicaSets)).toEqual([]);
    expect(cluster.world.list(pods)).toEqual([]);
  });

  it('does not wait in the foreground for a dependent that does not block', async () => {
    cluster = new TestCluster(1, [widgets]);
    const owner = await make(widgets, 'owner');
    await make(widgets, 'slow', [owned(owner)], { finalizers: ['example.com/hold'] });
    await cluster.world.remove(widgets, owner, { propagation: 'Foreground' });
    await cluster.run(1000);
    expect(exists(widgets, 'owner')).toBe(false);
    expect(exists(widgets, 'slow')).toBe(true);
  });

  it('waits in the foreground for a blocking dependent that is held by a finalizer', async () => {
    cluster = new TestCluster(1, [widgets]);
    const owner = await make(widgets, 'owner');
    const slow = await make(widgets, 'slow', [owned(owner, true)], { finalizers: ['example.com/hold'] });
    await cluster.world.remove(widgets, owner, { propagation: 'Foreground' });
    await cluster.run(60_000);
    expect(exists(widgets, 'owner')).toBe(true);
    await cluster.world.patch(widgets, 'default', 'slow', { metadata: { finalizers: [] } });
    await cluster.run(1000);
    expect(exists(widgets, 'owner')).toBe(false);
    expect(cluster.world.get(widgets, 'default', slow.metadata.name ?? '')).toBeUndefined();
  });

  it('orphans dependents when asked, and lets the owner go after that', async () => {
    cluster = new TestCluster();
    await cluster.world.create(deployments, aDeployment('web', { replicas: 2 }));
    await cluster.until('running', () => cluster.pods().length === 2);
    await cluster.world.remove(deployments, cluster.get(deployments, 'web'), { propagation: 'Orphan' });
    await cluster.run(60_000);
    expect(exists(deployments, 'web')).toBe(false);
    expect(cluster.world.list(replicaSets)).toHaveLength(1);
    expect(cluster.world.list(replicaSets)[0]?.metadata.ownerReferences ?? []).toEqual([]);
    expect(cluster.pods()).toHaveLength(2);
  });

  it('keeps what still has another owner, and forgets the one that is gone', async () => {
    cluster = new TestCluster();
    const first = await make(configMaps, 'first');
    const second = await make(configMaps, 'second');
    await make(configMaps, 'both', [owned(first), owned(second)]);
    await cluster.world.remove(configMaps, first);
    await cluster.run(1000);
    expect(cluster.get(configMaps, 'both').metadata.ownerReferences).toEqual([owned(second)]);
    await cluster.world.remove(configMaps, second);
    await cluster.run(1000);
    expect(exists(configMaps, 'both')).toBe(false);
  });

  it('deletes an object whose owner never existed, or is another of the same name', async () => {
    cluster = new TestCluster();
    const real = await make(configMaps, 'real');
    await make(configMaps, 'stray', [{ ...owned(real), uid: '00000000-0000-4000-8000-000000000000' }]);
    await cluster.run(1000);
    expect(exists(configMaps, 'stray')).toBe(false);
    expect(exists(configMaps, 'real')).toBe(true);
  });

  it('takes an owner in another namespace for absent, and says so', async () => {
    cluster = new TestCluster();
    await cluster.world.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    await cluster.run(100);
    const foreign = cluster.get(configMaps, 'kube-root-ca.crt', 'other');
    await make(configMaps, 'stray', [owned(foreign)]);
    await cluster.run(1000);
    expect(exists(configMaps, 'stray')).toBe(false);
    const reasons = cluster.world.list(events).map((event) => event.reason);
    expect(reasons).toContain('OwnerRefInvalidNamespace');
  });

  it('lets a cluster-wide owner own what is in namespaces', async () => {
    cluster = new TestCluster(1, [globals]);
    const owner = await make(globals, 'all');
    await make(configMaps, 'part', [owned(owner)]);
    await cluster.run(1000);
    expect(exists(configMaps, 'part')).toBe(true);
    await cluster.world.remove(globals, owner);
    await cluster.run(1000);
    expect(exists(configMaps, 'part')).toBe(false);
  });
});
