import type { InstanceStatus } from '../resources/instance.ts';
import type { StepResult } from './step.ts';
import { type ThingRef, thingId } from './view.ts';

/**
 * `status.objects` after these steps: with what they applied, without what they deleted. An object is on the list from the
 * moment that it was seen: what was never there cannot be missing.
 */
export function withObjects(
  { objects = [] }: InstanceStatus,
  steps: readonly Pick<StepResult, 'applied' | 'deleted'>[],
): Pick<InstanceStatus, 'objects'> {
  const list = new Map<string, ThingRef>(objects.map((ref) => [thingId(ref), ref]));
  for (const { applied, deleted } of steps) {
    for (const ref of deleted) list.delete(thingId(ref));
    for (const ref of applied) if (!list.has(thingId(ref))) list.set(thingId(ref), ref);
  }
  return list.size > 0 ? { objects: [...list.values()] } : {};
}
