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
export async function routesLike({ client }: Pick<Platform, 'client'>, address: Address): Promise<readonly CfRoute[]> {
  const labelSelector = { matchLabels: { [labels.domainGuid]: address.domain } };
  const { items } = await client.resource<CfRoute>(cfRoute.type).list({ labelSelector });
  return items.filter(({ spec }) => sameAddress(spec, address));
}

export function sameAddress({ host, path, domainRef }: CfRoute['spec'], address: Address): boolean {
  return (
    (host ?? '').toLowerCase() === (address.host ?? '').toLowerCase() &&
    (path ?? '') === (address.path ?? '') &&
    domainRef.name === address.domain
  );
}
