import { type Conditions, setCondition } from '../../../control/conditions.ts';
import type { Reason } from '../../../control/decision.ts';
import type { KubeObject } from '../../../kube/object.ts';

/** The conditions of tasks and their workloads: each comes once, and stays. */
export type TaskCondition = 'Initialized' | 'Started' | 'Succeeded' | 'Failed' | 'Canceled';

export function isTrue(conditions: Conditions | undefined, type: TaskCondition): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}

/** Whether it is over, one way or the other. */
export function hasEnded(conditions: Conditions | undefined): boolean {
  return isTrue(conditions, 'Succeeded') || isTrue(conditions, 'Failed');
}

/** Since when it is over. */
export function endedAt(conditions: Conditions | undefined): number | undefined {
  const end = conditions?.find(({ type, status }) => (type === 'Succeeded' || type === 'Failed') && status === 'True');
  const at = Date.parse(end?.lastTransitionTime ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/** Says that a condition has come. One that was said before stays as it was said. */
export function say(
  { resource, now }: { readonly resource: KubeObject; readonly now: number },
  conditions: Conditions = [],
  type: TaskCondition,
  reason: Reason,
  message = '',
): Conditions {
  if (isTrue(conditions, type)) return conditions;
  return setCondition(conditions, { type, status: 'True', reason, message }, resource.metadata.generation ?? 0, now);
}
