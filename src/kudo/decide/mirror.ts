import type { Action, VersionedRef } from '../../control/decision.ts';
import type { Instance, InstanceStatus } from '../resources/instance.ts';
import { isDealtWith, isOurs } from './letter.ts';

/**
 * What `spec.planExecution` should say, written there: the plan that runs, and nothing when none does. People and tools that
 * know KUDO look for it there. A letter that waits for its turn is not written over.
 */
export function mirrored({ spec }: Instance, status: InstanceStatus, of: VersionedRef): readonly Action[] {
  const { planName = '', uid, status: said } = spec.planExecution ?? {};
  const { execution } = status;
  if (planName !== '' && !isOurs(status, planName, uid) && !isDealtWith({ spec, status })) return [];
  // What an upgrade that waits asked for beside it is for that upgrade.
  const optOut = spec.planExecution?.restart === false && isPending(status) ? { restart: false } : {};
  const write = (value: Record<string, string | boolean>): readonly Action[] => [
    { do: 'patch', of, patch: [{ op: 'add', path: '/spec/planExecution', value }] },
  ];
  if (!execution) {
    // What was declined stays for its writer to see, until something else takes its place.
    if (planName === '' || status.letter?.declined) return [];
    const [last] = status.history ?? [];
    // The status must have forgotten the letter before the box is empty: the same words may come again.
    if (last && isDealtWith({ spec, status })) {
      return write({ planName: last.plan, uid: last.uid, status: last.outcome, ...optOut });
    }
    return write({ ...optOut });
  }
  const running = { planName: execution.plan, uid: execution.uid, status: 'IN_PROGRESS', ...optOut };
  return planName === running.planName && uid === running.uid && said === running.status ? [] : write(running);
}

/** Whether `spec.planExecution` tells of the plan that runs. */
export function isShown({ spec }: Instance, { execution }: InstanceStatus): boolean {
  return execution !== undefined && isOurs({ execution }, spec.planExecution?.planName ?? '', spec.planExecution?.uid);
}

/** Whether something that stands in the spec is not accepted yet. */
function isPending({ conditions = [] }: InstanceStatus): boolean {
  return conditions.some(
    ({ type, status }) => (type === 'Waiting' && status === 'True') || (type === 'Accepted' && status === 'False'),
  );
}
