import type { PhaseStatus, PlanStatus } from '../resources/instance.ts';
import type { Phase, Plan, Step } from '../resources/operator-version.ts';

/** A step and where it stands. */
export interface Position {
  readonly phase: Phase;
  readonly step: Step;
  /** Which step of the plan it is, counted through all its phases: several may have one name. */
  readonly at: number;
}

/**
 * The steps that are to be worked on now: those that are not complete and that no serial strategy keeps back. A strategy
 * that is not `serial` counts as `parallel`, as it always did.
 *
 * A serial plan stops at its first phase that is not complete, a serial phase at its first such step. So the answer is
 * empty only when the plan is complete.
 */
export function frontier(plan: Plan, status: PlanStatus | undefined): readonly Position[] {
  const found: Position[] = [];
  const phases = plan.phases ?? [];
  let first = 0;
  for (const [index, phase] of phases.entries()) {
    const open = openSteps(phase, first, statusOf(status?.phases, phases, index));
    first += phase.steps?.length ?? 0;
    found.push(...open);
    if (open.length > 0 && plan.strategy === 'serial') break;
  }
  return found;
}

function openSteps(phase: Phase, first: number, status: PhaseStatus | undefined): readonly Position[] {
  const steps = phase.steps ?? [];
  const open = steps
    .map((step, index) => ({ phase, step, at: first + index }))
    .filter((_, index) => statusOf(status?.steps, steps, index)?.status !== 'COMPLETE');
  return phase.strategy === 'serial' ? open.slice(0, 1) : open;
}

/** The status of a phase among phases, or of a step among steps: of several that have one name, the one in its place. */
export function statusOf<T extends { readonly name: string }>(
  statuses: readonly T[] | null | undefined,
  among: readonly { readonly name: string }[],
  index: number,
): T | undefined {
  const isAlike = ({ name }: { readonly name: string }): boolean => name === among[index]?.name;
  return statuses?.filter(isAlike)[among.slice(0, index).filter(isAlike).length];
}
