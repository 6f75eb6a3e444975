import type { InstanceStatus, PastExecution } from '../resources/instance.ts';
import { instantOf } from './wording.ts';

/** A plan that has come to an end, as far as that is known. */
export type Ended = Pick<PastExecution, 'plan' | 'outcome'> & Partial<PastExecution>;

/** What ended last. KUDO left no history, but what became of each plan, and when. */
export function lastEnded({ history = [], planStatus = {} }: InstanceStatus): Ended | undefined {
  const [last] = history;
  if (last) return last;
  const ended = Object.entries(planStatus).flatMap(([plan, { status, message, lastUpdatedTimestamp, phases }]) => {
    if (status !== 'COMPLETE' && status !== 'FATAL_ERROR') return [];
    const steps = (phases ?? []).flatMap((phase) => phase.steps ?? []);
    const said = message ?? steps.find((step) => step.status === 'FATAL_ERROR')?.message;
    const one: Ended = {
      plan,
      outcome: status,
      ...(said && { message: said }),
      ...(lastUpdatedTimestamp && { endedAt: lastUpdatedTimestamp }),
    };
    return [one];
  });
  return ended.sort((a, b) => (instantOf(b.endedAt) ?? 0) - (instantOf(a.endedAt) ?? 0))[0];
}

/** Whether any plan has ever come to a good end: before that there is nothing that could serve. */
export function everComplete({ history = [], planStatus = {} }: InstanceStatus): boolean {
  return (
    history.some(({ outcome }) => outcome === 'COMPLETE') ||
    Object.values(planStatus).some(({ status }) => status === 'COMPLETE')
  );
}
