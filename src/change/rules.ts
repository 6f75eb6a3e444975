import type { ChangeClass, ChangeRule, ChangeRules } from '../schema/change-rule.ts';
import type { Demand } from '../schema/demand.ts';

/** What conditional classes ask for: `{ mode: 'standalone' }`. */
export type Context = Readonly<Record<string, string | undefined>>;

/** A rule in its long form. */
export function rulesOf(rule: ChangeRule | undefined): ChangeRules {
  if (rule === undefined) return {};
  return typeof rule === 'string' || 'by' in rule ? { demands: rule } : rule;
}

/** The demand of a class in a context. */
export function demandOf(demands: ChangeClass, context: Context): Demand {
  if (typeof demands === 'string') return demands;
  const value = Object.hasOwn(context, demands.by) ? context[demands.by] : undefined;
  const found = value !== undefined && Object.hasOwn(demands.cases, value) ? demands.cases[value] : undefined;
  return found ?? demands.otherwise;
}
