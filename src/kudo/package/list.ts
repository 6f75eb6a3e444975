import { type Branch, tree } from '../../portrait/text/tree.ts';
import type { OperatorVersion, Parameter, Task } from '../resources/operator-version.ts';
import { tableText } from './table-text.ts';

export interface ParameterListOptions {
  readonly descriptions?: boolean;
  readonly names?: boolean;
  /** Only those that must be given: required, and without a default. */
  readonly required?: boolean;
}

/** Cells of the table of parameters are no wider. */
const WIDEST = 35;

/** `package list parameters`. At most one of the options can be asked for; that is for the caller to say. */
export function listParameters(version: OperatorVersion, options: ParameterListOptions = {}): string {
  const parameters = (version.spec.parameters ?? []).toSorted((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  );
  if (options.required) {
    const missing = parameters.filter(({ required, default: value }) => required === true && typeof value !== 'string');
    if (missing.length === 0) return 'no required parameters without default values found\n';
    return tableText([['Name'], ...missing.map(({ name }) => [name])]);
  }
  if (options.names) return tableText([['Name'], ...parameters.map(({ name }) => [name])]);
  const title = ['Name', 'Default', 'Required', 'Immutable', ...(options.descriptions ? ['Descriptions'] : [])];
  return tableText([title, ...parameters.map((one) => parameterRow(one, options))], WIDEST);
}

function parameterRow(parameter: Parameter, { descriptions }: ParameterListOptions): readonly string[] {
  const { name, default: value, required, immutable, description } = parameter;
  const row = [name, value ?? '', String(required ?? true), String(immutable ?? false)];
  return descriptions ? [...row, description ?? ''] : row;
}

/** `package list tasks` */
export function listTasks(version: OperatorVersion): string {
  const tasks = version.spec.tasks ?? [];
  if (tasks.length === 0) return 'no tasks  found\n';
  const rows = tasks.map(({ name, kind, spec }) => [
    name,
    kind,
    kind === 'Pipe' ? (spec?.pod ?? '') : `[${(spec?.resources ?? []).join(' ')}]`,
  ]);
  return tableText([['Name', 'Kind', 'Resources'], ...rows]);
}

/** `package list plans`; with tasks, also what each of them applies. */
export function listPlans(version: OperatorVersion, withTasks = false): string {
  const plans = Object.entries(version.spec.plans ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  if (plans.length === 0) return 'no plans found\n';
  const tasks = version.spec.tasks ?? [];
  const nodeOf = (name: string): readonly Branch[] =>
    withTasks ? tasks.filter((task) => task.name === name).map(taskNode) : [{ text: name }];
  const nodes = plans.map(([name, plan]) => ({
    text: `${name} (${plan.strategy ?? ''})`,
    branches: (plan.phases ?? []).map((phase) => ({
      text: `[phase]  ${phase.name} (${phase.strategy ?? ''})`,
      branches: (phase.steps ?? []).map((step) => ({
        text: `[step]  ${step.name}`,
        branches: (step.tasks ?? []).flatMap(nodeOf),
      })),
    })),
  }));
  return tree('plans', nodes);
}

function taskNode({ name, kind, spec = {} }: Task): Branch {
  const under = (texts: readonly string[]): Branch => ({
    text: `[${kind.toLowerCase()}]  ${name}`,
    branches: texts.map((text) => ({ text })),
  });
  switch (kind) {
    case 'Apply':
    case 'Delete':
      return under(spec.resources ?? []);
    case 'Toggle':
      return under([`[parameter]  ${spec.parameter ?? ''}`, ...(spec.resources ?? [])]);
    case 'Pipe':
      return under([spec.pod ?? '']);
    case 'KudoOperator':
      return under([spec.package ?? '']);
    case 'Dummy':
      return under([]);
    default:
      return { text: `[unknown]  ${name}` };
  }
}
