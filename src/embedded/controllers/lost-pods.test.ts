import { afterEach, expect, it } from 'vitest';
import { deployments, nodes, pods } from '../kinds/resource-types.ts';
import { aDeployment, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;

afterEach(() => cluster.stop());

const lost = (nodeName: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'lost', namespace: 'default' },
  spec: { nodeName, containers: [{ name: 'web', image: 'web:1' }] },
});

it('a pod of a node that is not there goes after 40 seconds, also one that is being deleted', async () => {
  cluster = new TestCluster();
  await cluster.world.create(pods, lost('nowhere'));
  await cluster.world.create(pods, { ...lost('nowhere'), metadata: { name: 'leaving', namespace: 'default' } });
  await cluster.world.remove(pods, cluster.get(pods, 'leaving'));
  await cluster.run(39_000);
  expect(cluster.pods().map(({ metadata }) => metadata.name)).toContain('lost');
  await cluster.run(2_000);
  expect(cluster.pods()).toEqual([]);
});

it('a pod of a node that comes in time stays', async () => {
  cluster = new TestCluster();
  await cluster.world.create(pods, lost('late'));
  await cluster.run(30_000);
  await cluster.world.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'late' } });
  await cluster.run(60_000);
  expect(cluster.pods()).toHaveLength(1);
});

it('pods of a node that was deleted are made elsewhere', async () => {
  cluster = new TestCluster();
  await cluster.world.create(deployments, aDeployment('web', { replicas: 3 }));
  await cluster.run();
  await cluster.world.remove(nodes, cluster.get(nodes, 'node-1'));
  await cluster.run(120_000);
  expect(cluster.pods().filter(({ spec }) => spec.nodeName === 'node-1')).toEqual([]);
  expect(cluster.pods().filter(({ status }) => status?.phase === 'Running')).toHaveLength(3);
});
