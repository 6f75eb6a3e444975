import type { Instant } from '../../clock/clock.ts';
import { keepMoments } from '../../control/conditions.ts';
import { type Action, type Decision, type EventAction, refTo } from '../../control/decision.ts';
import { canonical } from '../../control/digest.ts';
import { addFinalizer } from '../../control/finalizers.ts';
import type { JsonObject } from '../../kube/object.ts';
import { cleanupFinalizer, specialPlans } from '../keys.ts';
import type { Execution, Instance, InstanceStatus } from '../resources/instance.ts';
import { type Advance, advance } from './advance.ts';
import { barredBy, decideBarred } from './barred.ts';
import { type Change, takeChange } from './change.ts';
import { decideDeleted } from './deleted.ts';
import { begin } from './execution.ts';
import { foreseen } from './foreseen.ts';
import { imported } from './imported.ts';
import { leftOverPods } from './left-over-pods.ts';
import { isShown, mirrored } from './mirror.ts';
import { planOf } from './plan-of.ts';
import { keepKey } from './random-key.ts';
import { rest } from './rest.ts';
import { send } from './task/send.ts';
import type { InstanceView } from './view.ts';
import { workOf } from './work-of.ts';

/**
 * What to do about an Instance.
 *
 * 1. Being deleted: the plan `cleanup`, then it may go.
 *    Its OperatorVersion cannot be read: it waits, and says so, here and there.
 * 2. What people changed: accepted, refused, or waiting; a plan begins, or ends. That is written down before anything else.
 * 3. A plan runs: it is worked on, by what its steps find in the cluster.
 * 4. None runs: how its objects are.
 *
 * The status is the journal: whatever is done for an execution is done after its uid stands there.
 */
export function decideInstance(view: InstanceView): Decision {
  const { instance } = view;
  if (instance.metadata.deletionTimestamp !== undefined) return decideDeleted(view);
  const barred = barredBy(view);
  if (barred !== undefined) return decideBarred(view, barred);
  const before = imported(view);
  const seen: InstanceView = before === instance.status ? view : { ...view, instance: { ...instance, status: before } };
  const about = refTo(instance);
  const change = view.change ?? takeChange(seen, about);
  if (change.moved) return beginning(view, change);

  const prepared = preparation(seen, change.status);
  const { execution } = change.status;
  if (prepared) {
    const { failure, actions, retryAt } = send(prepared, view);
    const held = failure && execution && unprepared(failure.message, { ...change.status, execution }, view);
    if (held) {
      const wakeAt = earliest(held.wakeAt, retryAt);
      return working(view, { ...held, actions, ...(wakeAt !== undefined && { wakeAt }) });
    }
    return { actions: [prepared], because: 'it is prepared before a plan runs', ...unseen(prepared, view) };
  }

  if (execution) {
    const status = { ...change.status, execution: shown(instance, execution) };
    const next = advance(status, view, about);
    return working(view, { ...next, events: [...change.events, ...next.events] }, change.yieldsAt);
  }
  return resting(view, change.status, change.events, change.because);
}

/**
 * A plan that begins, or ends, is written down. If what begins was looked at ahead, what it sends first follows at once: it is sent
 * only when its beginning stands in the status. What ends a plan is seen once it has begun.
 */
function beginning(view: InstanceView, { status, events, because, ...change }: Change): Decision {
  const begins = view.change && foreseen(view, { status, ...change });
  const next = begins && status.execution && !preparation(begins, status) ? first(begins, status) : undefined;
  if (!next) return written(view, status, [], events, because);
  // That it has begun is said even if what it sends is refused.
  return written(view, next.status, [...events, ...next.actions], next.events, because, next.wakeAt);
}

/** What a plan sends first, unless it ends without having sent anything. */
function first(view: InstanceView, status: InstanceStatus): Advance | undefined {
  const { execution } = status;
  if (!execution) return undefined;
  const next = advance({ ...status, execution }, view, refTo(view.instance));
  return next.actions.length > 0 && next.status.execution ? next : undefined;
}

/** The next of a running plan. The Instance itself is not patched in a turn that writes its status: the version would not fit. */
export function working(view: InstanceView, next: Advance, yieldsAt?: Instant): Decision {
  const { instance } = view;
  const about = refTo(instance);
  const { status } = next;
  const changed = !same(instance.status, observed(instance, status));
  // Only a plan that takes its time is worth telling of in the spec: what is to be sent goes first.
  const mirror = changed || next.actions.length > 0 ? [] : mirrored(instance, status, about);
  const sent = changed ? next.actions.filter((one) => one.do !== 'patch' || one.of.uid !== about.uid) : next.actions;
  const wakeAt = earliest(next.wakeAt, yieldsAt !== undefined && yieldsAt > view.now ? yieldsAt : undefined);
  return written(view, status, [...mirror, ...sent], next.events, next.because, wakeAt);
}

