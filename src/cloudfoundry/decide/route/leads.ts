import { type Action, refTo } from '../../../control/decision.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { Destination } from '../../manifests/destination-service.ts';
import { httpRoute } from '../../manifests/http-route.ts';
import { isOwnedBy } from '../../manifests/owned-by.ts';
import { routeIngress } from '../../manifests/route-ingress.ts';
import type { CfRouteView } from '../../observe/cf-route-view.ts';
import type { Address } from '../../route-address.ts';
import { upToDate } from '../up-to-date.ts';

/** The way from outside to the Services of a route. */
export interface Leads {
  /** What must be there before the route is Ready. */
  readonly applies: readonly Action[];
  /** What goes, after that. */
  readonly removals: readonly Action[];
  /** What cannot be had here. */
  readonly note?: string;
}

/**
 * An HTTPRoute where the Gateway API is installed, an Ingress where it is not and something serves Ingresses, and else
 * nothing: the Services are reached from inside.
 *
 * An Ingress that leads to the route stays until a Gateway has accepted the HTTPRoute: that the Gateway API was installed
 * does not mean that anybody listens.
 */
export function leads(view: CfRouteView, address: Address, destinations: readonly Destination[]): Leads {
  const { route, router, httpRoute: gatewayed, ingress, settings } = view;
  const [first] = destinations;
  if (!first) return { applies: [], removals: [...removal(gatewayed, view), ...removal(ingress, view)] };
  if (router.is === 'gateway') {
    const wanted = httpRoute(route, address, destinations, settings.gateway);
    return {
      applies: application(gatewayed, wanted),
      removals: isAccepted(view) ? removal(ingress, view) : [],
    };
  }
  if (router.is === 'none' && !ingress) return { applies: [], removals: [] };
  const className = router.is === 'ingress' ? router.className : classOf(ingress);
  return {
    applies: application(ingress, routeIngress(route, address, first, className)),
    removals: [],
    ...(destinations.length > 1 && {
      note: 'An Ingress leads to one destination only: requests from outside reach the first. Install the Gateway API to reach all.',
    }),
  };
}

function application(live: KubeObject | undefined, object: KubeObject): readonly Action[] {
  return upToDate(live, object) ? [] : [{ do: 'apply', object }];
}

function removal(live: KubeObject | undefined, { route }: CfRouteView): readonly Action[] {
  const goes = live && isOwnedBy(live, route) && live.metadata.deletionTimestamp === undefined;
  return goes ? [{ do: 'delete', of: refTo(live) }] : [];
}

function isAccepted({ httpRoute: gatewayed }: CfRouteView): boolean {
  const parents = gatewayed?.status?.parents ?? [];
  return parents.some(({ conditions }) =>
    conditions?.some(({ type, status }) => type === 'Accepted' && status === 'True'),
  );
}

function classOf(ingress: (KubeObject & { readonly spec?: { readonly ingressClassName?: string } }) | undefined) {
  return ingress?.spec?.ingressClassName;
}
