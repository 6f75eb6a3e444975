import { contains } from '../../../control/contains.ts';
import { type Action, noVersion, refTo } from '../../../control/decision.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import { groupOf } from '../../graph/workload.ts';
import { healthOf } from '../../health/health-of.ts';
import { planManager } from '../../keys.ts';
import { adopt } from '../../render/adopt.ts';
import { enhance } from '../../render/enhance.ts';
import { readingFirst } from '../../render/hash/reading-first.ts';
import { lastApplied } from '../../render/last-applied.ts';
import { otherController, ownership } from '../../render/owner.ts';
import { refOf, type Thing, thingId } from '../view.ts';
import { wasApplied } from './applied.ts';
import { done, failed, type Surroundings, type TaskResult } from './run.ts';
import { send } from './send.ts';
import { dependencies } from './things-of.ts';
import { isOurs, stepName, stepOf } from './whose.ts';
import type { TaskWork } from './work.ts';

type ApplyWork = Extract<TaskWork, { does: 'apply' | 'delete' }>;

/** What one object amounts to. */
interface ObjectResult extends TaskResult {
  /** It is about to go, or to become ours: nothing behind it may be sent before it is there. */
  readonly ending?: true;
}

/**
 * Applies objects in their order and waits until all are healthy. All that are missing are sent in one go, but nothing
 * behind one that was refused, could not be read or is being deleted: a workload must not restart before what it reads is
 * there.
 */
export function runApply(work: ApplyWork, around: Surroundings): TaskResult {
  const results = work.objects.map((object) => one(object, work, around));
  const present = work.objects.map(refOf).filter((ref) => {
    const thing = around.world[thingId(ref)];
    return thing?.is === 'known' && thing.object !== undefined;
  });
  return together(results, present);
}

/** The results of the objects of one task as the result of the task. */
function together(all: readonly ObjectResult[], applied: NonNullable<TaskResult['applied']>): TaskResult {
  const fatal = all.find((result) => result.failure?.fatal);
  if (fatal?.failure) return failed(fatal.failure, { applied });
  const barrier = all.findIndex((result) => result.failure !== undefined || result.ending);
  const results = barrier < 0 ? all : all.slice(0, barrier + 1);
  const waiting = results.find((result) => result.is !== 'done');
  const retries = results.flatMap((result) => (result.retryAt === undefined ? [] : [result.retryAt]));
  const rest: Partial<TaskResult> = {
    actions: results.flatMap((result) => result.actions),
    restarts: results.flatMap((result) => result.restarts ?? []),
    unwatched: results.some((result) => result.is !== 'done' && result.unwatched),
    applied,
    ...(retries.length > 0 && { retryAt: Math.min(...retries) }),
  };
  const failure = results.at(-1)?.failure;
  if (failure) return failed(failure, rest);
  if (!waiting) return done(rest);
  return { actions: [], ...rest, is: 'working', ...(waiting.message !== undefined && { message: waiting.message }) };
}

function one(object: KubeObject, work: ApplyWork, around: Surroundings): ObjectResult {
  const thing = around.world[thingId(refOf(object))];
  if (thing?.is !== 'known') return unreachable(object, thing, around);
  const { object: live, namespaced, watched, holder } = thing;
  if (live && live.metadata.deletionTimestamp !== undefined) {
    const message = `${nameOf(object)} is being deleted`;
    return { is: 'working', actions: [], message, unwatched: !watched, ending: true };
  }
  if (live && holder !== undefined) return shared(object, live, holder, watched);
  const { place, renewed = [] } = work;
  const by = live && isOurs(live, place) ? stepOf(live, around) : undefined;
  if (live && by !== undefined && around.rivals?.behind.includes(by)) return healthy(live, watched);
  if (by !== undefined && around.rivals?.ahead.includes(by)) {
    const message = `${nameOf(object)} is being applied by step ${by}`;
    return { is: 'working', actions: [], message, unwatched: !watched, ending: true };
  }
  const isOld = live && isOurs(live, place) && by !== stepName(place);
  if (isOld && renewed.includes(thingId(refOf(object)))) {
    const message = `${nameOf(object)} is to be deleted first`;
    return { is: 'working', actions: [], message, unwatched: !watched, ending: true };
  }
  const owned = live && namespaced ? ownership(live, place) : undefined;
  // Whoever else controls it is told of by `enhance`.
  if (live && owned === 'former' && !otherController(place, object, live)) {
    const message = `${nameOf(object)} of the Instance that was here before is about to go`;
    return { is: 'working', actions: [], message, unwatched: !watched, ending: true };
  }
  const unread = unreadDependency(object, work, around);
  if (unread) return unread;
  const {
    object: wanted,
    restart,
    complaint,
  } = enhance(object, place, around.restarting, {
    namespaced,
    ...(live && { live }),
    dependencies: readingFirst(work.objects, place, (dependency) => {
      const found = around.world[thingId({ apiVersion: 'v1', ...dependency })];
      return found?.is === 'known' ? found.object : undefined;
    }),
  });
  if (complaint) return failed({ reason: complaint.reason, message: complaint.message, fatal: true });
  if (live && wasApplied(live, wanted)) return healthy(live, watched);
  // It may not have our labels yet: then nobody tells when it has an owner.
  if (live && owned && owned !== 'former')
    return { ...sent({ do: 'patch', of: refTo(live), patch: owned }, around, false), ending: true };
  const adoption = live && adopt(live);
  // Fields that KUDO managed must be ours before they can be left out.
  if (live && adoption) return sent({ do: 'patch', of: refTo(live), patch: adoption }, around, watched);
  const action: Action = {
    do: 'apply',
    object: wanted,
    manager: planManager,
    prune: true,
    resourceVersion: live?.metadata.resourceVersion ?? noVersion,
  };
  const result = sent(action, around, watched);
  if (!restart || result.actions.length === 0) return result;
  return { ...result, restarts: [{ kind: object.kind, name: object.metadata.name ?? '', ...restart }] };
}

