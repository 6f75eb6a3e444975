import type { Execution, PlanExecution } from '../../resources/instance.ts';
import type { PlanRequest } from './view.ts';

/**
 * What `spec.planExecution` asks for, beside the execution that runs.
 *
 * While a plan runs, the field tells of it: the operator writes name and uid there. So the name of the running plan with its
 * uid, or without any, asks for nothing; with another uid it asks for the plan to start over; another name asks for another
 * plan. No name is a cancel only once the field has been seen to tell of the execution, else whoever wrote it knew of none.
 */
export function requestOf(
  asked: PlanExecution | null | undefined,
  running?: Pick<Execution, 'plan' | 'uid' | 'shown'>,
): PlanRequest {
  const { planName: plan = '', uid = '', override = false } = asked ?? {};
  if (plan === '') return running?.shown ? { is: 'cancel' } : { is: 'none' };
  if (running?.plan === plan && (uid === '' || uid === running.uid || !running.shown)) return { is: 'none' };
  return { is: 'run', plan, override };
}
