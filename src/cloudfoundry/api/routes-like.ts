import { labels } from '../keys.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import type { Platform } from './platform.ts';

/** What an address consists of. */
export interface Address {
  /** The domain's GUID. */
  readonly domain: string;
  readonly host?: string | null | undefined;
  readonly path?: string | null | undefined;
}

/** Routes of any space with this address: an address belongs to one of them. Read with the operator's own identity. */
export async function routesLike(platform: Pick<Platform, 'client'>, address: Address): Promise<readonly CfRoute[]> {
  return (await routesOfHost(platform, address)).filter(({ spec }) => sameAddress(spec, address));
}

/** Routes of any space with this host, whatever their paths. Read with the operator's own identity. */
export async function routesOfHost(
  platform: Pick<Platform, 'client'>,
  { domain, host }: Omit<Address, 'path'>,
): Promise<readonly CfRoute[]> {
  return (await routesOfDomain(platform, domain)).filter(({ spec }) => sameHost(spec, { domain, host }));
}

/** All routes of a domain, by its GUID. Read with the operator's own identity. */
export async function routesOfDomain(
  { client }: Pick<Platform, 'client'>,
  domain: string,
): Promise<readonly CfRoute[]> {
  const labelSelector = { matchLabels: { [labels.domainGuid]: domain } };
  return (await client.resource<CfRoute>(cfRoute.type).list({ labelSelector })).items;
}

/** Whether a route has this address, as the controller tells routes apart: the case of neither host nor path counts. */
export function sameAddress(spec: CfRoute['spec'], address: Address): boolean {
  return sameHost(spec, address) && (spec.path ?? '').toLowerCase() === (address.path ?? '').toLowerCase();
}

function sameHost({ host, domainRef }: CfRoute['spec'], address: Omit<Address, 'path'>): boolean {
  return (host ?? '').toLowerCase() === (address.host ?? '').toLowerCase() && domainRef.name === address.domain;
}
