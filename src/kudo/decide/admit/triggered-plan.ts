import { specialPlans } from '../../keys.ts';
import type { OperatorVersion, Parameter } from '../../resources/operator-version.ts';
import { type Refused, refusal } from './refusal.ts';

/** The plans of a version, by name, sorted. */
export function plansOf(version: OperatorVersion): readonly string[] {
  return Object.keys(version.spec?.plans ?? {}).sort();
}

export function hasPlan(version: OperatorVersion, plan: string): boolean {
  return Object.hasOwn(version.spec?.plans ?? {}, plan);
}

/** The first of these plans that the version has. */
export function firstPlan(version: OperatorVersion, ...plans: readonly string[]): string | undefined {
  return plans.find((plan) => hasPlan(version, plan));
}

/**
 * The plan that changed parameters run; `undefined` when none changed.
 *
 * A parameter without a trigger never conflicts: changed beside one that has a trigger, it is stored and only that plan
 * runs, as in KUDO.
 */
export function triggeredPlan(
  instance: string,
  changed: readonly Parameter[],
  version: OperatorVersion,
): { readonly plan: string } | Refused | undefined {
  if (changed.length === 0) return undefined;
  const triggering = changed.filter(({ trigger }) => trigger);
  const broken = triggering.find(({ trigger = '' }) => !hasPlan(version, trigger));
  if (broken) return refusal('UndefinedTrigger', { instance, parameter: broken.name, plan: broken.trigger ?? '' });
  const [plan, ...others] = [...new Set(triggering.map(({ trigger = '' }) => trigger))].sort();
  if (plan !== undefined && others.length > 0) {
    const triggers = triggering.map(({ name, trigger }) => `${name} triggers ${trigger}`).sort();
    return refusal('SeveralPlans', { instance, plans: [plan, ...others].join(' '), triggers: triggers.join(', ') });
  }
  const runs = plan ?? firstPlan(version, specialPlans.update, specialPlans.deploy);
  return runs === undefined ? refusal('NoPlanToRun', { instance }) : { plan: runs };
}
