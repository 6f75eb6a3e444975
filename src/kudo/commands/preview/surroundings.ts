import { isKubeError } from '../../../kube/error.ts';
import { kinds } from '../../../kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import type { OpenedCluster } from '../../../portrait/text/shell.ts';
import { objectId } from '../../graph/ids.ts';
import { workloadOf } from '../../graph/workload.ts';
import { openKinds } from '../../observe/kinds.ts';
import { dependenciesOf } from '../../render/hash/dependency.ts';

/** What is there of the objects that a plan speaks of. */
export interface Surroundings {
  /** Objects as they are, by `objectId`; also ConfigMaps and Secrets that workloads read. Absent: nobody has looked. */
  readonly live?: ReadonlyMap<string, AnyObject>;
  isNamespaced(object: KubeObject): boolean;
}

const clusterScoped = new Set(
  Object.values(kinds)
    .filter(({ namespaced }) => !namespaced)
    .map(({ group, kind }) => `${group}/${kind}`),
);

/** Without a cluster: what is not known to live outside of namespaces lives in one. */
export const unseen: Surroundings = {
  isNamespaced: ({ apiVersion, kind }) =>
    !clusterScoped.has(`${apiVersion.includes('/') ? apiVersion.split('/')[0] : ''}/${kind}`),
};

/** Looks at the objects, and at what workloads among them read. Reads only. */
export async function lookAround(
  { client }: OpenedCluster,
  namespace: string,
  objects: readonly KubeObject[],
): Promise<Surroundings> {
  const signal = new AbortController().signal;
  const known = openKinds(client);
  const live = new Map<string, AnyObject>();
  const scopes = new Map<string, boolean>();
  const read = objects.flatMap((object) => {
    const { mounted, others } = dependenciesOf(workloadOf(object)?.podSpec);
    return [...mounted, ...others].map(({ kind, name }) => ({ apiVersion: 'v1', kind, metadata: { name } }));
  });
  for (const object of [...objects, ...read]) {
    const id = objectId(object);
    if (live.has(id)) continue;
    const type = await known.find(object.apiVersion, object.kind, signal);
    scopes.set(`${object.apiVersion} ${object.kind}`, type?.namespaced ?? true);
    if (!type) continue;
    const { name = '' } = object.metadata;
    const found = await client
      .resource<AnyObject>(type)
      .get(type.namespaced ? { namespace, name } : { name })
      .catch((error) => {
        if (isKubeError(error, 'not-found', 'forbidden')) return undefined;
        throw error;
      });
    if (found) live.set(id, found);
  }
  return { live, isNamespaced: ({ apiVersion, kind }) => scopes.get(`${apiVersion} ${kind}`) ?? true };
}
