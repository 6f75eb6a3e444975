import type { CfOrg } from '../../resources/cf-org.ts';
import { link } from './links.ts';
import { presentIdentity, presentMetadata } from './metadata.ts';

export function presentOrganization(org: CfOrg, base: string): object {
  const self = `/v3/organizations/${org.metadata.name}`;
  return {
    name: org.spec.displayName,
    ...presentIdentity(org),
    suspended: false,
    metadata: presentMetadata(org),
    links: {
      self: link(base, self),
      domains: link(base, `${self}/domains`),
      default_domain: link(base, `${self}/domains/default`),
    },
  };
}
