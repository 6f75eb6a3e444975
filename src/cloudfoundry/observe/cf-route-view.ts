import type { Glance, View } from '../../control/controller.ts';
import type { Client } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/object.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { destinationServiceName } from '../names.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { type CfBuild, cfBuild } from '../resources/cf-build.ts';
import type { CfDomain } from '../resources/cf-domain.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import { addressKey } from '../route-address.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { askedFor } from './asked.ts';
import type { HttpRoute, Service } from './kube-shapes.ts';
import type { RouteCaches } from './route-caches.ts';

export interface CfRouteView extends View {
  readonly route: CfRoute;
  readonly domain?: CfDomain;
  /** An older route that has the same address: `namespace/name`. */
  readonly rival?: string;
  /** The apps of the destinations, by name. Those that are not there are absent. */
  readonly apps: Readonly<Record<string, DestinationApp>>;
  /** All that say they are of this route. */
  readonly services: readonly Service[];
  readonly httpRoute?: HttpRoute;
  readonly ingress?: KubeObject;
  readonly router: Router;
  readonly settings: Pick<CloudFoundrySettings, 'version' | 'gateway'>;
}

export interface DestinationApp {
  /** Of the droplet that the app runs, or is to run; absent while it has none. */
  readonly ports?: readonly number[];
}

/** Who can bring requests from outside to a Service. */
export type Router =
  | { readonly is: 'gateway' }
  /** An Ingress of this class, or of the cluster's default class. */
  | { readonly is: 'ingress'; readonly className?: string }
  | { readonly is: 'none' };

export interface CfRouteSources {
  readonly caches: RouteCaches;
  readonly client: Client;
  readonly settings: CloudFoundrySettings;
}

/**
 * The view of the caches. The server is asked for droplets that they lack, where nothing leads to the app yet: without its port
 * a destination would seem to wait for the app's first droplet, and the route be ready without it.
 */
export function cfRouteView(
  key: string,
  glance: Glance<CfRoute>,
  sources: CfRouteSources,
): CfRouteView | Promise<CfRouteView> {
  const seen = viewOf(key, glance, sources);
  const unseen = unseenDroplets(seen, sources.caches);
  return unseen.size === 0 ? seen : askedView(key, glance, sources, unseen);
}

async function askedView(
  key: string,
  glance: Glance<CfRoute>,
  sources: CfRouteSources,
  unseen: ReadonlySet<string>,
): Promise<CfRouteView> {
  const { client } = sources;
  const { namespace = '' } = glance.object.metadata;
  const server = { client, signal: glance.signal };
  const found = [...unseen].map((name) => askedFor<CfBuild>(cfBuild.type, { namespace, name }, server));
  const builds = (await Promise.all(found)).filter((build) => build !== undefined);
  return viewOf(key, glance, sources, new Map(builds.map((build) => [keyOf(build), build])));
}

/** The names of droplets that apps of this route have, and nobody has shown yet. */
function unseenDroplets({ route, services }: CfRouteView, { apps, builds }: RouteCaches): ReadonlySet<string> {
  const { namespace, deletionTimestamp } = route.metadata;
  if (deletionTimestamp) return new Set();
  const served = new Set(services.map(({ metadata }) => metadata.name));
  const { destinations = [] } = (route.spec ?? {}) as Partial<CfRoute['spec']>;
  const names = destinations
    .filter(({ guid, port }) => port === undefined && !served.has(destinationServiceName(guid)))
    .flatMap(({ appRef }) => dropletOf(apps.get(`${namespace}/${appRef?.name}`)) ?? []);
  return new Set(names.filter((name) => !builds.get(`${namespace}/${name}`)));
}

function viewOf(
  key: string,
  glance: Glance<CfRoute>,
  { caches, settings }: CfRouteSources,
  asked: ReadonlyMap<string, CfBuild> = new Map(),
): CfRouteView {
  const { object: route, now, outcomes } = glance;
  const { name = '', namespace = '' } = route.metadata;
  const { domainRef, destinations = [] } = (route.spec ?? {}) as Partial<CfRoute['spec']>;
  const domain = caches.domains.get(`${domainRef?.namespace ?? namespace}/${domainRef?.name ?? ''}`);
  const rival = olderRival(route, caches);
  const ingress = caches.ingresses.get(`${namespace}/${name}`);
  const httpRoute = caches.httpRoutes.get(`${namespace}/${name}`);
  const names = new Set(destinations.flatMap(({ appRef }) => appRef?.name ?? []));
  const apps = [...names].flatMap((app) => {
    const found = appOf(`${namespace}/${app}`, caches, asked);
    return found ? [[app, found] as const] : [];
  });
  const { version, gateway } = settings;
  return {
    now,
    outcomes,
    route,
    ...(domain && { domain }),
    ...(rival && { rival: keyOf(rival) }),
    apps: Object.fromEntries(apps),
    services: caches.services.by('route', key).toSorted(byName),
    ...(httpRoute && { httpRoute }),
    ...(ingress && { ingress }),
    router: routerOf(caches, settings),
    settings: { version, gateway },
  };
}

function dropletOf(app: CfApp | undefined): string | undefined {
  return (app?.spec as Partial<CfApp['spec']> | undefined)?.currentDropletRef?.name;
}

function appOf(
  key: string,
  { apps, builds }: RouteCaches,
  asked: ReadonlyMap<string, CfBuild>,
): DestinationApp | undefined {
  const app = apps.get(key);
  if (!app) return undefined;
  const droplet = `${app.metadata.namespace}/${dropletOf(app) ?? ''}`;
  const build = builds.get(droplet) ?? asked.get(droplet);
  return build?.status?.droplet ? { ports: build.status.droplet.ports ?? [] } : {};
}

/** Whoever came first has the address; of two that came in the same second, the one whose name comes first. */
function olderRival(route: CfRoute, { routes }: RouteCaches): CfRoute | undefined {
  const age = ({ metadata }: CfRoute): string => `${metadata.creationTimestamp} ${metadata.namespace}/${metadata.name}`;
  const all = routes.by('address', addressKey(route)).toSorted((a, b) => (age(a) < age(b) ? -1 : 1));
  const [first] = all;
  return first && first.metadata.uid !== route.metadata.uid && age(first) < age(route) ? first : undefined;
}

/** A Gateway API wins, as published; without one, an Ingress controller that was named or is the cluster's default. */
function routerOf({ gatewayApi, ingressClasses }: RouteCaches, { ingressClass }: CloudFoundrySettings): Router {
  for (const { spec, status } of gatewayApi.all()) {
    const isServed = spec?.versions?.some(({ name, served }) => name === 'v1' && served);
    const isEstablished = status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True');
    if (isServed && isEstablished) return { is: 'gateway' };
  }
  if (ingressClass !== undefined) return { is: 'ingress', className: ingressClass };
  const isDefault = ({ metadata }: KubeObject): boolean =>
    metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';
  return [...ingressClasses.all()].some(isDefault) ? { is: 'ingress' } : { is: 'none' };
}

function byName({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  const [left = '', right = ''] = [a.name, b.name];
  return left < right ? -1 : left > right ? 1 : 0;
}
