import type { Instance, InstanceStatus } from '../resources/instance.ts';

/** What a person asks for through `spec.planExecution`. */
export type Letter =
  /** Nothing, or what we wrote there ourselves, or what has been dealt with. */
  | { readonly is: 'none' }
  /** The plan that runs is to stop. */
  | { readonly is: 'cancel' }
  | { readonly is: 'run'; readonly plan: string; readonly uid?: string; readonly override: boolean };

/**
 * Reads `spec.planExecution`: people write into it, and so do we, while a plan runs. What we wrote has the uid of an
 * execution of ours; what was dealt with is in `status.letter` for as long as it stands there.
 *
 * A blank is a cancel only once our own writing has been seen there: before that it merely was not written yet.
 */
export function readLetter({ spec, status = {} }: Instance): Letter {
  const { planName = '', uid, override = false } = spec.planExecution ?? {};
  if (planName === '') return status.execution?.shown ? { is: 'cancel' } : { is: 'none' };
  if (isOurs(status, planName, uid) || isDealtWith({ spec, status })) return { is: 'none' };
  return { is: 'run', plan: planName, override, ...(uid !== undefined && { uid }) };
}

/** Whether `spec.planExecution` still says what `status.letter` remembers. */
export function isDealtWith({ spec, status }: Pick<Instance, 'spec' | 'status'>): boolean {
  const { planName = '', uid } = spec.planExecution ?? {};
  const letter = status?.letter;
  return letter !== undefined && letter.planName === planName && letter.uid === uid;
}

/**
 * Whether we wrote this: the plan and the uid of an execution. Whoever changes only the name leaves our uid there, and means
 * another plan.
 */
export function isOurs({ execution, history = [] }: InstanceStatus, plan: string, uid: string | undefined): boolean {
  return [...(execution ? [execution] : []), ...history].some((one) => one.uid === uid && one.plan === plan);
}
