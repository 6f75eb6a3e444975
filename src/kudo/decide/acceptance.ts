import type { Finding } from '../../control/conditions.ts';
import type { EventAction, VersionedRef } from '../../control/decision.ts';
import type { InstanceStatus } from '../resources/instance.ts';
import type { Verdict } from './admit/view.ts';
import { isDealtWith, type Letter } from './letter.ts';
import type { InstanceView } from './view.ts';

type Refused = Extract<Verdict, { is: 'refused' }>;

/** What the condition `Accepted` says. */
export function acceptance(refused: Refused | undefined, status: InstanceStatus, { instance }: InstanceView): Finding {
  const type = 'Accepted';
  if (refused) return { type, status: 'False', reason: refused.reason, message: refused.message };
  const before = status.conditions?.find((condition) => condition.type === type);
  // A letter that was declined stays declined for as long as it stands there.
  if (before?.status === 'False' && status.letter?.declined && isDealtWith({ ...instance, status })) {
    return { type, status: 'False', reason: before.reason as Finding['reason'], message: before.message };
  }
  return { type, status: 'True', reason: 'Accepted', message: '' };
}

/** Said once: when the condition does not say it yet. */
export function refusalEvent(
  refused: Refused | undefined,
  status: InstanceStatus | undefined,
  about: VersionedRef,
): readonly EventAction[] {
  if (!refused) return [];
  const said = status?.conditions?.find((condition) => condition.type === 'Accepted');
  if (said?.status === 'False' && said.message === refused.message) return [];
  return [{ do: 'event', about, reason: refused.reason, note: refused.message, warning: true }];
}

/** A letter as the status remembers it. */
export function remembered(
  { plan, uid }: Extract<Letter, { is: 'run' }>,
  declined: boolean,
): NonNullable<InstanceStatus['letter']> {
  return { planName: plan, ...(uid !== undefined && { uid }), ...(declined && { declined }) };
}

/** The status without a letter that no longer stands in the spec. */
export function remembering(status: InstanceStatus, { instance }: InstanceView): InstanceStatus {
  if (status.letter === undefined || isDealtWith(instance)) return status;
  const { letter: _gone, ...rest } = status;
  return rest;
}
