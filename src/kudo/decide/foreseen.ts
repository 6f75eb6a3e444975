import type { InstanceStatus } from '../resources/instance.ts';
import type { Change } from './change.ts';
import type { InstanceView } from './view.ts';

/**
 * The view as it will be once a change stands in the status by which a plan begins. What that plan looks at first can be read
 * before it has begun, and what it sends first then follows its beginning within one turn. `undefined`: no plan begins.
 */
export function foreseen<V extends Pick<InstanceView, 'instance' | 'versions'>>(
  view: V,
  { moved, status }: Pick<Change, 'moved' | 'status'>,
): V | undefined {
  if (!moved || !status.execution) return undefined;
  const { instance, versions } = view;
  const { wanted, unreadable } = versions;
  const accepted = namesTheSame(status, instance.status) ? versions.accepted : wanted;
  return {
    ...view,
    instance: { ...instance, status },
    versions: { ...(wanted && { wanted }), ...(accepted && { accepted }), ...(unreadable && { unreadable }) },
  };
}

/** Whether the same OperatorVersion was accepted before. If not, it is the one that is wanted. */
function namesTheSame({ accepted: after }: InstanceStatus, before: InstanceStatus | undefined): boolean {
  const [one, other] = [after?.operatorVersion, before?.accepted?.operatorVersion];
  return other !== undefined && one?.name === other.name && one?.namespace === other.namespace;
}
