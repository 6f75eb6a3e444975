import type { InstanceStatus } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { planOf } from './plan-of.ts';

/** A restart that was demanded and is not done yet. */
export type Demand = NonNullable<InstanceStatus['restart']>;

/**
 * Whether completing `plan` carries out what was demanded of `demanded`: it is the same plan, or it applies every template
 * that the other would have applied. A `backup` does not.
 */
export function covers(version: OperatorVersion, plan: string, demanded: string): boolean {
  if (plan === demanded) return true;
  const applied = appliedTemplates(version, plan);
  const asked = appliedTemplates(version, demanded);
  return asked.size > 0 && [...asked].every((template) => applied.has(template));
}

/** The templates whose objects a plan applies, whatever its parameters are. */
function appliedTemplates(version: OperatorVersion, name: string): ReadonlySet<string> {
  const tasks = new Map((version.spec.tasks ?? []).map((task) => [task.name, task]));
  const templates = new Set<string>();
  for (const phase of planOf(version, name)?.phases ?? []) {
    for (const step of phase.steps ?? []) {
      for (const task of step.tasks ?? []) {
        const { kind, spec } = tasks.get(task) ?? {};
        if (kind === 'Apply' || kind === 'Toggle') for (const one of spec?.resources ?? []) templates.add(one);
      }
    }
  }
  return templates;
}
