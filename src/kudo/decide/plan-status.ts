import type { PhaseStatus, PlanStatus, StepStatus } from '../resources/instance.ts';
import type { OperatorVersion, Plan } from '../resources/operator-version.ts';
import { statusOf } from './frontier.ts';

/** How far a plan, phase or step has come. `ERROR` is tried again, `FATAL_ERROR` is not. */
export type Progress = 'NEVER_RUN' | 'PENDING' | 'IN_PROGRESS' | 'COMPLETE' | 'ERROR' | 'FATAL_ERROR';

/** What became of a step. */
export interface StepNews {
  readonly phase: string;
  readonly step: string;
  /** Which step of the plan it is; absent: whichever has this name. */
  readonly at?: number;
  readonly status: Progress;
  readonly message?: string;
}

export type PlanStatuses = Readonly<Record<string, PlanStatus>>;

/**
 * One status for every plan of the version, in its order of phases and steps; what is new has never run. Statuses of plans
 * that the version no longer has stay: they are history.
 */
export function withPlansOf(version: OperatorVersion, statuses: PlanStatuses = {}): PlanStatuses {
  const plans = Object.entries(version.spec.plans ?? {});
  const shaped = plans.map(([name, plan]) => [name, shapedAs(plan, name, own(statuses, name))] as const);
  return { ...statuses, ...Object.fromEntries(shaped) };
}

/** The plan as it begins: every step waits for its turn. */
export function begun(plan: Plan, name: string, uid: string, now: string): PlanStatus {
  const phases = (plan.phases ?? []).map((phase) => ({
    name: phase.name,
    status: 'PENDING',
    steps: (phase.steps ?? []).map((step) => ({ name: step.name, status: 'PENDING' })),
  }));
  return { name, status: 'IN_PROGRESS', lastUpdatedTimestamp: now, uid, phases };
}

/**
 * The plan after this news of its steps. Phases follow from their steps, the plan from its phases: all complete is
 * complete; anything fatal is fatal, and ends it; anything begun is in progress (a step that is being tried again leaves
 * its phase and plan in progress).
 */
export function advanced(status: PlanStatus, plan: Plan, news: readonly StepNews[], now: string): PlanStatus {
  let at = -1;
  const phases = (plan.phases ?? []).map((phase, index, all): PhaseStatus => {
    const known = statusOf(status.phases, all, index);
    const steps = (phase.steps ?? []).map((step, place, among): StepStatus => {
      at += 1;
      const said = news.find((one) => one.phase === phase.name && one.step === step.name && (one.at ?? at) === at);
      if (!said) return statusOf(known?.steps, among, place) ?? { name: step.name, status: 'PENDING' };
      return { name: step.name, status: said.status, ...(said.message !== undefined && { message: said.message }) };
    });
    return { name: phase.name, status: ofSteps(steps.map(progress), known?.status), steps };
  });
  const next = { ...status, status: ofPhases(phases.map(progress)), phases };
  return JSON.stringify(next) === JSON.stringify(status) ? status : { ...next, lastUpdatedTimestamp: now };
}

/**
 * A plan that was stopped before its end. There is no word of KUDO's for it: it is over, and not complete. What it had not
 * finished waits for another execution.
 */
export function stopped(status: PlanStatus, message: string, now: string): PlanStatus {
  const left = <T extends { readonly status?: string | undefined }>(one: T): T =>
    one.status === 'COMPLETE' ? one : { ...one, status: 'PENDING' };
  const phases = (status.phases ?? []).map((phase) => left({ ...phase, steps: (phase.steps ?? []).map(left) }));
  return { ...status, status: 'FATAL_ERROR', message, lastUpdatedTimestamp: now, phases };
}

/** Whether the plan has ended. */
export function isTerminal(status: string | undefined): boolean {
  return status === 'COMPLETE' || status === 'FATAL_ERROR';
}

function ofSteps(steps: readonly Progress[], before: string | undefined): Progress {
  if (steps.some((step) => step === 'FATAL_ERROR')) return 'FATAL_ERROR';
  if (steps.every((step) => step === 'COMPLETE')) return 'COMPLETE';
  const untouched = steps.every((step) => step === 'PENDING' || step === 'NEVER_RUN');
  return untouched && before !== 'IN_PROGRESS' ? 'PENDING' : 'IN_PROGRESS';
}

function ofPhases(phases: readonly Progress[]): Progress {
  if (phases.some((phase) => phase === 'FATAL_ERROR')) return 'FATAL_ERROR';
  return phases.every((phase) => phase === 'COMPLETE') ? 'COMPLETE' : 'IN_PROGRESS';
}

function progress({ status }: { readonly status?: string | undefined }): Progress {
  return (status ?? 'PENDING') as Progress;
}

function shapedAs(plan: Plan, name: string, status: PlanStatus | undefined): PlanStatus {
  const phases = (plan.phases ?? []).map((phase, index, all): PhaseStatus => {
    const known = statusOf(status?.phases, all, index);
    const steps = (phase.steps ?? []).map(
      (step, place, among): StepStatus =>
        statusOf(known?.steps, among, place) ?? { name: step.name, status: 'NEVER_RUN' },
    );
    return { ...known, name: phase.name, status: known?.status ?? 'NEVER_RUN', steps };
  });
  return { ...status, name, status: status?.status ?? 'NEVER_RUN', phases };
}

function own(statuses: PlanStatuses, name: string): PlanStatus | undefined {
  return Object.hasOwn(statuses, name) ? statuses[name] : undefined;
}
