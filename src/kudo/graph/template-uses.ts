import type { OperatorVersion, Task } from '../resources/operator-version.ts';
import { own } from './own.ts';

/** What a task does with a template. `configures`: it is the parameter file of a child Instance. */
export type Role = 'applies' | 'deletes' | 'toggles' | 'pipes' | 'configures';

/** A template, and the first place of a plan where a task uses it. */
export interface TemplateUse {
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
  readonly task: Task;
  readonly role: Role;
  readonly template: string;
}

/** More uses than this are no package for people; the rest is left out. */
const most = 10_000;

/**
 * Every use of a template by the plans of a package, in the order of the plan. A task that a plan runs several times counts
 * at its first place.
 */
export function templateUses(
  { spec }: OperatorVersion,
  plans: readonly string[] = planNames(spec.plans),
): readonly TemplateUse[] {
  const tasks = new Map((spec.tasks ?? []).map((task) => [task.name, task]));
  const uses: TemplateUse[] = [];
  for (const plan of plans) {
    const seen = new Set<string>();
    for (const phase of own(spec.plans, plan)?.phases ?? []) {
      for (const step of phase.steps ?? []) {
        for (const name of step.tasks ?? []) {
          const task = tasks.get(name);
          if (task === undefined || seen.has(name)) continue;
          seen.add(name);
          for (const [role, template] of templatesOf(task)) {
            if (uses.length >= most) return uses;
            uses.push({ plan, phase: phase.name, step: step.name, task, role, template });
          }
        }
      }
    }
  }
  return uses;
}

/** The tasks of a plan, each once, in the order they first run. */
export function tasksOf({ spec }: OperatorVersion, plan: string): readonly string[] {
  const steps = (own(spec.plans, plan)?.phases ?? []).flatMap((phase) => phase.steps ?? []);
  return [...new Set(steps.flatMap((step) => step.tasks ?? []))];
}

/** The plans that have a meaning of their own first, in the order of an Instance's life; then the others by name. */
export function planNames(plans: OperatorVersion['spec']['plans']): readonly string[] {
  const names = Object.keys(plans ?? {}).sort();
  const first = ['deploy', 'update', 'upgrade'].filter((name) => names.includes(name));
  return [...first, ...names.filter((name) => !first.includes(name))];
}

function templatesOf({ kind, spec = {} }: Task): readonly (readonly [Role, string])[] {
  const all = (role: Role) => (spec.resources ?? []).map((template) => [role, template] as const);
  switch (kind) {
    case 'Apply':
      return all('applies');
    case 'Delete':
      return all('deletes');
    case 'Toggle':
      return all('toggles');
    case 'Pipe':
      return spec.pod === undefined ? [] : [['pipes', spec.pod]];
    case 'KudoOperator':
      return spec.parameterFile === undefined ? [] : [['configures', spec.parameterFile]];
    default:
      return [];
  }
}
