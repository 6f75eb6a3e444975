import { afterEach, describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import type { Namespace } from '../kinds/objects/cluster.ts';
import { configMaps, deployments, namespaces, serviceAccounts } from '../kinds/resource-types.ts';
import { conditionOf } from './condition.ts';
import { aDeployment, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;

afterEach(() => cluster.stop());

const team = (): Namespace | undefined => cluster.world.get<Namespace>(namespaces, undefined, 'team');

async function start(): Promise<void> {
  cluster = new TestCluster();
  await cluster.world.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
  await cluster.run(100);
}

describe('a namespace', () => {
  it('has the certificate of the cluster again after someone changed it', async () => {
    await start();
    const stored = cluster.get<AnyObject>(configMaps, 'kube-root-ca.crt', 'team');
    await cluster.world.update(configMaps, { ...stored, data: { 'ca.crt': 'a forgery' } });
    await cluster.run(100);
    expect(cluster.get(configMaps, 'kube-root-ca.crt', 'team')).toMatchObject({
      data: { 'ca.crt': 'the certificate' },
    });
  });

  it('has a default account and the certificate of the cluster, also after someone deleted them', async () => {
    await start();
    await cluster.world.remove(serviceAccounts, cluster.get(serviceAccounts, 'default', 'team'));
    await cluster.world.remove(configMaps, cluster.get(configMaps, 'kube-root-ca.crt', 'team'));
    await cluster.run(100);
    expect(cluster.get(serviceAccounts, 'default', 'team')).toBeDefined();
    expect(cluster.get(configMaps, 'kube-root-ca.crt', 'team')).toMatchObject({
      data: { 'ca.crt': 'the certificate' },
    });
  });

  it('takes everything in it along, and goes last', async () => {
    await start();
    const web = aDeployment('web', { replicas: 2 });
    await cluster.world.create(deployments, { ...web, metadata: { ...web.metadata, namespace: 'team' } });
    await cluster.until(
      'running',
      () => cluster.pods('team').filter((pod) => pod.status?.phase === 'Running').length === 2,
    );
    await cluster.world.remove(namespaces, team() as Namespace);
    expect(team()?.status?.phase).toBe('Terminating');
    await cluster.until('gone', () => {
      if (cluster.pods('team').length > 0) expect(team()).toBeDefined();
      return team() === undefined;
    });
    for (const type of cluster.world.types().filter((one) => one.namespaced)) {
      expect(cluster.world.list(type, { namespace: 'team' })).toEqual([]);
    }
  });

  it('says which objects and finalizers hold it', async () => {
    await start();
    await cluster.world.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'held', namespace: 'team', finalizers: ['example.com/hold'] },
    });
    await cluster.world.remove(namespaces, team() as Namespace);
    await cluster.run(10_000);
    const conditions = team()?.status?.conditions;
    expect(conditionOf(conditions, 'NamespaceContentRemaining')).toMatchObject({
      status: 'True',
      message: 'Some resources are remaining: configmaps. has 1 resource instances',
    });
    expect(conditionOf(conditions, 'NamespaceFinalizersRemaining')).toMatchObject({
      status: 'True',
      message: 'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    });
    await cluster.world.patch(configMaps, 'team', 'held', { metadata: { finalizers: [] } });
    await cluster.run(10_000);
    expect(team()).toBeUndefined();
  });
});
