import { triggeredPlan as triggered } from '../decide/admit/triggered-plan.ts';
import { definitionsOf } from '../parameters/definitions.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';

/** The plan that a change of these parameters runs. `undefined`: none, or there would be two. */
export function triggeredPlan(version: OperatorVersion, changed: readonly string[]): string | undefined {
  const definitions = definitionsOf(version);
  const verdict = triggered(
    '',
    changed.flatMap((name) => definitions.get(name) ?? []),
    version,
  );
  return verdict && 'plan' in verdict ? verdict.plan : undefined;
}
