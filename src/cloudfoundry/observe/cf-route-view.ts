import type { Glance, View } from '../../control/controller.ts';
import type { Client } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/object.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { destinationServiceName } from '../names.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
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
 * The view of the caches. The server is asked for what they lack: for apps, because the Service of a destination goes with its
 * app; and for droplets where nothing leads to the app yet, because without its port a destination would seem to wait for the
 * app's first droplet, and the route be ready without it.
 */
export function cfRouteView(
  key: string,
  glance: Glance<CfRoute>,
  sources: CfRouteSources,
): CfRouteView | Promise<CfRouteView> {
  const seen = viewOf(key, glance, sources);
  if (seen.route.metadata.deletionTimestamp) return seen;
  const lacking = unseenApps(seen).length > 0 || unseenDroplets(seen, sources.caches).length > 0;
  return lacking ? askedView(key, glance, sources) : seen;
}

/** What the API server was asked for, by key. */
interface Asked {
  readonly apps: ReadonlyMap<string, CfApp>;
  readonly builds: ReadonlyMap<string, CfBuild>;
}

const nothing: Asked = { apps: new Map(), builds: new Map() };

async function askedView(key: string, glance: Glance<CfRoute>, sources: CfRouteSources): Promise<CfRouteView> {
  const { namespace = '' } = glance.object.metadata;
  const server = { client: sources.client, signal: glance.signal };
  const ask = async <T extends KubeObject>(type: ResourceType, names: readonly string[]) => {
    const found = await Promise.all(names.map((name) => askedFor<T>(type, { namespace, name }, server)));
    return new Map(found.flatMap((object) => (object ? [[keyOf(object), object] as const] : [])));
  };
  const apps = await ask<CfApp>(cfApp.type, unseenApps(viewOf(key, glance, sources)));
  const seen = viewOf(key, glance, sources, { ...nothing, apps });
  const builds = await ask<CfBuild>(cfBuild.type, unseenDroplets(seen, sources.caches, apps));
  return viewOf(key, glance, sources, { apps, builds });
}

/** The names of apps that this route leads to, and nobody has shown. */
function unseenApps({ route, apps }: CfRouteView): readonly string[] {
  const names = destinationsOf(route).flatMap(({ appRef }) => appRef?.name ?? []);
  return [...new Set(names)].filter((name) => !Object.hasOwn(apps, name));
}

/** The names of droplets that apps of this route have, and nobody has shown yet. */
function unseenDroplets(
  { route, services }: CfRouteView,
  { apps, builds }: RouteCaches,
  asked: Asked['apps'] = nothing.apps,
): readonly string[] {
  const { namespace } = route.metadata;
  const served = new Set(services.map(({ metadata }) => metadata.name));
  const names = destinationsOf(route)
    .filter(({ guid, port }) => port === undefined && !served.has(destinationServiceName(guid)))
    .map(({ appRef }) => `${namespace}/${appRef?.name}`)
    .flatMap((app) => dropletOf(apps.get(app) ?? asked.get(app)) ?? []);
  return [...new Set(names)].filter((name) => !builds.get(`${namespace}/${name}`));
}

function destinationsOf({ spec }: CfRoute): NonNullable<CfRoute['spec']['destinations']> {
  return (spec as Partial<CfRoute['spec']> | undefined)?.destinations ?? [];
}

function viewOf(
  key: string,
  glance: Glance<CfRoute>,
  { caches, settings }: CfRouteSources,
  asked: Asked = nothing,
): CfRouteView {
  const { object: route, now, outcomes } = glance;
  const { name = '', namespace = '' } = route.metadata;
  const { domainRef } = (route.spec ?? {}) as Partial<CfRoute['spec']>;
  const domain = caches.domains.get(`${domainRef?.namespace ?? namespace}/${domainRef?.name ?? ''}`);
  const rival = olderRival(route, caches);
  const ingress = caches.ingresses.get(`${namespace}/${name}`);
  const httpRoute = caches.httpRoutes.get(`${namespace}/${name}`);
  const names = new Set(destinationsOf(route).flatMap(({ appRef }) => appRef?.name ?? []));
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

function appOf(key: string, { apps, builds }: RouteCaches, asked: Asked): DestinationApp | undefined {
  const app = apps.get(key) ?? asked.apps.get(key);
  if (!app) return undefined;
  const droplet = `${app.metadata.namespace}/${dropletOf(app) ?? ''}`;
  const build = builds.get(droplet) ?? asked.builds.get(droplet);
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
