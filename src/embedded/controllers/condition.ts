import type { Condition } from '../kinds/objects/condition.ts';

export function conditionOf(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((one) => one.type === type);
}

/** Whether the condition is there and true. */
export function holds(conditions: readonly Condition[] | undefined, type: string): boolean {
  return conditionOf(conditions, type)?.status === 'True';
}

/**
 * The list with this condition set. One that says the same stays as it is; with the same status it keeps its transition
 * time.
 */
export function withCondition(conditions: readonly Condition[] | undefined, next: Condition): readonly Condition[] {
  const old = conditionOf(conditions, next.type);
  if (old && old.status === next.status && old.reason === next.reason && old.message === next.message) {
    return conditions ?? [];
  }
  const since = old?.status === next.status ? old.lastTransitionTime : next.lastTransitionTime;
  const set = since === undefined ? next : { ...next, lastTransitionTime: since };
  return [...(conditions ?? []).filter((one) => one.type !== next.type), set];
}

export function withoutCondition(conditions: readonly Condition[] | undefined, type: string): readonly Condition[] {
  return (conditions ?? []).filter((one) => one.type !== type);
}
