import type { KubeObject } from '../../kube/object.ts';
import { destinationServiceName } from '../names.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import type { Destination } from './destination-service.ts';
import { ownedBy } from './owned-by.ts';

/** How a Gateway brings requests to the destinations of a route: to each the same share. */
export function httpRoute(
  route: CfRoute,
  { fqdn, path }: { readonly fqdn: string; readonly path: string },
  destinations: readonly Destination[],
  gateway: { readonly namespace: string; readonly name: string },
): KubeObject {
  const { name = '', namespace = '' } = route.metadata;
  const leads = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name, namespace, ownerReferences: [ownedBy(route)] },
    spec: {
      parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', ...gateway }],
      hostnames: [fqdn],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: path } }],
          backendRefs: destinations.map(({ guid, port }) => ({
            group: '',
            kind: 'Service',
            name: destinationServiceName(guid),
            port,
            weight: 1,
          })),
        },
      ],
    },
  };
  return leads;
}
