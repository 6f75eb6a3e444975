import type { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { Place } from './configurations.ts';

/** Makes the Service lead to a port of this machine. */
export async function reach(client: Client, { namespace, service }: Place, port: number, address = '127.0.0.1') {
  const options = { manager: 'test', force: true };
  await client.resource(kinds.services).apply(
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace, name: service },
      spec: { ports: [{ port: 443 }] },
    } as never,
    options,
  );
  await client.resource(kinds.endpointSlices).apply(
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { namespace, name: service, labels: { 'kubernetes.io/service-name': service } },
      addressType: 'IPv4',
      ports: [{ port }],
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
    } as never,
    options,
  );
}
