import type { Condition } from '../../../control/conditions.ts';

/** The condition of a type, if the status has one. */
export function conditionOf(
  status: { readonly conditions?: readonly Condition[] | undefined } | undefined,
  type: string,
): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}
