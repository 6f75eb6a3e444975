import type { KubeObject } from '../../kube/object.ts';
import { labels } from '../keys.ts';
import { destinationServiceName } from '../names.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import { ownedBy } from './owned-by.ts';

/** A destination as it is reached. A type, not an interface: it stands in a status. */
export type Destination = {
  readonly guid: string;
  readonly port: number;
  readonly appRef: { readonly name: string };
  readonly processType: string;
  readonly protocol: string;
};

/**
 * The Service of a destination. It selects the instances of all revisions, so that those which a deployment replaces and
 * those which replace them are both reached; only readiness tells them apart.
 */
export function destinationService(route: CfRoute, { guid, port, appRef, processType }: Destination): KubeObject {
  const selector = { [labels.appGuid]: appRef.name, [labels.processType]: processType };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: destinationServiceName(guid),
      namespace: route.metadata.namespace ?? '',
      labels: { [labels.appGuid]: appRef.name, [labels.routeGuid]: route.metadata.name ?? '' },
      ownerReferences: [ownedBy(route)],
    },
    spec: { type: 'ClusterIP', selector, ports: [{ port, protocol: 'TCP', targetPort: port }] },
  };
  return service;
}
