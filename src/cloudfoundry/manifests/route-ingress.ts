import type { KubeObject } from '../../kube/object.ts';
import { labels } from '../keys.ts';
import { destinationServiceName } from '../names.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import type { Destination } from './destination-service.ts';
import { ownedBy } from './owned-by.ts';

/** The way to a route where no Gateway API is installed. An Ingress leads a path to one Service: that of `destination`. */
export function routeIngress(
  route: CfRoute,
  { fqdn, path }: { readonly fqdn: string; readonly path: string },
  { guid, port }: Destination,
  className: string | undefined,
): KubeObject {
  const { name = '', namespace = '' } = route.metadata;
  const service = { name: destinationServiceName(guid), port: { number: port } };
  const ingress = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name,
      namespace,
      labels: { [labels.routeGuid]: name },
      ownerReferences: [ownedBy(route)],
    },
    spec: {
      ...(className !== undefined && { ingressClassName: className }),
      rules: [{ host: fqdn, http: { paths: [{ path, pathType: 'Prefix', backend: { service } }] } }],
    },
  };
  return ingress;
}
