import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { same } from '../kinds/checks.ts';
import type { World } from '../world.ts';

/** Stores the status if it differs from what the object has. Nothing is written when nothing changed. */
export async function writeStatus<T extends KubeObject & { readonly status?: unknown }>(
  world: World,
  type: ResourceType,
  object: T,
  status: T['status'],
): Promise<T> {
  if (same(object.status, status)) return object;
  return world.updateStatus(type, { ...object, status });
}
