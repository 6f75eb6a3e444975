import type { KubeObject } from '../../../kube/object.ts';
import { CommandError } from '../../../portrait/text/command-error.ts';
import { didYouMean } from '../../../portrait/text/near-names.ts';
import { pipesOf } from '../../decide/task/pipes-of.ts';
import { prepare, taskPath } from '../../decide/task/prepare.ts';
import type { TaskWork } from '../../decide/task/work.ts';
import { own } from '../../graph/own.ts';
import type { Place } from '../../render/place.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import type { PreviewSubject } from './subject.ts';

/** One object, and what a task of a plan does about it. `pipe`: a pod that runs once and leaves files behind. */
export interface Planned {
  readonly place: Place;
  readonly task: string;
  readonly does: 'apply' | 'delete' | 'child' | 'pipe';
  readonly object: KubeObject;
  /** All objects of the task: what workloads read of one another is taken from here first. */
  readonly beside: readonly KubeObject[];
}

export interface PlannedWork {
  readonly items: readonly Planned[];
  /** What had to be repaired, and by whom it was written. */
  readonly warnings: readonly string[];
}

/** In a preview nothing waits, so it does not matter which image would. */
const waiterImage = 'waiter';

/**
 * Everything that a plan would do, in its order, without looking at the cluster. Pure.
 *
 * Errors: a `CommandError` for a plan that is not there, and for whatever would end the plan.
 */
export function plannedWork(subject: Omit<PreviewSubject, 'live'>, plan: string): PlannedWork {
  const { version, instance, parameters, key } = subject;
  const found = own(version.spec.plans, plan);
  if (!found) throw unknownPlan(version, plan);
  const work = (found.phases ?? []).flatMap((phase) =>
    (phase.steps ?? []).flatMap((step) => {
      const place: Place = {
        instance,
        operatorVersion: version,
        parameters,
        plan,
        phase: phase.name,
        step: step.name,
        pipes: pipesOf(version, instance.name, plan),
        key: key ?? new Uint8Array(32),
      };
      return (step.tasks ?? []).map((task) => prepare(task, place, waiterImage));
    }),
  );
  return {
    items: work.flatMap(itemsOf),
    warnings: work.flatMap((task) => ('warnings' in task ? task.warnings : [])),
  };
}

function itemsOf(work: TaskWork): readonly Planned[] {
  const { name: task, place } = work;
  const item = (does: Planned['does'], object: KubeObject): Planned => ({ place, task, does, object, beside: [] });
  switch (work.does) {
    case 'apply':
    case 'delete':
      return work.objects.map((object) => ({ ...item(work.does, object), beside: work.objects }));
    case 'child':
      return [item('child', work.child)];
    case 'pipe':
      return [item('pipe', work.pipe.pod)];
    case 'dummy':
    case 'wait':
      return [];
    case 'fail':
      throw new CommandError(`task ${taskPath(task, place)} cannot be done: ${work.failure.message}`);
    default:
      return work satisfies never;
  }
}

export function unknownPlan(version: OperatorVersion, plan: string): CommandError {
  const plans = Object.keys(version.spec.plans ?? {}).sort();
  const known = didYouMean(plan, plans) || ` ${version.metadata.name} has: ${plans.join(', ')}`;
  return new CommandError(`plan ${plan} does not exist.${known}`);
}
