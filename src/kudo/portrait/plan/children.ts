import { isObject } from '../../../change/equal.ts';
import type { AnyObject } from '../../../kube/object.ts';
import type { Edit } from '../../../portrait/plan.ts';
import { planOf } from '../../decide/plan-of.ts';
import { prepareChild } from '../../decide/task/prepare-child.ts';
import { placeOf, type Subject } from '../../graph/renderings.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import type { Nearby } from '../surroundings.ts';

type Values = Readonly<Record<string, string>>;

/** What a plan does to the child Instances of its KudoOperator tasks, which have plans of their own. */
export function childEdits(
  subject: Subject,
  plan: string,
  values: { readonly from: Values | undefined; readonly to: Values },
  near: Nearby,
): readonly Edit<AnyObject>[] {
  return tasksOf(subject.operatorVersion, plan).flatMap(({ task, phase, step }): readonly Edit<AnyObject>[] => {
    const use = { plan, phase, step, task, role: 'configures', template: '' } as const;
    const next = prepareChild(task, placeOf(subject, use, values.to));
    if (next.does !== 'child') return [];
    const { child } = next;
    const live = near.find({ apiVersion: child.apiVersion, kind: child.kind, name: child.metadata.name ?? '' });
    if (live === 'unseen') return [];
    if (live === 'gone') return [{ after: child as AnyObject }];
    const old = values.from && prepareChild(task, placeOf(subject, use, values.from));
    const before = parametersIn(old?.does === 'child' ? old.child : undefined);
    const wanted = parametersIn(child);
    // What others set on the child stays; what the parent no longer sets goes.
    const kept = Object.entries(parametersIn(live)).filter(([name]) => !Object.hasOwn(before, name));
    const spec = isObject(live.spec) ? live.spec : {};
    const after = {
      ...live,
      spec: { ...spec, ...specIn(child), parameters: { ...Object.fromEntries(kept), ...wanted } },
    };
    return [{ before: live, after }];
  });
}

function tasksOf({ spec }: OperatorVersion, plan: string) {
  const tasks = new Map((spec.tasks ?? []).map((task) => [task.name, task]));
  const version = { spec } as OperatorVersion;
  return (planOf(version, plan)?.phases ?? []).flatMap((phase) =>
    (phase.steps ?? []).flatMap((step) =>
      (step.tasks ?? []).flatMap((name) => {
        const task = tasks.get(name);
        return task?.kind === 'KudoOperator' ? [{ task, phase: phase.name, step: step.name }] : [];
      }),
    ),
  );
}

function specIn(object: object | undefined): Readonly<Record<string, unknown>> {
  const spec: unknown = object && Reflect.get(object, 'spec');
  return isObject(spec) ? spec : {};
}

function parametersIn(object: object | undefined): Readonly<Record<string, unknown>> {
  const { parameters } = specIn(object);
  return isObject(parameters) ? parameters : {};
}
