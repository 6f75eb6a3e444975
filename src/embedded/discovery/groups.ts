import type { ResourceType } from '../../kube/resource-type.ts';
import type { ServedResource } from '../resource.ts';
import { builtInResources, type Subresource } from './built-in.ts';

/** One version of a group, with what is served in it, in order of plural names. */
export interface GroupVersion {
  readonly version: string;
  readonly resources: readonly ServedResource[];
}

/** A group with its versions, the preferred one first. */
export interface Group {
  readonly name: string;
  readonly versions: readonly GroupVersion[];
}

/** Groups as the real server orders them: built-in ones in a fixed order, then custom ones by name. */
export function groupsOf(resources: readonly ServedResource[]): readonly Group[] {
  const groups = new Map<string, Map<string, ServedResource[]>>();
  for (const resource of resources) {
    const versions = groups.get(resource.group) ?? new Map<string, ServedResource[]>();
    groups.set(resource.group, versions);
    const same = versions.get(resource.version) ?? [];
    versions.set(resource.version, same);
    same.push(resource);
  }
  return [...groups]
    .map(([name, versions]) => ({
      name,
      versions: [...versions]
        .sort(([a], [b]) => compareVersions(a, b))
        .map(([version, list]) => ({ version, resources: list.toSorted((a, b) => (a.plural < b.plural ? -1 : 1)) })),
    }))
    .sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

const order = [...new Set(builtInResources().map((resource) => resource.group))];

function rank(group: string): number {
  const at = order.indexOf(group);
  return at < 0 ? order.length : at;
}

const stages = { alpha: 0, beta: 1, '': 2 } as const;

/** Kubernetes' order of versions, best first: `v2`, `v1`, `v2beta1`, `v1beta2`, `v1alpha1`, then others by name. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : a > b ? 1 : 0;
  return right.stage - left.stage || right.major - left.major || right.minor - left.minor;
}

function parse(version: string) {
  const found = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!found) return undefined;
  return {
    major: Number(found[1]),
    stage: stages[(found[2] ?? '') as keyof typeof stages],
    minor: Number(found[3] ?? 0),
  };
}

const builtIn = new Map(builtInResources().map((resource) => [keyOf(resource), resource.subresources]));

function keyOf({ group, version, plural }: Pick<ResourceType, 'group' | 'version' | 'plural'>): string {
  return `${group}/${version}/${plural}`;
}

/** The subresources of a resource, built-in or custom. */
export function subresourcesOf(resource: ServedResource): readonly Subresource[] {
  if (!resource.custom) return builtIn.get(keyOf(resource)) ?? [];
  const { group, version, kind } = resource;
  const verbs = ['get', 'patch', 'update'];
  return [
    ...(resource.scale ? [{ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs }] : []),
    ...(resource.status ? [{ name: 'status', group, version, kind, verbs }] : []),
  ];
}
