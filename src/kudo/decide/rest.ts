import type { Instant } from '../../clock/clock.ts';
import { type Conditions, dropCondition, type Finding, setCondition } from '../../control/conditions.ts';
import { outdatedPods } from '../health/outdated-pods.ts';
import { readiness } from '../health/readiness.ts';
import type { InstanceStatus } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { covers } from './demand.ts';
import { driftFinding, driftOf } from './drift.ts';
import type { Beginning } from './execution.ts';
import { nextRepair, repairing } from './repair.ts';
import type { Belongings, InstanceView } from './view.ts';

/** What an Instance is like while no plan runs. */
export interface Rest {
  readonly conditions: Conditions;
  /** What is to be set right now. */
  readonly repair?: Beginning;
  /** Then something is to be set right, or looked at again that could not be read. */
  readonly wakeAt?: Instant;
  readonly because: string;
}

/** So long after an object could not be read it is tried again. */
const lookAgainMs = 10_000;

/**
 * Says how its objects are, and whether something has to be set right. Drift that could not be confirmed is told if it was told
 * before, and nothing is begun for it.
 */
export function rest(status: InstanceStatus, view: InstanceView): Rest {
  const { instance, belongings, now } = view;
  const generation = instance.metadata.generation ?? 0;
  const set = (list: Conditions, finding: Finding | undefined, type: string): Conditions =>
    finding ? setCondition(list, finding, generation, now) : dropCondition(list, type);
  const policy = instance.spec.drift ?? 'report';
  const { unconfirmed = [] } = belongings;
  const told = status.conditions?.find(({ type }) => type === 'Drifted')?.message ?? '';
  const drift = (policy === 'ignore' || !status.accepted ? [] : driftOf(belongings)).filter(
    ({ id, what }) => !unconfirmed.includes(id) || told.includes(what),
  );
  const sure = drift.filter(({ id }) => !unconfirmed.includes(id));
  let conditions: Conditions = dropCondition(status.conditions ?? [], 'AccessMissing');
  const ready = readyFinding(status, belongings);
  conditions = set(conditions, ready, 'Ready');
  const repair = policy === 'repair' && sure.length > 0 ? repairing(sure, status, view) : undefined;
  conditions = set(conditions, driftFinding(drift, repair !== undefined), 'Drifted');
  conditions = set(conditions, stalled(status, view.versions.accepted), 'Stalled');
  conditions = set(conditions, restartPending(belongings), 'RestartPending');
  const because =
    drift.length > 0
      ? drift.map(({ what }) => what).join('; ')
      : `no plan runs; ${ready?.reason ?? 'nothing is installed'}`;
  const lookAt = unconfirmed.length > 0 ? { wakeAt: now + lookAgainMs } : {};
  if (!repair) return { conditions, because, ...lookAt };
  const at = nextRepair(status, now);
  return at !== undefined && now < at
    ? { conditions, because, wakeAt: at, ...lookAt }
    : { conditions, because, repair };
}

/** What `Ready` says; nothing of what was never accepted. */
export function readyFinding(status: InstanceStatus, belongings: Belongings): Finding | undefined {
  return status.accepted && (neverInstalled(status) ?? resources(belongings));
}

/**
 * What `Ready` says where no plan has ever completed: that the resources there are are healthy says nothing about those that
 * are missing. After that a plan may fail, and the resources are judged by themselves (KUDO does the same).
 */
function neverInstalled({ history = [], planStatus = {} }: InstanceStatus): Finding | undefined {
  const plans = Object.entries(planStatus);
  if (history.some((past) => past.outcome === 'COMPLETE') || plans.some(([, plan]) => plan.status === 'COMPLETE')) {
    return undefined;
  }
  const [last] = history;
  // KUDO leaves no history, but what became of each plan.
  const [fatal, { message: said } = {}] = plans.find(([, plan]) => plan.status === 'FATAL_ERROR') ?? [];
  const plan = last?.plan ?? fatal;
  if (plan === undefined) return undefined;
  const message = `plan ${plan} did not complete: ${(last ?? { message: said }).message ?? ''}`;
  const reason = last?.outcome === 'CANCELED' ? 'PlanCanceled' : 'PlanInFatalError';
  return { type: 'Ready', status: 'Unknown', reason, message };
}

/** How the resources are that can be seen; that all of them are well cannot be said if some cannot be seen. */
function resources({ workloads, unreadable = [] }: Belongings): Finding {
  const found = readiness(workloads);
  if (found.status !== 'True' || unreadable.length === 0) return found;
  const message = `${unreadable.join(', ')} cannot be watched: it is not permitted`;
  return { type: 'Ready', status: 'Unknown', reason: 'ResourcesNotReadable', message };
}

/**
 * What ran last has failed, or a change was not carried out to its end; nothing will be tried again by itself. A change is
 * carried out once a plan completes that applies all that its own would have: a `backup` does not make up for it.
 */
function stalled({ history = [] }: InstanceStatus, version: OperatorVersion | undefined): Finding | undefined {
  const failed = history.find((past, index) => {
    if (index === 0 && past.outcome === 'FATAL_ERROR') return true;
    const isChange = past.cause === 'install' || past.cause === 'parameters' || past.cause === 'upgrade';
    if (!isChange || !version || (past.outcome !== 'FATAL_ERROR' && past.outcome !== 'SUPERSEDED')) return false;
    const since = history.slice(0, index);
    return !since.some(({ outcome, plan }) => outcome === 'COMPLETE' && covers(version, plan, past.plan));
  });
  if (!failed) return undefined;
  const { plan, outcome, message = '' } = failed;
  const finding = { type: 'Stalled', status: 'True' } as const;
  return outcome === 'FATAL_ERROR'
    ? { ...finding, reason: 'PlanInFatalError', message: `plan ${plan} failed: ${message}` }
    : { ...finding, reason: 'PlanSuperseded', message: `plan ${plan} did not complete: ${message}; run it again` };
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
