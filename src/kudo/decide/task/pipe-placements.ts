import type { OperatorVersion, TaskSpec } from '../../resources/operator-version.ts';
import { planOf } from '../plan-of.ts';

/** A Pipe task where it stands in a plan. A task that two steps have stands there twice. */
export interface PipePlacement {
  readonly phase: string;
  readonly step: string;
  readonly task: string;
  readonly pipes: NonNullable<TaskSpec['pipe']>;
}

/** The Pipe tasks of a plan, in its order. */
export function pipePlacements(version: OperatorVersion, plan: string): readonly PipePlacement[] {
  const tasks = version.spec.tasks ?? [];
  return (planOf(version, plan)?.phases ?? []).flatMap((phase) =>
    (phase.steps ?? []).flatMap((step) =>
      (step.tasks ?? []).flatMap((name) => {
        const task = tasks.find((one) => one.name === name);
        if (task?.kind !== 'Pipe') return [];
        return [{ phase: phase.name, step: step.name, task: name, pipes: task.spec?.pipe ?? [] }];
      }),
    ),
  );
}
