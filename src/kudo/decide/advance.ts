import type { Instant } from '../../clock/clock.ts';
import { dropCondition, type Finding, setCondition, timestamp } from '../../control/conditions.ts';
import type { Action, EventAction, VersionedRef } from '../../control/decision.ts';
import { type Outcomes, outcomeId } from '../../control/outcome.ts';
import type { Execution, InstanceStatus, Restart } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { end, startOf } from './execution.ts';
import { heldUp } from './held-up.ts';
import { withObjects } from './inventory.ts';
import { accessMissing, missingGrant } from './missing-grant.ts';
import { overdue, overdueAt } from './overdue.ts';
import { planOf } from './plan-of.ts';
import { advanced, withPlansOf } from './plan-status.ts';
import { isSending, type StepResult, workOn } from './step.ts';
import type { TaskFailure } from './task/work.ts';
import type { InstanceView } from './view.ts';

/** What the running plan needs next. */
export interface Advance {
  readonly status: InstanceStatus;
  /** Done after the status was written. */
  readonly actions: readonly Action[];
  readonly events: readonly EventAction[];
  readonly wakeAt?: Instant;
  readonly because: string;
}

const executing = 'Error during execution: ';
const versionMissing = 'OperatorVersionNotFound';

/** Works on the plan that runs: `status.execution`, which there is. */
export function advance(
  before: InstanceStatus & { readonly execution: Execution },
  view: InstanceView,
  about: VersionedRef,
): Advance {
  const { execution } = before;
  const version = view.versions.accepted;
  const { plan: name } = execution;
  const versionName = before.accepted?.operatorVersion.name ?? '';
  if (!version) {
    const because = `plan ${name} waits for the OperatorVersion ${versionName}, which is not there`;
    const message = `${because}. Install it again, and the plan goes on; or cancel the plan.`;
    const missing: Finding = { type: 'Stalled', status: 'True', reason: versionMissing, message };
    // That it could not be read is no longer what is the matter.
    const status = { ...before, conditions: [...dropCondition(before.conditions ?? [], 'AccessMissing')] };
    return { status: withFinding(status, missing, view), actions: [], events: [], because };
  }
  const status = { ...before, ...withoutMissing(before) };
  const plan = planOf(version, name);
  if (!plan) {
    const failure = {
      reason: 'InvalidPlan',
      message: `plan ${name} is not in OperatorVersion ${versionName}`,
      fatal: true,
    } as const;
    return failedFor(failure, failure.message, status, view, about);
  }
  const results = workedOn(status, view);
  return concluded({ ...status, execution: counted(execution, results, view) }, results, view, about, version);
}

/** What a look at the steps of the running plan amounts to, up to one that fails for good. */
export function workedOn(
  { execution, objects }: InstanceStatus & { readonly execution: Execution },
  view: Pick<InstanceView, 'work' | 'world' | 'outcomes' | 'now'>,
): readonly StepResult[] {
  const restarting = {
    executionUid: execution.uid,
    ...(execution.restartUID !== undefined && { restartUID: execution.restartUID }),
  };
  const { world, outcomes, now } = view;
  const around = { world, outcomes, now, restarting, ...(objects && { objects }) };
  const results: StepResult[] = [];
  for (const step of view.work) {
    const result = workOn(step, around);
    const fatal = result.news.status === 'FATAL_ERROR';
    // What is listed before a step that fails for good is sent before the plan ends by it; what is behind it is not begun.
    if (fatal && results.some(isSending)) break;
    results.push(result);
    if (fatal) break;
  }
  return results;
}

