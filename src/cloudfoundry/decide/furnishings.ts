import type { KubeObject } from '../../kube/object.ts';
import { annotations, finalizers, labels } from '../keys.ts';
import { labelHash } from '../names.ts';
import type { CfDomain } from '../resources/cf-domain.ts';
import type { CfOrg } from '../resources/cf-org.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import type { CfSpace } from '../resources/cf-space.ts';
import { createdAt } from './created-at.ts';
import type { Furnishing } from './furnished.ts';

/**
 * What organizations, spaces, domains and routes carry besides their spec, for whoever lists them by label: API, webhooks
 * and controllers give the same. `version` is what `creation-version` says.
 */

export function orgFurnishing(org: CfOrg, version: string): Furnishing {
  return {
    labels: { ...everywhere(org), [labels.orgName]: hashOf(org.spec?.displayName) },
    annotations: { [annotations.creationVersion]: version },
    finalizer: finalizers.org,
  };
}

export function spaceFurnishing(space: CfSpace, version: string): Furnishing {
  return {
    labels: {
      ...everywhere(space),
      [labels.orgGuid]: space.metadata.namespace,
      [labels.spaceName]: hashOf(space.spec?.displayName),
    },
    annotations: { [annotations.creationVersion]: version },
    finalizer: finalizers.space,
  };
}

export function domainFurnishing(domain: CfDomain, version: string): Furnishing {
  return {
    labels: { ...everywhere(domain), [labels.domainName]: hashOf(domain.spec?.name) },
    annotations: { [annotations.creationVersion]: version },
    finalizer: finalizers.domain,
  };
}

export function routeFurnishing(route: CfRoute, version: string): Furnishing {
  const { host = '', path, domainRef, destinations = [] } = (route.spec ?? {}) as Partial<CfRoute['spec']>;
  return {
    labels: {
      ...everywhere(route),
      [labels.spaceGuid]: route.metadata.namespace,
      [labels.domainGuid]: domainRef?.name,
      // A label cannot hold `*`: of such a route only the spec says it.
      [labels.routeHost]: isLabelValue(host) ? host : undefined,
      [labels.routePath]: path ? labelHash(path) : undefined,
      [labels.unmapped]: String(destinations.length === 0),
    },
    annotations: { [annotations.creationVersion]: version, [annotations.appGuids]: appGuids(route) },
  };
}

/** The apps that a route leads to, as its annotation names them: each once, one per line. */
export function appGuids(route: CfRoute): string {
  const names = (route.spec?.destinations ?? []).flatMap(({ appRef }) => appRef?.name ?? []);
  return [...new Set(names)].join('\n');
}

function everywhere(object: KubeObject): Readonly<Record<string, string | undefined>> {
  return { [labels.guid]: object.metadata.name, [labels.createdAt]: createdAt(object) };
}

function hashOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : labelHash(name);
}

function isLabelValue(text: string): boolean {
  return text.length <= 63 && /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/.test(text);
}
