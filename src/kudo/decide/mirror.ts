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
  const write = (value: Record<string, string>): readonly Action[] => [
    { do: 'patch', of, patch: [{ op: 'add', path: '/spec/planExecution', value }] },
  ];
  // What was declined stays for its writer to see, until something else takes its place.
  if (!execution) return planName === '' || status.letter?.declined ? [] : write({});
  const running = { planName: execution.plan, uid: execution.uid, status: 'IN_PROGRESS' };
  return planName === running.planName && uid === running.uid && said === running.status ? [] : write(running);
}

/** Whether `spec.planExecution` tells of the plan that runs. */
export function isShown({ spec }: Instance, { execution }: InstanceStatus): boolean {
  return execution !== undefined && isOurs({ execution }, spec.planExecution?.planName ?? '', spec.planExecution?.uid);
}
