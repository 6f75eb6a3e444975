import type { Sealed } from '../../control/sealed.ts';
import type { Place } from '../render/place.ts';
import type { Execution, Instance, InstanceStatus } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { frontier } from './frontier.ts';
import { planOf } from './plan-of.ts';
import { lastOfEach } from './task/last-of-each.ts';
import { pipesOf } from './task/pipes-of.ts';
import { prepare } from './task/prepare.ts';
import type { StepWork } from './task/work.ts';

/** What the running plan is to do now, with everything rendered that its tasks need. Pure and total. */
export function workOf({
  instance,
  status,
  version,
  key,
  waiterImage,
}: {
  readonly instance: Instance;
  readonly status: InstanceStatus & { readonly execution: Execution };
  readonly version: OperatorVersion;
  readonly key?: Sealed;
  readonly waiterImage: string;
}): readonly StepWork[] {
  const { plan: name } = status.execution;
  const plan = planOf(version, name);
  if (!plan) return [];
  const { name: instanceName = '', namespace = '', uid = '' } = instance.metadata;
  const pipes = pipesOf(version, instanceName, name);
  return frontier(plan, status.planStatus?.[name]).map(({ phase, step }) => {
    const place: Place = {
      instance: { name: instanceName, namespace, uid },
      operatorVersion: version,
      parameters: status.accepted?.parameters ?? {},
      plan: name,
      phase: phase.name,
      step: step.name,
      pipes,
    };
    // The key is opened for the templates only: what is seen and logged of the work is without it.
    const secret: Place = key ? { ...place, key: Buffer.from(key.open(), 'base64') } : place;
    const tasks = (step.tasks ?? []).map((task) => ({ ...prepare(task, secret, waiterImage), place }));
    return { phase: phase.name, step: step.name, tasks: lastOfEach(tasks) };
  });
}
