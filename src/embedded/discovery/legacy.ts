import type { ServedResource } from '../resource.ts';
import { type Group, type GroupVersion, subresourcesOf } from './groups.ts';

/** `/api`: the versions of the core group. */
export function apiVersions(core: Group | undefined, address: string): unknown {
  return {
    kind: 'APIVersions',
    versions: core?.versions.map((each) => each.version) ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

/** `/apis`: the other groups. */
export function apiGroupList(groups: readonly Group[]): unknown {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(describe) };
}

/** `/apis/G`. */
export function apiGroup(group: Group): unknown {
  return { kind: 'APIGroup', apiVersion: 'v1', ...describe(group) };
}

function describe({ name, versions }: Group) {
  const all = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: all, preferredVersion: all[0] };
}

/** `/api/v1` and `/apis/G/V`. */
export function apiResourceList(group: string, { version, resources }: GroupVersion): unknown {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources: resources.flatMap(entries),
  };
}

function entries(resource: ServedResource): readonly unknown[] {
  const { group, version, kind, plural, namespaced, singular, verbs, shortNames, categories } = resource;
  return [
    {
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs,
      ...(shortNames.length > 0 && { shortNames }),
      ...(categories.length > 0 && { categories }),
    },
    ...subresourcesOf(resource).map((each) => ({
      name: `${plural}/${each.name}`,
      singularName: '',
      namespaced,
      ...((each.group !== group || each.version !== version) && { group: each.group, version: each.version }),
      kind: each.kind,
      verbs: each.verbs,
    })),
  ];
}
