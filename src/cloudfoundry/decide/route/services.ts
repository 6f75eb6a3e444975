import { type Action, refTo } from '../../../control/decision.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { type Destination, destinationService } from '../../manifests/destination-service.ts';
import { isOwnedBy } from '../../manifests/owned-by.ts';
import type { CfRouteView } from '../../observe/cf-route-view.ts';
import type { Service } from '../../observe/kube-shapes.ts';
import { upToDate } from '../up-to-date.ts';

export interface Services {
  readonly applies: readonly Action[];
  /** Of destinations that are no more; after nothing leads to them. */
  readonly removals: readonly Action[];
}

/** One Service for each destination. */
export function services({ route, services: present }: CfRouteView, destinations: readonly Destination[]): Services {
  const live = new Map(present.map((service) => [service.metadata.name, service]));
  const wanted = destinations.map((destination) => destinationService(route, destination));
  const names = new Set(wanted.map(({ metadata }) => metadata.name));
  return {
    applies: wanted.flatMap((service) => application(live.get(service.metadata.name), service)),
    removals: present
      .filter((service) => !names.has(service.metadata.name) && isOwnedBy(service, route))
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map((service): Action => ({ do: 'delete', of: refTo(service) })),
  };
}

/**
 * Ports of a Service are merged by number: one that another controller has written would stay beside ours, and a Service
 * with two ports that have no names is refused. So other ports are put away first, and ours applied at the next look.
 */
function application(live: Service | undefined, wanted: KubeObject): readonly Action[] {
  if (upToDate(live, wanted)) return [];
  const { ports = [] } = (wanted as Service).spec ?? {};
  if (live?.spec?.ports?.some(({ port }) => port !== ports[0]?.port)) {
    const value = ports.map(({ port = 0 }) => ({ port, protocol: 'TCP', targetPort: port }));
    return [{ do: 'patch', of: refTo(live), patch: [{ op: 'replace', path: '/spec/ports', value }] }];
  }
  return [{ do: 'apply', object: wanted }];
}
