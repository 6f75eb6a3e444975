import type { Finding } from '../../control/conditions.ts';
import type { AnyObject } from '../../kube/object.ts';
import { annotations } from '../keys.ts';
import { instance } from '../resources/instance.ts';
import { healthOf } from './health-of.ts';
import { text } from './status-of.ts';

/** In this order they are told of. */
const kinds = ['Deployment', 'StatefulSet', 'ReplicaSet', 'DaemonSet', 'ReplicationController', 'Pod'];

/**
 * What `Ready` of an Instance says while no plan runs: that all workloads and pods with its labels are healthy. Pods that
 * come to an end, because that is what they were made for or because others take their place, do not count.
 */
export function readiness(resources: readonly AnyObject[]): Finding {
  const problems = kinds.flatMap((kind) =>
    resources
      .filter((object) => object.kind === kind && !isEnding(object))
      .toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
      .flatMap(problemOf),
  );
  return problems.length === 0
    ? { type: 'Ready', status: 'True', reason: 'ResourcesReady', message: '' }
    : { type: 'Ready', status: 'False', reason: 'ResourceNotReady', message: problems.join(', ') };
}

function problemOf(object: AnyObject): readonly string[] {
  const health = healthOf(object);
  if (health.is === 'healthy') return [];
  const { namespace, name } = object.metadata;
  return [object.kind === 'Pod' ? `pod ${namespace}/${name} is not running yet: ${phaseOf(object)}` : health.message];
}

function isEnding(object: AnyObject): boolean {
  if (object.metadata.deletionTimestamp !== undefined) return true;
  if (object.kind !== 'Pod') return false;
  const controller = object.metadata.ownerReferences?.find((owner) => owner.controller);
  const isPipe = object.metadata.annotations?.[annotations.pipePod] !== undefined;
  if (controller?.kind === 'Job' || isPipe) return true;
  const phase = phaseOf(object);
  // One that was evicted stays for people to look at; its workload has made another. An Instance makes none.
  const isReplaced = controller !== undefined && controller.kind !== instance.type.kind;
  return phase === 'Succeeded' || (phase === 'Failed' && isReplaced);
}

function phaseOf(pod: AnyObject): string {
  return text(pod, 'status', 'phase') ?? 'Pending';
}
