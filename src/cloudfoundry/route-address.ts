import type { CfDomain } from './resources/cf-domain.ts';
import type { CfRoute } from './resources/cf-route.ts';

/** Where a route is reached. */
export interface Address {
  readonly fqdn: string;
  /** What paths begin with; `/` for all. */
  readonly path: string;
  readonly uri: string;
}

/** The address of a route on a domain, or what is wrong with it. Hosts and domains have no case; paths are kept as written. */
export function address({ spec }: CfRoute, domain: CfDomain): Address | { readonly problem: string } {
  const { host = '', path = '' } = (spec ?? {}) as Partial<CfRoute['spec']>;
  const name = (domain.spec?.name ?? '').toLowerCase();
  const fqdn = host === '' ? name : `${host.toLowerCase()}.${name}`;
  if (!isDnsName(fqdn.replace(/^\*\./, ''))) {
    const problem = `'${fqdn}' cannot be an address: host and domain are labels of a-z, 0-9 and '-', joined by dots, 253 characters at most; a host may be '*'. Delete the route and create it with another host.`;
    return { problem };
  }
  if (path !== '' && !isPath(path)) {
    const problem = `'${path}' cannot be the path of a route: it begins with '/', is longer than that, has no '?', '#', space or empty segment, and 128 characters at most. Delete the route and create it with another path.`;
    return { problem };
  }
  return { fqdn, path: path || '/', uri: `${fqdn}${path}` };
}

/** A DNS name as certificates, Gateways and Ingresses take it. */
export function isDnsName(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/i.test(label));
}

/** What a path of a route may be; none is `''`, not `/`. */
export function isPath(path: string): boolean {
  return path.length <= 128 && /^(\/[^/?#\s\p{Cc}]+)+\/?$/u.test(path) && !/(^|\/)\.{1,2}(\/|$)/.test(path);
}

/** What two routes must not have in common: the same for the same address, whatever its case. */
export function addressKey({ metadata, spec }: CfRoute): string {
  const { host = '', path = '', domainRef, protocol = 'http' } = (spec ?? {}) as Partial<CfRoute['spec']>;
  const domain = `${domainRef?.namespace ?? metadata.namespace}/${domainRef?.name ?? ''}`;
  return JSON.stringify([protocol, domain, host.toLowerCase(), path.toLowerCase()]);
}
