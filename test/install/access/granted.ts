import type { Grant } from '../../../src/control/access.ts';
import type { Asked } from './asked.ts';

/** Whether one of the grants covers what is asked. */
export function isGranted(grants: readonly Grant[], asked: Asked): boolean {
  return grants.some(
    ({ group, resources, verbs, names, where }) =>
      group === asked.group &&
      resources.includes(asked.resource) &&
      (verbs as readonly string[]).includes(asked.verb) &&
      (names === undefined || names.includes(asked.name)) &&
      (where === 'watched' || (where === 'cluster' ? isOfCluster(asked) : asked.namespace !== '')),
  );
}

/** Kinds that are in no namespace, and namespaces themselves, whose requests name them as if they were in one. */
function isOfCluster({ resource, namespace }: Asked): boolean {
  return namespace === '' || resource === 'namespaces';
}

/** `get apps/deployments`, for each thing that grants allow. */
export function rightsIn(grants: readonly Grant[]): readonly string[] {
  return [
    ...new Set(
      grants.flatMap(({ group, resources, verbs }) =>
        resources.flatMap((resource) => verbs.map((verb) => right({ verb, group, resource }))),
      ),
    ),
  ];
}

export function right({ verb, group, resource }: Pick<Asked, 'verb' | 'group' | 'resource'>): string {
  return `${verb} ${group === '' ? '' : `${group}/`}${resource}`;
}

/**
 * Rights that come with others, by how every family works: whoever watches lists where a server cannot stream what there is; whoever
 * creates looks at what is there already when the name is taken; whoever has a record in a status reads it when the cache may be old.
 */
export function withCompanions(used: ReadonlySet<string>): ReadonlySet<string> {
  const companions = [...used].flatMap((one) => {
    const [verb = '', resource = ''] = one.split(' ');
    const more: Readonly<Record<string, string>> = { watch: 'list', create: 'get' };
    if (verb === 'update' && resource.endsWith('/status')) return [`get ${resource.slice(0, -'/status'.length)}`];
    return more[verb] === undefined ? [] : [`${more[verb]} ${resource}`];
  });
  return new Set([...used, ...companions]);
}
