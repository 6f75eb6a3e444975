import { harmless } from '../../../portrait/text/harmless.ts';
import { type Branch, tree } from '../../../portrait/text/tree.ts';
import type { Instance, PhaseStatus, PlanStatus } from '../../resources/instance.ts';
import type { OperatorVersionSpec, Phase, Plan } from '../../resources/operator-version.ts';

/** The status of a plan that neither runs nor ran last, and of all in it. */
const idle = 'NOT ACTIVE';

/**
 * The tree that people know: all plans by name, the one that runs, or ran last, with the status of its phases and steps.
 *
 * Phases and steps of that one are those of the status, for they are what is executed; strategies come from the package.
 */
export function planTree(instance: Instance, spec: OperatorVersionSpec | undefined): string {
  const { name = '', namespace = '' } = instance.metadata;
  const active = lastPlan(instance);
  if (active === undefined) return `No plan ever run for instance - nothing to show for instance ${harmless(name)}\n`;
  const plans = new Map(Object.entries(spec?.plans ?? {}));
  const names = [...new Set([...plans.keys(), active.name])].sort(byCode);
  const branches = names.map((plan) =>
    plan === active.name ? activePlan(active, plans.get(plan)) : idlePlan(plan, plans.get(plan)),
  );
  const version = instance.spec.operatorVersion?.name ?? '';
  const root = `${name} (Operator-Version: "${version}" Active-Plan: "${active.name}")`;
  return `Plan(s) for "${harmless(name)}" in namespace "${harmless(namespace)}":\n${tree('.', [{ text: harmless(root), branches }])}`;
}

/** A plan that has a status, with its name. */
export type NamedPlan = PlanStatus & { readonly name: string };

/** The plan that runs, else the one that was last heard of; undefined when none ever ran. */
export function lastPlan({ status, spec }: Instance): NamedPlan | undefined {
  const all = new Map(Object.entries(status?.planStatus ?? {}));
  const named = (name: string | undefined): NamedPlan | undefined => {
    const found = name === undefined || name === '' ? undefined : all.get(name);
    return found && { ...found, name: name ?? '' };
  };
  const running = named(status?.execution?.plan) ?? named(status?.latest?.plan) ?? named(spec?.planExecution?.planName);
  if (running !== undefined && running.status !== 'NEVER_RUN') return running;
  // An Instance that only KUDO's own manager has seen.
  const ran = [...all.keys()].flatMap((name) => named(name) ?? []).filter(({ status }) => hasRun(status));
  return ran.sort((a, b) => timeOf(b) - timeOf(a))[0];
}

function hasRun(status: string | undefined): boolean {
  return status !== undefined && status !== '' && status !== 'NEVER_RUN';
}

function timeOf({ lastUpdatedTimestamp }: PlanStatus): number {
  return Date.parse(lastUpdatedTimestamp ?? '') || 0;
}

function activePlan(plan: NamedPlan, known: Plan | undefined): Branch {
  const phases = plan.phases ?? [];
  const strategies = new Map((known?.phases ?? []).map((phase) => [phase.name, phase]));
  const updated = plan.lastUpdatedTimestamp ? `, last updated ${shortTime(plan.lastUpdatedTimestamp)}` : '';
  return {
    text: `${titled('Plan', plan.name, known)} [${word(plan.status)}]${inBrackets(plan.message)}${updated}`,
    branches: phases.map((phase) => activePhase(phase, strategies.get(phase.name))),
  };
}

function activePhase(phase: PhaseStatus, known: Phase | undefined): Branch {
  return {
    text: `${titled('Phase', phase.name, known)} [${word(phase.status)}]${inBrackets(phase.message)}`,
    branches: (phase.steps ?? []).map((step) => ({
      text: `Step ${harmless(step.name)} [${word(step.status)}]${inBrackets(step.message)}`,
    })),
  };
}

function idlePlan(name: string, plan: Plan | undefined): Branch {
  return {
    text: `${titled('Plan', name, plan)} [${idle}]`,
    branches: (plan?.phases ?? []).map((phase) => ({
      text: `${titled('Phase', phase.name, phase)} [${idle}]`,
      branches: (phase.steps ?? []).map((step) => ({ text: `Step ${harmless(step.name)} [${idle}]` })),
    })),
  };
}

/** The package may have been edited since: then the strategy is unknown, and left out. */
function titled(what: 'Plan' | 'Phase', name: string, known: Plan | Phase | undefined): string {
  return `${what} ${harmless(name)}${known?.strategy ? ` (${harmless(known.strategy)} strategy)` : ''}`;
}

function word(status: string | undefined): string {
  return harmless(status || 'NEVER_RUN');
}

function inBrackets(message: string | undefined): string {
  const text = message?.trim();
  return text ? ` (${harmless(text)})` : '';
}

/** `2030-01-01 12:00:00`, in UTC, as everything in Kubernetes. What is no time is shown as it is. */
export function shortTime(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? harmless(time) : new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** By code units: the same everywhere, whatever the language of the machine. */
function byCode(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
