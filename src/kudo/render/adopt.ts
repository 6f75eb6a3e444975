import type { JsonPatch } from '../../control/decision.ts';
import type { KubeObject } from '../../kube/object.ts';

/**
 * What turns KUDO's management of an object into ours. Nothing if KUDO manages none of it. The object must have been read
 * with its managedFields, which caches leave out.
 */
export function adopt(_live: KubeObject): JsonPatch | undefined {
  throw new Error('being built');
}
