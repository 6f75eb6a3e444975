import { kinds } from '../../kube/kinds.ts';
import { qualifiedName, type ResourceType } from '../../kube/resource-type.ts';
import type { Workload } from '../../portrait/workload.ts';
import type { Access } from './access.ts';

/** How far somebody sees objects of a kind: in all namespaces, in the workload's own, or not at all. */
export type Reach = 'everywhere' | 'here' | 'nowhere';

/** What somebody sees around a workload. Two people with the same key see the same. */
export interface Sight {
  readonly key: string;
  reach(type: ResourceType): Reach;
}

/** What somebody sees around a workload that they may see. @throws Refusal 401, 503 */
export async function sightOf(access: Access, workload: Workload, namespace: string): Promise<Sight> {
  const types = [workload.type, ...workload.beside, kinds.events];
  const reaches = new Map(
    await Promise.all(
      types.map(async (type) => [qualifiedName(type), await reachOf(access, type, namespace)] as const),
    ),
  );
  return {
    key: [...reaches].map(([name, reach]) => `${name}:${reach}`).join(),
    reach: (type) => reaches.get(qualifiedName(type)) ?? 'nowhere',
  };
}

async function reachOf(access: Access, type: ResourceType, namespace: string): Promise<Reach> {
  if (await access.may({ verb: 'list', type })) return 'everywhere';
  return (await access.may({ verb: 'list', type, namespace })) ? 'here' : 'nowhere';
}
