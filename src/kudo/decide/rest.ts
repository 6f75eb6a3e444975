import type { Instant } from '../../clock/clock.ts';
import { type Conditions, dropCondition, type Finding, setCondition } from '../../control/conditions.ts';
import { outdatedPods } from '../health/outdated-pods.ts';
import { readiness } from '../health/readiness.ts';
import { specialPlans } from '../keys.ts';
import type { InstanceStatus } from '../resources/instance.ts';
import { driftOf } from './drift.ts';
import type { Beginning } from './execution.ts';
import { planOf } from './plan-of.ts';
import type { Belongings, InstanceView } from './view.ts';

/** What an Instance is like while no plan runs. */
export interface Rest {
  readonly conditions: Conditions;
  /** What is to be set right, now or at `repairAt`. */
  readonly repair?: Beginning;
  readonly repairAt?: Instant;
  readonly because: string;
}

/** Two who want an object differently would change it back and forth: not more often than this. */
const repairEveryMs = 60_000;

/** Says how its objects are, and whether something has to be set right. */
export function rest(status: InstanceStatus, view: InstanceView): Rest {
  const { instance, belongings, now } = view;
  const generation = instance.metadata.generation ?? 0;
  const set = (list: Conditions, finding: Finding | undefined, type: string): Conditions =>
    finding ? setCondition(list, finding, generation, now) : dropCondition(list, type);
  const policy = instance.spec.drift ?? 'report';
  const drift = policy === 'ignore' || !status.accepted ? [] : driftOf(belongings);
  let conditions: Conditions = status.conditions ?? [];
  conditions = set(conditions, status.accepted && readiness(belongings.workloads), 'Ready');
  conditions = set(conditions, drifted(drift, policy), 'Drifted');
  conditions = set(conditions, stalled(status), 'Stalled');
  conditions = set(conditions, restartPending(belongings), 'RestartPending');
  const ready = conditions.find((condition) => condition.type === 'Ready');
  const because = drift.length > 0 ? drift.join('; ') : `no plan runs; ${ready?.reason ?? 'nothing is installed'}`;
  if (policy !== 'repair' || drift.length === 0) return { conditions, because };
  const at = nextRepair(status);
  if (at !== undefined && now < at) return { conditions, because, repairAt: at };
  const repair = repairing(status, view);
  return { conditions, because, ...(repair && { repair }) };
}

/** What ran last has failed, and nothing will be tried again by itself. */
function stalled({ history }: InstanceStatus): Finding | undefined {
  const [last] = history ?? [];
  if (last?.outcome !== 'FATAL_ERROR') return undefined;
  const message = `plan ${last.plan} failed: ${last.message ?? ''}`;
  return { type: 'Stalled', status: 'True', reason: 'PlanInFatalError', message };
}

/** Pods that nobody replaces by himself, and that are still of an old template. */
function restartPending({ workloads }: Belongings): Finding | undefined {
  const pods = workloads.filter(({ kind }) => kind === 'Pod');
  const old = workloads.flatMap((workload) => {
    const count = outdatedPods(workload, pods);
    return count > 0 ? [`${count} of ${workload.kind} ${workload.metadata.name ?? ''}`] : [];
  });
  if (old.length === 0) return undefined;
  const message = `pods of an old template: ${old.join(', ')}; delete them to have new ones`;
  return { type: 'RestartPending', status: 'True', reason: 'PodsOutdated', message };
}

function drifted(drift: readonly string[], policy: string): Finding | undefined {
  if (drift.length === 0) return undefined;
  const more = drift.length > 10 ? ` and ${drift.length - 10} more` : '';
  const way = policy === 'repair' ? 'it is being set right' : 'run a plan to set it right, or set spec.drift to repair';
  const message = `${drift.slice(0, 10).join(', ')}${more}: ${way}`;
  return { type: 'Drifted', status: 'True', reason: 'ObjectsChanged', message };
}

function nextRepair({ history = [] }: InstanceStatus): Instant | undefined {
  const last = history.find((past) => past.cause === 'repair');
  return last && Date.parse(last.endedAt) + repairEveryMs;
}

/** The plan that applies everything again. It restarts nothing: nobody asked for that. */
function repairing({ accepted }: InstanceStatus, { versions }: InstanceView): Beginning | undefined {
  const version = versions.accepted;
  if (!accepted || !version) return undefined;
  const plan = [specialPlans.update, specialPlans.deploy].find((name) => planOf(version, name));
  return plan && { plan, cause: 'repair', changed: [], forced: false, accepted };
}
