import type { OperatorVersion, Plan } from '../resources/operator-version.ts';

/** A plan of the version by its name, and nothing that merely looks like one. */
export function planOf(version: OperatorVersion, name: string): Plan | undefined {
  const plans = version.spec.plans ?? {};
  return Object.hasOwn(plans, name) ? plans[name] : undefined;
}
