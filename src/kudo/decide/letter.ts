import type { Instance, InstanceStatus } from '../resources/instance.ts';
import { executionUid, looksLikeExecution } from './execution-uid.ts';

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
 * A blank is a cancel only if our own writing stood there last: before that it merely was not written yet, and whoever blanks
 * a letter that waits takes only that one back. A blank beside the uid of what runs is a cancel in any case.
 */
export function readLetter({ metadata, spec, status = {} }: Instance): Letter {
  const { planName = '', uid, override = false } = spec.planExecution ?? {};
  const { execution } = status;
  if (planName === '') {
    const cancels = execution && (execution.shown || execution.uid === uid);
    return { is: cancels ? 'cancel' : 'none' };
  }
  if (isOurs(status, planName, uid) || isDealtWith({ spec, status })) return { is: 'none' };
  if (isOfLongAgo(metadata.uid ?? '', status, uid)) return { is: 'none' };
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

/** So many uids are made to find one: what a status claims of its executions may be anything. */
const mostTried = 5000;

/**
 * Whether the uid is one that we made for an execution which history has forgotten: a manifest that was exported while a plan
 * ran, and is applied again, asks for nothing. One that is remembered was under another plan: somebody changed its name.
 */
function isOfLongAgo(instanceUid: string, status: InstanceStatus, uid: string | undefined): boolean {
  if (uid === undefined || !looksLikeExecution(uid)) return false;
  const { execution, history = [], executions = 0 } = status;
  if (execution?.uid === uid || history.some((past) => past.uid === uid)) return false;
  const first = Math.max(1, executions - mostTried + 1);
  for (let number = first; number <= executions; number++) if (executionUid(instanceUid, number) === uid) return true;
  return false;
}
