import type { AnyObject } from '../kube/object.ts';
import type { ResourceType } from '../kube/resource-type.ts';
import { type InstanceStatus, instance } from './resources/instance.ts';

/** Events that say what is told of the followed objects anyway. */
export const toldAnyway: readonly string[] = ['PlanStarted', 'PlanFinished', 'PlanCancelled'];

/** How Instances fare, in a few words. */
export const followed: readonly {
  type: ResourceType;
  state: (object: AnyObject) => string | undefined;
}[] = [{ type: instance.type, state }];

function state({ status }: AnyObject): string | undefined {
  const { latest, execution, history = [], conditions } = (status ?? {}) as InstanceStatus;
  if (!latest) return undefined;
  const { plan, status: progress } = latest;
  if (!execution) {
    const ready = conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
    return `${plan} ${progress}${restarts(history[0]?.restarts)}${ready ? ', ready' : ''}`;
  }
  const steps = (status as InstanceStatus).planStatus?.[plan]?.phases?.flatMap((phase) =>
    (phase.steps ?? []).map((step) => ({ name: `${phase.name}/${step.name}`, status: step.status })),
  );
  const at = steps?.find((step) => step.status !== 'COMPLETE')?.name;
  return `${plan} ${progress}${at === undefined ? '' : ` at ${at}`}${restarts(execution.restarts)}`;
}

function restarts(list: readonly { readonly name: string }[] = []): string {
  return list.length === 0 ? '' : `, restarting pods of ${list.map(({ name }) => name).join(', ')}`;
}
