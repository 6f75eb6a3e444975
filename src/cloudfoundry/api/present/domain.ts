import type { CfDomain } from '../../resources/cf-domain.ts';
import { link } from './links.ts';
import { presentIdentity, presentMetadata } from './metadata.ts';

/** Every domain is shared by all organizations. */
export function presentDomain(domain: CfDomain, base: string): object {
  const self = `/v3/domains/${domain.metadata.name}`;
  return {
    name: domain.spec.name,
    ...presentIdentity(domain),
    internal: false,
    router_group: null,
    supported_protocols: ['http'],
    metadata: presentMetadata(domain),
    relationships: { organization: { data: null }, shared_organizations: { data: [] } },
    links: {
      self: link(base, self),
      route_reservations: link(base, `${self}/route_reservations`),
      router_group: null,
    },
  };
}
