import type { Instant } from '../../clock/clock.ts';
import {
  type Condition,
  type Conditions,
  dropCondition,
  type Finding,
  setCondition,
  timestamp,
} from '../../control/conditions.ts';
import { specialPlans } from '../keys.ts';
import type { Execution, InstanceStatus, PastExecution, PlanStatus, Restart } from '../resources/instance.ts';
import type { OperatorVersion, Plan } from '../resources/operator-version.ts';
import { demanded, withLeftOver, withoutMet } from './demand.ts';
import { executionUid } from './execution-uid.ts';
import { frontier } from './frontier.ts';
import { planOf } from './plan-of.ts';
import { advanced, begun, type StepNews, stopped, withPlansOf } from './plan-status.ts';

/** What is begun. */
export interface Beginning {
  readonly plan: string;
  readonly cause: Execution['cause'];
  readonly changed: readonly string[];
  /** Whether its own cause restarts pods. */
  readonly forced: boolean;
  readonly accepted: NonNullable<InstanceStatus['accepted']>;
  /** Why workloads restart on its account, as far as that can be foretold. */
  readonly reasons?: readonly Restart[];
}

const mostHistory = 10;

/**
 * A plan begins, in place of the one that runs, if one does. Its uid derives from that of the Instance and a number in the
 * status: after a crash the same beginning has the same uid.
 */
export function begin(
  status: InstanceStatus,
  beginning: Beginning,
  around: {
    readonly instanceUid: string;
    /** Of the Instance, for conditions. */
    readonly generation: number;
    readonly version: OperatorVersion;
    readonly now: Instant;
  },
): InstanceStatus {
  const { plan, cause, changed, forced, accepted, reasons = [] } = beginning;
  const { version, now } = around;
  const executions = (status.executions ?? 0) + 1;
  const uid = executionUid(around.instanceUid, executions);
  const startedAt = timestamp(now);
  const { restart: owed, ...ended } = status.execution
    ? end(status, 'SUPERSEDED', now, `plan ${plan} took its place`)
    : status;
  // A manual trigger demands nothing beyond its own execution. Drift is set right without a restart, whatever is owed.
  const force = cause === 'repair' ? 'never' : !forced ? 'no' : cause === 'trigger' ? 'now' : 'until-done';
  const begins = demanded(owed, { uid, plan, changed, forced: force }, version);
  const restart = withLeftOver(begins.restart, { uid, plan, changed }, version);
  const { restartUID } = begins;
  return {
    ...ended,
    accepted,
    executions,
    execution: {
      uid,
      plan,
      cause,
      ...(changed.length > 0 && { changed: [...changed] }),
      forced,
      ...(restartUID !== undefined && { restartUID }),
      startedAt,
      ...(reasons.length > 0 && { reasons: [...reasons] }),
    },
    ...(restart && { restart }),
    planStatus: {
      ...withPlansOf(version, ended.planStatus),
      [plan]: underWay(planOf(version, plan) ?? {}, plan, uid, startedAt),
    },
    latest: { plan, status: 'IN_PROGRESS', restart: restartUID === undefined ? 'no' : 'yes' },
    conditions: conditionsOf(ended.conditions ?? [], plan, around.generation, now),
    ...(ended.letter && { letter: withoutDecline(ended.letter) }),
  };
}

/**
 * A step that is worked on first is said to be in progress at once: that need not be written again. Of several one may fail
 * for good, and then those behind it were never begun.
 */
function underWay(plan: Plan, name: string, uid: string, now: string): PlanStatus {
  const fresh = begun(plan, name, uid, now);
  const first = frontier(plan, fresh).map(({ phase, step, at }): StepNews => {
    return { phase: phase.name, step: step.name, at, status: 'IN_PROGRESS' };
  });
  return first.length === 1 ? advanced(fresh, plan, first, now) : fresh;
}

/** What runs now may mend what failed before: that is told again when this one has failed, too. */
function conditionsOf(before: Conditions, plan: string, generation: number, now: Instant): Condition[] {
  const open = dropCondition(dropCondition(before, 'Stalled'), 'AccessMissing');
  return [...(makesReady(plan) ? setCondition(open, inProgress(plan), generation, now) : open)];
}

/** Whether resources are healthy is not known before such a plan has ended. A backup leaves them as they are. */
function makesReady(plan: string): boolean {
  return plan === specialPlans.deploy || plan === specialPlans.update || plan === specialPlans.upgrade;
}

function inProgress(plan: string): Finding {
  return { type: 'Ready', status: 'Unknown', reason: 'PlanInProgress', message: `plan ${plan} is in progress` };
}

/** What was declined gives way to what begins now. */
function withoutDecline({ declined: _declined, ...letter }: NonNullable<InstanceStatus['letter']>): typeof letter {
  return letter;
}

/** When an execution began; if its status does not say it in a way that can be read, long ago. */
export function startOf({ startedAt }: Pick<Execution, 'startedAt'>): Instant {
  const at = Date.parse(startedAt);
  return Number.isNaN(at) ? 0 : at;
}

/** The plan that runs ends like this. A demand for a restart ends with it only if it was carried out. */
export function end(
  status: InstanceStatus,
  outcome: PastExecution['outcome'],
  now: Instant,
  message?: string,
  version?: OperatorVersion,
): InstanceStatus {
  const { execution, restart, ...rest } = status;
  if (!execution) return status;
  const {
    reasons: _reasons,
    shown: _shown,
    failures: _failures,
    failedAt: _failedAt,
    warned: _warned,
    calls: _calls,
    ...begun
  } = execution;
  const past: PastExecution = { ...begun, endedAt: timestamp(now), outcome, ...(message !== undefined && { message }) };
  const latest = status.latest ?? { plan: execution.plan, restart: 'no' as const };
  const planStatus = status.planStatus?.[execution.plan];
  const early = planStatus && (outcome === 'CANCELED' || outcome === 'SUPERSEDED');
  return {
    ...rest,
    ...(outcome === 'COMPLETE' && version && execution.cause !== 'repair'
      ? withoutMet(restart, execution.plan, version)
      : restart && { restart }),
    ...(early && {
      planStatus: { ...status.planStatus, [execution.plan]: stopped(planStatus, message ?? outcome, timestamp(now)) },
    }),
    latest: { ...latest, plan: execution.plan, status: outcome },
    history: [past, ...(status.history ?? [])].slice(0, mostHistory),
  };
}
