import { routeFurnishing } from '../decide/furnishings.ts';
import type { CfDomain } from '../resources/cf-domain.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import { unprocessable } from './cf-error.ts';
import { createUnique } from './create-unique.ts';
import { newFurnished } from './new-furnished.ts';
import type { MetadataChange } from './payload/metadata-patch.ts';
import type { Caller, Platform } from './platform.ts';
import { assertHostIsFor, reserved } from './route-claim.ts';
import { routesOfHost, sameAddress } from './routes-like.ts';

export interface NewRoute {
  readonly domain: CfDomain;
  /** The GUID of the space. */
  readonly space: string;
  readonly host?: string | null | undefined;
  readonly path?: string | null | undefined;
  readonly metadata?:
    | { readonly [K in keyof MetadataChange]: Readonly<Record<string, string>> | undefined }
    | undefined;
}

/**
 * Makes a route as the caller. An address belongs to one route, and all addresses of a host belong to one space: whoever
 * could add a path to a host of others would get their visitors.
 * @throws CfError 422 when it is taken
 */
export async function createRoute(platform: Platform, caller: Caller, wanted: NewRoute): Promise<CfRoute> {
  const { domain, space: namespace, metadata } = wanted;
  const host = wanted.host ?? '';
  const path = wanted.path ?? '';
  const { name = '', namespace: domainNamespace = platform.settings.rootNamespace } = domain.metadata;
  await assertHostIsFor(caller, domain, host);
  const spec: CfRoute['spec'] = {
    host,
    ...(path && { path }),
    protocol: 'http',
    domainRef: { name, namespace: domainNamespace },
  };
  const route = newFurnished<CfRoute, CfRoute['spec']>(
    platform,
    cfRoute,
    { namespace, metadata, spec },
    routeFurnishing,
  );
  return await createUnique(platform, caller, cfRoute, route, 'Route', {
    key: `${name}/${host.toLowerCase()}`,
    others: () => routesOfHost(platform, { domain: name, host }),
    isSame: (other) => sameAddress(other.spec, { domain: name, host, path }) || other.metadata.namespace !== namespace,
    error: (other) =>
      sameAddress(other.spec, { domain: name, host, path }) ? taken(host, path, domain.spec.name) : reserved(),
  });
}

function taken(host: string, path: string, domain: string) {
  const which = [host && `host '${host}'`, path && `path '${path}'`].filter(Boolean).join(' and ');
  return unprocessable(`Route already exists${which && ` with ${which}`} for domain '${domain}'.`);
}
