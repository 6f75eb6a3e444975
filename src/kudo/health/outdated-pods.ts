import type { AnyObject } from '../../kube/object.ts';
import { at, workloadOf } from '../graph/workload.ts';
import { nestedAnnotations } from '../keys.ts';
import { number } from './status-of.ts';

/**
 * How many pods of a workload that never replaces them by itself (OnDelete, ReplicaSet, ReplicationController) are still
 * of an old template: somebody has to delete them. 0 for all other kinds.
 */
export function outdatedPods(object: AnyObject, pods: readonly AnyObject[]): number {
  if (workloadOf(object)?.rollout !== 'onDelete') return 0;
  const status = (field: string): number => number(object, 'status', field) ?? 0;
  switch (object.kind) {
    case 'StatefulSet':
      return Math.max(0, status('replicas') - status('updatedReplicas'));
    case 'DaemonSet':
      return Math.max(0, status('currentNumberScheduled') - status('updatedNumberScheduled'));
    default:
      return pods.filter((pod) => isOf(pod, object) && isOld(pod, object)).length;
  }
}

function isOf(pod: AnyObject, owner: AnyObject): boolean {
  return pod.metadata.ownerReferences?.some(({ uid, controller }) => controller && uid === owner.metadata.uid) ?? false;
}

/** By the marks of restarts, which pods have from their template. */
function isOld(pod: AnyObject, owner: AnyObject): boolean {
  const marks = at(owner, ['spec', 'template', 'metadata', 'annotations']);
  return nestedAnnotations.some((key) => at(marks, [key]) !== pod.metadata.annotations?.[key]);
}
