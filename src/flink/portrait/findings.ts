import type { Condition, Conditions } from '../../control/conditions.ts';
import type { ConditionLine } from '../../portrait/portrait.ts';
import { brief } from './wording.ts';

/** A status as far as its conditions go. */
interface Concluded {
  readonly conditions?: Conditions | undefined;
}

/** A condition that holds. */
export function holds({ conditions = [] }: Concluded, type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type && condition.status === 'True');
}

/** A condition, whether it holds or not. */
export function found({ conditions = [] }: Concluded, type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** Why Cutover leaves an object alone, if it does. */
export function aside(status: Concluded): Condition | undefined {
  const why = ['ManagedElsewhere', 'SchemaOutdated', 'Paused', 'NotReadable'];
  return why.map((type) => holds(status, type)).find((found) => found !== undefined);
}

/** Why the specification as it is written is not acted upon, if that is so. */
export function refusal(status: Concluded): string | undefined {
  const stalled = holds(status, 'Stalled');
  const refused = stalled?.reason === 'ValidationError' || stalled?.reason === 'UnsupportedFlinkVersion';
  return refused ? brief(stalled.message) : undefined;
}

export function conditionLines({ conditions = [] }: Concluded): readonly ConditionLine[] {
  return conditions.map(({ type, status, reason, message, lastTransitionTime }) => ({
    type,
    status,
    reason,
    message,
    since: lastTransitionTime,
  }));
}
