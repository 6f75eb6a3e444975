import type { PackagePlan } from '../operator-package.ts';
import type { Complaint } from '../package-error.ts';
import { ownWarnings } from './finding.ts';
import type { Verifier } from './subject.ts';

/**
 * What KUDO accepts in a plan and then does something else than its author may think: a strategy it does not know counts as
 * parallel, the status of a phase or step is kept by its name, a Dummy that is never done ends no plan.
 */
export const verifyPlanShapes: Verifier = ({ found }) => {
  const { tasks, plans } = found.operator;
  return ownWarnings([
    ...[...plans].flatMap(([name, plan]) => planProblems(name, plan)),
    ...repeated(tasks.map(({ task, at }) => ({ name: task.name, at }))).map(({ name, at }) => ({
      message: `there are two tasks ${JSON.stringify(name)}: plans run the first of them`,
      at,
    })),
    ...tasks
      .filter(({ task: { kind, spec } }) => kind === 'Dummy' && !spec?.done && !spec?.wantErr)
      .map(({ task, at }) => ({
        message: `Dummy task ${JSON.stringify(task.name)} has no "done: true": a plan that reaches it never completes`,
        at,
      })),
  ]);
};

function planProblems(name: string, plan: PackagePlan): readonly Complaint[] {
  const what = `plan ${JSON.stringify(name)}`;
  return [
    ...strategyProblems(what, plan.strategy, plan.phases.length, plan.at),
    ...repeated(plan.phases).map((phase) => ({
      message: `${what} has two phases ${JSON.stringify(phase.name)}: their status is kept by name, so one hides the other`,
      at: phase.at,
    })),
    ...plan.phases.flatMap((phase) => {
      const where = `phase ${JSON.stringify(phase.name)} of ${what}`;
      return [
        ...strategyProblems(where, phase.strategy, phase.steps.length, phase.at),
        ...repeated(phase.steps).map((step) => ({
          message: `${where} has two steps ${JSON.stringify(step.name)}: their status is kept by name, so one hides the other`,
          at: step.at,
        })),
      ];
    }),
  ];
}

/** Without a strategy it is parallel too, which matters as soon as there is more than one thing to do. */
function strategyProblems(
  what: string,
  strategy: string | undefined,
  parts: number,
  at: Complaint['at'] & object,
): readonly Complaint[] {
  if (strategy === 'serial' || strategy === 'parallel') return [];
  if (strategy)
    return [{ message: `${what} has an unknown strategy ${JSON.stringify(strategy)}: it counts as parallel`, at }];
  return parts > 1 ? [{ message: `${what} has no strategy: it counts as parallel`, at }] : [];
}

function repeated<T extends { readonly name: string }>(all: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return all.filter(({ name }) => seen.has(name) || !seen.add(name));
}
