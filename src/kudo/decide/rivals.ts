import type { Plan } from '../resources/operator-version.ts';
import type { Position } from './frontier.ts';
import { stepName } from './task/whose.ts';

/** Steps of the same execution that may apply what a step applies, at the same time; by `stepName`. */
export interface Rivals {
  /** Those listed before it that are not complete. */
  readonly ahead: readonly string[];
  /** All that are listed behind it. */
  readonly behind: readonly string[];
}

/**
 * The rivals of each open step, in their order; none in a plan that is serial throughout.
 *
 * Two steps side by side that apply one object would write over each other for as long as it takes to become healthy. So one
 * waits for what a step ahead of it has applied, and takes what a step behind it has applied for its own: the last one counts,
 * and none waits for the other.
 */
export function rivalsOf(plan: Plan, open: readonly Position[]): readonly (Rivals | undefined)[] {
  const phases = plan.phases ?? [];
  const isSerial = plan.strategy === 'serial' && phases.every(({ strategy }) => strategy === 'serial');
  if (isSerial) return open.map(() => undefined);
  const all = phases.flatMap(({ name, steps }) =>
    (steps ?? []).map((step) => stepName({ phase: name, step: step.name })),
  );
  const names = open.map(({ phase, step }) => stepName({ phase: phase.name, step: step.name }));
  return names.map((name, index) => ({ ahead: names.slice(0, index), behind: all.slice(all.indexOf(name) + 1) }));
}
