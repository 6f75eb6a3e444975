import type { KubeObject } from '../../kube/object.ts';
import { switchedOn } from '../decide/task/toggle.ts';
import { PLAN_LIMITS, Renderer } from './renderer.ts';
import { placeOf, type Subject, type Values } from './renderings.ts';
import { type TemplateUse, templateUses } from './template-uses.ts';

/** What a plan does to an object with the values in question, and by which template. */
export interface PlanObject {
  readonly id: string;
  readonly object: KubeObject;
  readonly use: TemplateUse;
  readonly deleted: boolean;
}

/**
 * The objects of plans by id; what several tasks apply is as the last of them leaves it. Templates that cannot be rendered
 * are left out: the plan fails there, and says why.
 */
export function planObjects(
  subject: Subject,
  plans: readonly string[],
  parameters: Values,
  renderer: Renderer = new Renderer(subject, PLAN_LIMITS),
): ReadonlyMap<string, PlanObject> {
  const objects = new Map<string, PlanObject>();
  for (const use of templateUses(subject.operatorVersion, plans)) {
    if (use.role === 'pipes') continue;
    const made = renderer.render(use, parameters);
    if (made === undefined) break;
    if (!('objects' in made)) continue;
    const deleted =
      use.role === 'deletes' ||
      (use.role === 'toggles' && switchedOn(use.task, placeOf(subject, use, parameters)) !== true);
    for (const [id, object] of made.objects) {
      objects.delete(id);
      objects.set(id, { id, object, use, deleted });
    }
  }
  return objects;
}