function resting(
  view: InstanceView,
  status: InstanceStatus,
  events: readonly EventAction[],
  because: string,
): Decision {
  const { instance, now, versions } = view;
  const { conditions, repair, wakeAt, because: how } = rest(status, view);
  const settled = { ...status, conditions: [...conditions] };
  const about = refTo(instance);
  if (repair && versions.accepted) {
    const around = {
      instanceUid: about.uid,
      generation: instance.metadata.generation ?? 0,
      version: versions.accepted,
      now,
    };
    const note = `Execution of plan ${repair.plan} started`;
    const event: EventAction = { do: 'event', about, reason: 'PlanStarted', note };
    return written(view, begin(settled, repair, around), [], [event], how);
  }
  const changed = !same(instance.status, observed(instance, settled));
  const mirror = changed ? [] : mirrored(instance, settled, about);
  const why = because === 'nothing was asked for' ? how : because;
  const left = leftOverPods(settled, view).map((removal) => send(removal, view));
  const sent = left.flatMap(({ actions }) => actions);
  return written(view, settled, [...mirror, ...sent], events, why, earliest(wakeAt, ...left.map((one) => one.retryAt)));
}

/** What an Instance needs before its plans run: a finalizer, its immutable defaults, a key. One thing at a time. */
function preparation(view: InstanceView, status: InstanceStatus): Action | undefined {
  const { instance, versions } = view;
  if (!status.execution) return undefined;
  if (versions.accepted && planOf(versions.accepted, specialPlans.cleanup)) {
    const finalizer = addFinalizer(instance, cleanupFinalizer);
    if (finalizer) return finalizer;
  }
  return keepDefaults(instance, status, versions.accepted?.spec.parameters ?? []) ?? keepKey(view);
}

/** A plan that cannot go on, for what it needs first was refused: its steps say so. */
function unprepared(
  message: string,
  status: InstanceStatus & { readonly execution: Execution },
  view: InstanceView,
): Advance | undefined {
  const { instance, versions } = view;
  if (!versions.accepted) return undefined;
  const randomKey = { is: 'unreadable', message } as const;
  const work = workOf({ instance, status, version: versions.accepted, randomKey, waiterImage: '' });
  return advance(status, { ...view, work }, refTo(instance));
}

/** Secrets are not watched: nobody would tell that the key is kept now. */
function unseen(action: Action, { now }: InstanceView): Pick<Decision, 'wakeAt'> {
  const isOfKey = action.do === 'create' || (action.do === 'patch' && action.of.kind === 'Secret');
  return isOfKey ? { wakeAt: now + 200 } : {};
}

/** Defaults of immutable parameters are copied: a later default of the package must not change them. */
function keepDefaults(
  instance: Instance,
  { accepted }: InstanceStatus,
  parameters: readonly { readonly name: string; readonly immutable?: boolean | undefined }[],
): Action | undefined {
  const { parameters: given } = instance.spec;
  const missing = parameters.filter(
    ({ name, immutable }) =>
      immutable === true && accepted?.parameters[name] !== undefined && given?.[name] === undefined,
  );
  if (missing.length === 0) return undefined;
  const values = Object.fromEntries(missing.map(({ name }) => [name, accepted?.parameters[name] ?? '']));
  return {
    do: 'patch',
    of: refTo(instance),
    patch: [{ op: 'add', path: '/spec/parameters', value: { ...given, ...values } }],
  };
}

function shown(instance: Instance, execution: Execution): Execution {
  const { shown: before, ...rest } = execution;
  return isShown(instance, { execution }) ? { ...rest, shown: true } : before ? rest : execution;
}

/** A decision that first writes the status, if it differs. */
export function written(
  { instance }: InstanceView,
  status: InstanceStatus,
  actions: readonly Action[],
  events: readonly EventAction[],
  because: string,
  wakeAt?: Instant,
): Decision {
  const next = observed(instance, status);
  const journal: Action[] = same(instance.status, next)
    ? []
    : [{ do: 'status', of: refTo(instance), status: next as JsonObject }];
  return {
    actions: [...journal, ...actions, ...events],
    because: because === '' ? 'nothing is to be done' : because,
    ...(wakeAt !== undefined && { wakeAt }),
  };
}

function observed({ metadata, status: before }: Instance, status: InstanceStatus): InstanceStatus {
  const conditions = status.conditions && [...keepMoments(status.conditions, before?.conditions ?? [])];
  return { ...status, ...(conditions && { conditions }), observedGeneration: metadata.generation ?? 0 };
}

function same(before: InstanceStatus | undefined, after: InstanceStatus): boolean {
  return before !== undefined && canonical(before) === canonical(after);
}

function earliest(...times: readonly (Instant | undefined)[]): Instant | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