/**
 * What keeps the hash of a workload's dependencies from being taken. One that could not be read is not one that is absent:
 * pods would restart for it, and again once it can be read.
 */
function unreadDependency(
  object: KubeObject,
  { place, objects }: ApplyWork,
  { world }: Surroundings,
): TaskResult | undefined {
  if (place.operatorVersion.spec.restartPolicy !== 'onDependencyChange') return undefined;
  const own = new Set(objects.map((one) => thingId(refOf(one))));
  const unread = dependencies(object).find((ref) => !own.has(thingId(ref)) && world[thingId(ref)]?.is !== 'known');
  if (!unread) return undefined;
  const thing = world[thingId(unread)];
  const why = thing?.is === 'unreadable' ? `: ${thing.message}` : '';
  const message = `${unread.kind} ${unread.name}, which pods of ${nameOf(object)} read, could not be read${why}`;
  return failed({ reason: 'TaskExecutionError', message, fatal: false }, { unwatched: true });
}

/**
 * An object of the cluster that another Instance holds. If it is as this one wants it, apart from whose it is, both have what
 * they need; to apply it would only have the other one apply it again, without end.
 */
function shared(object: KubeObject, live: AnyObject, holder: string, watched: boolean): TaskResult {
  const { namespace: _anywhere, ...metadata } = object.metadata;
  const wanted = { ...object, metadata };
  // The server may spell what was applied in its own way.
  if ([live, lastApplied(live)].some((found) => contains(found, wanted))) return healthy(live, watched);
  const message =
    `${object.kind} ${nameOf(object)} is held by Instance ${holder}, and is not as this one wants it: ` +
    'give one of the two another name, or bring both Instances to the same version';
  return failed({ reason: 'TaskExecutionError', message, fatal: false }, { unwatched: true });
}

function sent(action: Action, around: Surroundings, watched: boolean): TaskResult {
  const { actions, failure, retryAt } = send(action, around);
  const rest = { actions, unwatched: !watched, ...(retryAt !== undefined && { retryAt }) };
  return failure ? failed(failure, rest) : { is: 'working', ...rest };
}

function healthy(live: AnyObject, watched: boolean): TaskResult {
  const health = healthOf(live);
  switch (health.is) {
    case 'healthy':
      return done();
    case 'waiting':
      return { is: 'working', actions: [], message: health.message, unwatched: !watched };
    case 'failed':
      return failed({
        reason: 'FailedTerminalStateError',
        message: `object ${nameOf(live)} is NOT healthy: fatal error: ${health.message}`,
        fatal: true,
      });
  }
}

function unreachable(
  object: KubeObject,
  thing: Exclude<Thing, { is: 'known' }> | undefined,
  { objects = [] }: Surroundings,
): TaskResult {
  if (thing?.is === 'unknown-kind') {
    const group = groupOf(object.apiVersion);
    const isDefined = objects.some(({ kind, name }) => {
      return kind === 'CustomResourceDefinition' && name.slice(name.indexOf('.') + 1) === group;
    });
    // A definition is established before the server tells of its kind, and not all servers learn of it at once.
    if (isDefined) {
      const message = `the server does not serve the kind ${object.kind} of ${object.apiVersion} yet, which ${nameOf(object)} is of`;
      return failed({ reason: 'TaskExecutionError', message, fatal: false }, { unwatched: true });
    }
    const message = `the server does not know the kind ${object.kind} of ${object.apiVersion}, which ${nameOf(object)} is of: install its CustomResourceDefinition first`;
    return failed({ reason: 'TaskEnhancementError', message, fatal: true });
  }
  const message = thing?.message ?? `${nameOf(object)} has not been looked at yet`;
  return failed({ reason: 'TaskExecutionError', message, fatal: false }, { unwatched: true });
}

function nameOf({ metadata: { namespace, name = '' } }: KubeObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
