import type { Glance, View } from '../../control/controller.ts';
import type { CfDomain } from '../resources/cf-domain.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import type { CloudFoundryCaches } from './caches.ts';

export interface CfDomainView extends View {
  readonly domain: CfDomain;
  /** Those that name it, in all spaces; asked for only when it goes. */
  readonly routes: readonly CfRoute[];
  readonly version: string;
}

export function cfDomainView(
  key: string,
  { object: domain, now, outcomes }: Glance<CfDomain>,
  {
    caches,
    settings,
  }: { readonly caches: Pick<CloudFoundryCaches, 'routes'>; readonly settings: CloudFoundrySettings },
): CfDomainView {
  const routes = domain.metadata.deletionTimestamp ? caches.routes.by('domain', key) : [];
  return { now, outcomes, domain, routes, version: settings.version };
}
