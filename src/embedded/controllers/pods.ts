import type { KubeObject, OwnerReference } from '../../kube/object.ts';
import type { Pod, PodTemplate } from '../kinds/objects/pod.ts';
import { instantOf } from '../timestamp.ts';
import { conditionOf, holds } from './condition.ts';

/** Neither ended nor on its way out. */
export function isActive(pod: Pod): boolean {
  return !hasEnded(pod) && !pod.metadata.deletionTimestamp;
}

export function hasEnded(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

export function isReady(pod: Pod): boolean {
  return holds(pod.status?.conditions, 'Ready');
}

/** Ready for long enough to be counted on. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  return untilAvailable(pod, minReadySeconds, now) === 0;
}

/** Milliseconds until a ready pod is available; undefined for one that is not ready. */
export function untilAvailable(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds <= 0) return 0;
  const since = instantOf(conditionOf(pod.status?.conditions, 'Ready')?.lastTransitionTime);
  return Math.max(0, since + minReadySeconds * 1000 - now);
}

/** Milliseconds until the next of these pods becomes available by mere waiting. */
export function nextAvailable(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  const waits = pods.map((pod) => untilAvailable(pod, minReadySeconds, now)).filter((ms) => ms !== undefined && ms > 0);
  return waits.length > 0 ? Math.min(...(waits as number[])) : undefined;
}

/** The owner that manages an object, if it has one. */
export function managerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}

export function managedBy(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name ?? '',
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** A pod as a workload's template describes it. */
export function podFrom(
  template: PodTemplate,
  owner: KubeObject,
  identity: { readonly name?: string; readonly generateName?: string },
): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...identity,
      ...(owner.metadata.namespace && { namespace: owner.metadata.namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ownerReferences: [managedBy(owner)],
    },
    spec: template.spec,
  };
}