function concluded(
  status: InstanceStatus & { readonly execution: Execution },
  results: readonly StepResult[],
  view: InstanceView,
  about: VersionedRef,
  version: OperatorVersion,
): Advance {
  const { execution } = status;
  const { plan: name } = execution;
  const plan = planOf(version, name) ?? {};
  const limit = view.instance.spec.retryLimit ?? 0;
  const exhausted = limit > 0 && (execution.failures ?? 0) > limit;
  const given = exhausted ? results.map((result) => givenUp(result, limit)) : results;
  const statuses = withPlansOf(version, status.planStatus);
  const before = statuses[name] ?? {};
  const planStatus = advanced(
    before,
    plan,
    given.map((result) => result.news),
    timestamp(view.now),
  );
  const next: InstanceStatus & { readonly execution: Execution } = {
    ...status,
    planStatus: { ...statuses, [name]: planStatus },
    ...withObjects(status, given),
    ...withAccess(status, given, view),
    latest: { plan: name, status: planStatus.status ?? '', restart: execution.restartUID === undefined ? 'no' : 'yes' },
  };
  const fatal = given.find((result) => result.news.status === 'FATAL_ERROR');
  if (fatal?.failure) return failedFor(fatal.failure, fatal.news.message ?? '', next, view, about);
  if (planStatus.status === 'COMPLETE') {
    const note = `Execution of plan ${name} finished with status COMPLETE`;
    const finished: EventAction = { do: 'event', about, reason: 'PlanFinished', note };
    const ended = end(next, 'COMPLETE', view.now, undefined, version);
    return { status: ended, actions: [], events: [finished], because: `plan ${name} is complete` };
  }
  const because = sentence(name, given);
  const why = view.hindrances && heldUp(view, view.hindrances);
  const late = overdue(execution, view.instance, view.now, because, why);
  const wakeAt = earliest(wakeUp(given, execution, view.now), late ? undefined : overdueAt(execution, view.instance));
  return {
    status: late ? withFinding(next, late, view) : next,
    actions: freshFirst(
      given.flatMap((result) => result.actions),
      view.outcomes,
    ),
    events: [],
    because,
    ...(wakeAt !== undefined && { wakeAt }),
  };
}

/** The version is back. */
function withoutMissing({ conditions = [] }: InstanceStatus): Pick<InstanceStatus, 'conditions'> {
  const isSaid = conditions.some(({ type, reason }) => type === 'Stalled' && reason === versionMissing);
  return isSaid ? { conditions: [...dropCondition(conditions, 'Stalled')] } : {};
}

function withFinding(status: InstanceStatus, finding: Finding, { instance, now }: InstanceView): InstanceStatus {
  const before = status.conditions ?? [];
  const after = setCondition(before, finding, instance.metadata.generation ?? 0, now);
  return after === before ? status : { ...status, conditions: [...after] };
}

