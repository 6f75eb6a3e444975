import type { CfDomain } from '../../resources/cf-domain.ts';
import type { CfRoute } from '../../resources/cf-route.ts';
import { link, relation } from './links.ts';
import { presentIdentity, presentMetadata } from './metadata.ts';

type Destination = NonNullable<CfRoute['spec']['destinations']>[number];

/** `domain` is the name of its domain: the status of a new route does not say its address yet. */
export function presentRoute(route: CfRoute, domain: string, base: string): object {
  const { name, namespace } = route.metadata;
  const { host = '', path = '', domainRef, protocol = 'http' } = route.spec;
  return {
    ...presentIdentity(route),
    protocol,
    port: null,
    host,
    path,
    url: `${host === '' ? '' : `${host}.`}${domain}${path}`,
    destinations: presentDestinations(route),
    relationships: { domain: relation(domainRef.name), space: relation(namespace) },
    metadata: presentMetadata(route),
    links: {
      self: link(base, `/v3/routes/${name}`),
      space: link(base, `/v3/spaces/${namespace}`),
      domain: link(base, `/v3/domains/${domainRef.name}`),
      destinations: link(base, `/v3/routes/${name}/destinations`),
    },
  };
}

export function presentDestinationList(route: CfRoute, base: string): object {
  const self = `/v3/routes/${route.metadata.name}`;
  return {
    destinations: presentDestinations(route),
    links: { self: link(base, `${self}/destinations`), route: link(base, self) },
  };
}

/** The names of domains by their GUIDs. */
export function domainNames(domains: readonly CfDomain[]): (route: CfRoute) => string {
  const names = new Map(domains.map(({ metadata, spec }) => [metadata.name, spec.name]));
  return ({ spec, status }) => names.get(spec.domainRef.name) ?? domainIn(spec.host, status?.fqdn);
}

/** `web1.apps.example` → `apps.example`. */
function domainIn(host = '', fqdn = ''): string {
  return host !== '' && fqdn.startsWith(`${host}.`) ? fqdn.slice(host.length + 1) : fqdn;
}

/** With the ports at which they are reached, as soon as those are known. */
function presentDestinations({ spec, status }: CfRoute): readonly object[] {
  const effective = new Map((status?.destinations ?? []).map((one) => [one.guid, one]));
  return (spec.destinations ?? []).map((one: Destination) => ({
    guid: one.guid,
    app: { guid: one.appRef.name, process: { type: one.processType } },
    weight: null,
    port: one.port ?? effective.get(one.guid)?.port ?? 8080,
    protocol: one.protocol ?? effective.get(one.guid)?.protocol ?? 'http1',
  }));
}
