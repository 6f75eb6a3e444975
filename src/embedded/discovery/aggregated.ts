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
  const { plural, namespaced, singular, verbs, shortNames, categories } = resource;
  const subresources = subresourcesOf(resource);
  return {
    resource: plural,
    responseKind: responseKind(resource, resource),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((each) => ({
        subresource: each.name,
        responseKind: responseKind(resource, each),
        verbs: each.verbs,
      })),
    }),
  };
}

/** The real server leaves a built-in kind's own group and version to be understood; those of a custom kind it spells out. */
function responseKind(
  resource: ServedResource,
  answer: { readonly group: string; readonly version: string; readonly kind: string },
) {
  const { group, version, kind } = answer;
  const understood = !resource.custom && group === resource.group && version === resource.version;
  return understood ? { group: '', version: '', kind } : { group, version, kind };
}
