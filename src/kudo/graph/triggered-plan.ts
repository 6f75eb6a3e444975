import type { OperatorVersion } from '../resources/operator-version.ts';
import { own } from './own.ts';

/** The plan that a change of these parameters runs. `undefined`: none, or there would be two. */
export function triggeredPlan({ spec }: OperatorVersion, changed: readonly string[]): string | undefined {
  const parameters = (spec.parameters ?? []).filter(({ name }) => changed.includes(name));
  const triggers = new Set(parameters.flatMap(({ trigger }) => (trigger ? [trigger] : [])));
  if (triggers.size > 1) return undefined;
  const [plan = ['update', 'deploy'].find((name) => own(spec.plans, name) !== undefined)] = triggers;
  return plan !== undefined && own(spec.plans, plan) !== undefined ? plan : undefined;
}
