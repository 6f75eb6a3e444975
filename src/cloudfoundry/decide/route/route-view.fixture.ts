import type { Outcomes } from '../../../control/outcome.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { CfRouteView, Router } from '../../observe/cf-route-view.ts';
import type { HttpRoute, Service } from '../../observe/kube-shapes.ts';
import type { CfDomain } from '../../resources/cf-domain.ts';
import type { CfRoute } from '../../resources/cf-route.ts';
import { defaultSettings } from '../../settings.ts';
import type { SmallCluster } from '../carried-out.fixture.ts';

const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';
const creationTimestamp = '2026-01-02T03:04:05Z';

export const domain: CfDomain = {
  apiVersion,
  kind: 'CFDomain',
  metadata: { name: 'default-domain', namespace: 'cf', uid: 'domain-uid', generation: 1, creationTimestamp },
  spec: { name: 'apps.example' },
};

export const route: CfRoute = {
  apiVersion,
  kind: 'CFRoute',
  metadata: { name: 'route-1', namespace: 'space-1', uid: 'route-uid', generation: 1, creationTimestamp },
  spec: {
    host: 'web1',
    protocol: 'http',
    domainRef: { name: 'default-domain', namespace: 'cf' },
    destinations: [{ guid: 'dest-1', appRef: { name: 'app-1' }, processType: 'web' }],
  },
};

/** How a view differs from the usual one: a Gateway API is there, and the app has a droplet without ports. */
export interface RouteCase {
  readonly router?: Router;
  readonly apps?: CfRouteView['apps'];
  readonly rival?: string;
  readonly outcomes?: Outcomes;
  readonly withoutDomain?: boolean;
}

/** What would be seen of the route in a cluster. */
export function viewOf(cluster: SmallCluster, given: RouteCase = {}): CfRouteView {
  const httpRoute = cluster.get<HttpRoute>('HTTPRoute', 'route-1');
  const ingress = cluster.get<KubeObject>('Ingress', 'route-1');
  const { router = { is: 'gateway' }, apps = { 'app-1': { ports: [] } }, rival, outcomes = {} } = given;
  return {
    now: Date.parse('2026-01-02T04:00:00Z'),
    outcomes,
    route: cluster.get<CfRoute>('CFRoute', 'route-1') as CfRoute,
    ...(!given.withoutDomain && { domain }),
    ...(rival !== undefined && { rival }),
    apps,
    services: cluster.all<Service>('Service', 'space-1'),
    ...(httpRoute && { httpRoute }),
    ...(ingress && { ingress }),
    router,
    settings: { version: 'v0.1.0', gateway: defaultSettings.gateway },
  };
}
