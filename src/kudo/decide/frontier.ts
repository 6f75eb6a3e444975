import type { PhaseStatus, PlanStatus, StepStatus } from '../resources/instance.ts';
import type { Phase, Plan, Step } from '../resources/operator-version.ts';

/** A step and where it stands. */
export interface Position {
  readonly phase: Phase;
  readonly step: Step;
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
  for (const phase of plan.phases ?? []) {
    const open = openSteps(phase, phaseStatus(status, phase.name));
    found.push(...open.map((step) => ({ phase, step })));
    if (open.length > 0 && plan.strategy === 'serial') break;
  }
  return found;
}

function openSteps(phase: Phase, status: PhaseStatus | undefined): readonly Step[] {
  const open = (phase.steps ?? []).filter((step) => stepStatus(status, step.name)?.status !== 'COMPLETE');
  return phase.strategy === 'serial' ? open.slice(0, 1) : open;
}

export function phaseStatus(status: PlanStatus | undefined, name: string): PhaseStatus | undefined {
  return status?.phases?.find((phase) => phase.name === name);
}

export function stepStatus(status: PhaseStatus | undefined, name: string): StepStatus | undefined {
  return status?.steps?.find((step) => step.name === name);
}
