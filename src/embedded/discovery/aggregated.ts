import type { ServedResource } from '../resource.ts';
import { type Group, subresourcesOf } from './groups.ts';

/** Everything about groups in one document: what kubectl asks for first. */
export function aggregated(groups: readonly Group[]): unknown {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(({ version, resources }) => ({
        version,
        resources: resources.map(entry),
        freshness: 'Current',
      })),
    })),
  };
}

function entry(resource: ServedResource) {
  const { group, version, kind, plural, namespaced, singular, verbs, shortNames, categories } = resource;
  const subresources = subresourcesOf(resource);
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((each) => ({
        subresource: each.name,
        responseKind: { group: each.group, version: each.version, kind: each.kind },
        verbs: each.verbs,
      })),
    }),
  };
}
