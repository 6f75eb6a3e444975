import type { KubeObject } from '../kube/object.ts';
import { keyOf } from '../kube/reflector/key.ts';
import type { ResourceType } from '../kube/resource-type.ts';
import { apiVersionOf } from '../kube/resource-type.ts';
import type { Cached, Change } from './caches.ts';
import type { Lane } from './lanes.ts';

/** A kind whose changes concern keys of a controller. */
export interface Trigger {
  readonly cached: Cached;
  /** The keys that a change concerns. Asked once, or twice when the object changed: with its old and its new form. */
  keys(object: KubeObject): Iterable<string>;
}

/** Changes of what the primary kind owns. */
export function owned<T extends KubeObject>(cached: Cached<T>, owner: ResourceType): Trigger {
  const group = apiVersionOf(owner).split('/')[0];
  return {
    cached: cached as unknown as Cached,
    keys: (object) =>
      (object.metadata.ownerReferences ?? [])
        // The version of an owner may change while the reference stays.
        .filter((reference) => reference.kind === owner.kind && reference.apiVersion.split('/')[0] === group)
        .map((reference) => keyOf({ metadata: { ...object.metadata, name: reference.name } })),
  };
}

/**
 * How urgent a change of the primary object is: what people did overtakes what we or the cluster wrote, and the first
 * list after a start waits for both, but for what people asked for while nobody was there.
 */
export function laneOf({ before, after, initial }: Change<KubeObject>): Lane {
  if (initial) return after ? firstLaneOf(after) : 'resync';
  if (!before || !after) return 'edit';
  return asked(before) === asked(after) ? 'change' : 'edit';
}

/** How urgent an object is that is seen for the first time, or was somebody else's until now. */
export function firstLaneOf(object: KubeObject): Lane {
  return isUnanswered(object) ? 'change' : 'resync';
}

/** All by which people ask: the spec (by its generation), labels, annotations, finalizers, deletion. */
function asked({ metadata }: KubeObject): string {
  const { generation, labels, annotations, finalizers, deletionTimestamp } = metadata;
  return JSON.stringify([generation, labels, annotations, finalizers, deletionTimestamp]);
}

/** Whether people asked for something of which the status does not tell yet that it was noticed. */
function isUnanswered({ metadata, status }: KubeObject & { readonly status?: unknown }): boolean {
  const { generation, deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined || status === undefined) return true;
  const { observedGeneration } = (status ?? {}) as { readonly observedGeneration?: unknown };
  return observedGeneration !== undefined && observedGeneration !== generation;
}
