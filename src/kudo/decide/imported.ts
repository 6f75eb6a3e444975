import { timestamp } from '../../control/conditions.ts';
import type { InstanceStatus } from '../resources/instance.ts';
import { planOf } from './plan-of.ts';
import { begun, isTerminal } from './plan-status.ts';
import type { InstanceView } from './view.ts';

/**
 * The status to go on from. One that KUDO left behind has plans but nothing that was accepted: what stands in the spec then
 * is what KUDO had admitted, and a plan that it had scheduled goes on where it was. Nothing restarts by it.
 */
export function imported({ instance, versions, now }: InstanceView): InstanceStatus {
  const { spec, status = {} } = instance;
  if (status.accepted || !status.planStatus || !spec.operatorVersion) return status;
  const accepted = { operatorVersion: spec.operatorVersion, parameters: spec.parameters ?? {} };
  const { planName = '', uid = '', status: said } = spec.planExecution ?? {};
  const known = status.planStatus[planName];
  if (planName === '' || uid === '') return { ...status, accepted };
  // What has ended is nothing that anybody asks for.
  if (isTerminal(said)) return { ...status, accepted, letter: { planName, uid } };
  const startedAt = known?.lastUpdatedTimestamp ?? timestamp(now);
  const execution = { uid, plan: planName, cause: 'trigger', forced: false, startedAt, shown: true } as const;
  if (known?.uid === uid) return { ...status, accepted, execution };
  const plan = (versions.wanted && planOf(versions.wanted, planName)) ?? {};
  const fresh = begun(plan, planName, uid, timestamp(now));
  return { ...status, accepted, execution, planStatus: { ...status.planStatus, [planName]: fresh } };
}
