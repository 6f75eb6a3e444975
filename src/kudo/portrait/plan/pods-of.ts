import type { AnyObject } from '../../../kube/object.ts';
import type { Nearby } from '../surroundings.ts';

/** Names of the pods that a workload has, past the ReplicaSets of a Deployment. */
export function podsOf(workload: AnyObject, near: Nearby): readonly string[] {
  return near
    .ownedBy(workload.metadata.uid)
    .flatMap((owned) => (owned.kind === 'ReplicaSet' ? near.ownedBy(owned.metadata.uid) : [owned]))
    .filter(({ kind, metadata }) => kind === 'Pod' && metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name ?? '')
    .sort();
}
