import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { ensureBootstrapRoles } from '../auth/bootstrap.ts';
import type { World } from '../world.ts';

/** The API server's own address in the cluster: the first of the Service range. */
const serverAddress = '10.96.0.1';

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Creates what every cluster has from its first moment, as far as it is missing. */
export async function foundCluster(world: World): Promise<void> {
  for (const name of namespaces) {
    await ensure(world, kinds.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  await ensureBootstrapRoles(world);
  await ensure(world, kinds.services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      type: 'ClusterIP',
      clusterIP: serverAddress,
      clusterIPs: [serverAddress],
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
      sessionAffinity: 'None',
    },
  } as KubeObject);
}

/** Says where the API server answers, under the name `kubernetes` by which pods ask for it. */
export async function announce(world: World, address: string, port: number): Promise<void> {
  const type = kinds.endpointSlices;
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { 'kubernetes.io/service-name': 'kubernetes' },
    },
    addressType: 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: 'https', port, protocol: 'TCP' }],
  };
  const present = world.get(type, 'default', 'kubernetes');
  if (!present) await world.create(type, slice as KubeObject);
  else await world.update(type, { ...slice, metadata: { ...present.metadata, ...slice.metadata } } as KubeObject);
}

async function ensure(world: World, type: ResourceType, object: KubeObject): Promise<void> {
  const { namespace, name = '' } = object.metadata;
  if (!world.get(type, namespace, name)) await world.create(type, object);
}
