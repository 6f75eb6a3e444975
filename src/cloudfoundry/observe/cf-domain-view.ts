import type { Glance, View } from '../../control/controller.ts';
import type { Client } from '../../kube/client.ts';
import { finalizers } from '../keys.ts';
import type { CfDomain } from '../resources/cf-domain.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { askedForAll } from './asked.ts';
import { type CloudFoundryCaches, domainOf } from './caches.ts';

export interface CfDomainView extends View {
  readonly domain: CfDomain;
  /** Those that name it, in all spaces; asked for only when it goes. */
  readonly routes: readonly CfRoute[];
  /** No cache has shown them, and perhaps none will tell that they are gone. */
  readonly unheard?: boolean;
  readonly version: string;
}

export interface CfDomainSources {
  readonly caches: Pick<CloudFoundryCaches, 'routes'>;
  readonly client: Client;
  readonly settings: CloudFoundrySettings;
}

/** Looks at a domain. The server is asked before it is let go: a route that a cache has not seen would never be served again. */
export async function cfDomainView(
  key: string,
  { object: domain, now, outcomes, signal }: Glance<CfDomain>,
  { caches, client, settings }: CfDomainSources,
): Promise<CfDomainView> {
  const { deletionTimestamp, finalizers: held = [] } = domain.metadata;
  const view = { now, outcomes, domain, version: settings.version };
  if (deletionTimestamp === undefined) return { ...view, routes: [] };
  const seen = caches.routes.by('domain', key);
  if (seen.length > 0 || !held.includes(finalizers.domain)) return { ...view, routes: seen };
  const all = await askedForAll(caches.routes, undefined, { client, signal });
  const routes = all.filter((route) => domainOf(route).includes(key));
  return { ...view, routes, ...(routes.length > 0 && { unheard: true }) };
}
