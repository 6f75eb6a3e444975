import type { Conditions } from '../../../control/conditions.ts';

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