function earliest(...times: readonly (Instant | undefined)[]): Instant | undefined {
  const known = times.filter((at) => at !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/** A right that the operator lacks is nothing that anybody would look for in the message of a step. */
function withAccess(
  { conditions = [], execution }: InstanceStatus & { readonly execution: Execution },
  results: readonly StepResult[],
  { instance, now }: InstanceView,
): Pick<InstanceStatus, 'conditions'> {
  const [grant] = results.flatMap(({ failure }) => (failure && missingGrant(failure.message)) ?? []);
  const generation = instance.metadata.generation ?? 0;
  const after = grant
    ? setCondition(conditions, accessMissing(grant, execution.plan), generation, now)
    : dropCondition(conditions, 'AccessMissing');
  return after === conditions ? {} : { conditions: [...after] };
}

/**
 * What failed before goes last: the first action that fails ends the turn, and one that fails every time would keep back what
 * other tasks and steps send.
 */
function freshFirst(actions: readonly Action[], outcomes: Outcomes): readonly Action[] {
  const again = new Set(actions.filter((action) => (outcomes[outcomeId(action)]?.result ?? 'done') !== 'done'));
  return again.size === 0 ? actions : [...actions.filter((action) => !again.has(action)), ...again];
}

function failedFor(
  failure: TaskFailure,
  message: string,
  status: InstanceStatus,
  view: InstanceView,
  about: VersionedRef,
): Advance {
  // The status of a step does without these words where no task was run at all, the event never did.
  const note = message.startsWith(executing) ? message : `${executing}${message}`;
  const event: EventAction = { do: 'event', about, reason: failure.reason, note, warning: true };
  const ended = end(status, 'FATAL_ERROR', view.now, message);
  return { status: ended, actions: [], events: [event], because: message };
}

/**
 * The execution with what this look has seen of it: how often steps failed, what restarts, what was repaired, and which calls
 * are to be made: they are made only once they stand there.
 */
function counted(
  { calls: _made, ...execution }: Execution,
  results: readonly StepResult[],
  view: InstanceView,
): Execution {
  const failing = results.filter((result) => result.news.status === 'ERROR');
  const failedAt = failing.length > 0 ? latestFailure(failing, execution, view.now) : undefined;
  const again = failedAt !== undefined && failedAt !== execution.failedAt;
  const restarts = merged(
    execution.restarts ?? [],
    results.flatMap((result) => result.restarts).map((one) => explained(one, execution, view.instance.status)),
  );
  const calls = results.flatMap(({ actions }) =>
    actions.flatMap((action) => (action.do === 'call' ? [action.id] : [])),
  );
  const warnings = results.flatMap((result) => result.warnings).map(shortened);
  const warned = [...new Set([...(execution.warned ?? []), ...warnings])].slice(0, mostWarnings);
  return {
    ...execution,
    ...(restarts.length > 0 && { restarts: [...restarts] }),
    ...(warned.length > 0 && { warned }),
    ...(calls.length > 0 && { calls }),
    ...(again && { failures: (execution.failures ?? 0) + 1, failedAt }),
  };
}

/** More than anybody reads; a status that no longer fits would stop the plan. */
const mostWarnings = 50;

function shortened(warning: string): string {
  return warning.length > 300 ? `${warning.slice(0, 299)}…` : warning;
}

/**
 * When the last of the actions failed that these steps need, if it did so in this execution. What fails without an action (a dummy, an
 * object that cannot be read) fails at every look that is due, whatever became of actions that nobody needs any more. What has yet to
 * come happened before somebody set the clock back, nobody knows when.
 */
function latestFailure(failing: readonly StepResult[], execution: Execution, now: Instant): string {
  const began = startOf(execution);
  const since = began > now ? 0 : began;
  const times = failing.flatMap(({ failure }) => failure?.at ?? []).filter((at) => at >= since);
  if (times.length > 0) return new Date(Math.max(...times)).toISOString();
  const { failedAt = '' } = execution;
  const last = Date.parse(failedAt);
  const isKnown = last <= now && now < last + patience(execution, now);
  return isKnown ? failedAt : new Date(now).toISOString();
}

/** What was foretold says more: which parameter changed what. A demand of an earlier execution is told by its parameters. */
function explained(found: Restart, execution: Execution, status: InstanceStatus | undefined): Restart {
  const foretold = execution.reasons?.find(({ kind, name }) => kind === found.kind && name === found.name);
  if (foretold) return foretold;
  const { uid, changed = [] } = status?.restart ?? {};
  if (uid === undefined || uid !== execution.restartUID || uid === execution.uid || changed.length === 0) return found;
  const because = `pods of ${found.name} restart because ${changed.join(', ')} changed, which execution ${uid} did not carry out`;
  return { ...found, because };
}

/** Each workload once, with the first reason that was given. */
function merged(before: readonly Restart[], more: readonly Restart[]): readonly Restart[] {
  const list = [...before];
  for (const one of more) {
    if (!list.some((known) => known.kind === one.kind && known.name === one.name)) list.push(one);
  }
  return list;
}

function givenUp(result: StepResult, limit: number): StepResult {
  if (result.news.status !== 'ERROR') return result;
  const message = `${result.news.message ?? ''} (given up: spec.retryLimit is ${limit})`;
  const failure = { reason: 'RetryLimitReached', message, fatal: true } as const;
  return { ...result, actions: [], failure, news: { ...result.news, status: 'FATAL_ERROR', message } };
}

/**
 * When to look again at what nobody watches: after a second, and ever more rarely the longer the plan takes; and at what
 * was refused, when its time has come. What is watched needs no looking.
 */
function wakeUp(results: readonly StepResult[], execution: Execution, now: Instant): Instant | undefined {
  const times = results.flatMap((result) => (result.retryAt === undefined ? [] : [result.retryAt]));
  const failing = results.some((result) => result.news.status === 'ERROR' && result.actions.length === 0);
  if (results.some((result) => result.unwatched) || (failing && times.length === 0)) {
    times.push(now + patience(execution, now));
  }
  return times.length > 0 ? Math.max(now + 1, Math.min(...times)) : undefined;
}

/** A second, and one more for every minute that the plan has run; never more than a minute. */
function patience(execution: Execution, now: Instant): number {
  const minutes = Math.max(0, Math.floor((now - startOf(execution)) / 60_000));
  return Math.min(60, 1 + minutes) * 1000;
}

function sentence(plan: string, results: readonly StepResult[]): string {
  const [first] = results.filter((result) => result.news.status !== 'COMPLETE');
  if (!first) return `plan ${plan} goes on`;
  const { phase, step, message } = first.news;
  const what = message ?? first.waitingFor;
  return `plan ${plan} is at ${phase}/${step}${what === undefined ? '' : `: ${what}`}`;
}
