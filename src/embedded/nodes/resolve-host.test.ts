import { describe, expect, it } from 'vitest';
import { aDeployment, TestCluster } from '../controllers/test-cluster.ts';
import type { Service } from '../kinds/objects/cluster.ts';
import { deployments, services } from '../kinds/resource-types.ts';
import { resolveHost } from './resolve-host.ts';

describe('resolveHost', () => {
  it('finds the ready pods of a Service by all its names, and nobody for an unknown one', async () => {
    const cluster = new TestCluster();
    await cluster.run(100);
    await cluster.world.create(deployments, aDeployment('web', { replicas: 2 }));
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'default' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    };
    await cluster.world.create(services, service as unknown as Service);
    await cluster.run(30_000);
    const addresses = cluster.pods().map(({ status }) => status?.podIP);
    expect(addresses).toHaveLength(2);
    for (const name of ['web', 'web.default', 'web.default.svc', 'web.default.svc.cluster.local']) {
      expect(new Set(resolveHost(cluster.world, 'default', name))).toEqual(new Set(addresses));
    }
    expect(resolveHost(cluster.world, 'other', 'web')).toEqual([]);
    expect(resolveHost(cluster.world, 'default', 'nobody')).toEqual([]);
    expect(resolveHost(cluster.world, 'default', '10.1.2.3')).toEqual(['10.1.2.3']);
    cluster.stop();
  });
});
