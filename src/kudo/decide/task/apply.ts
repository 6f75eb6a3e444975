import { type Action, refTo } from '../../../control/decision.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import { healthOf } from '../../health/health-of.ts';
import { planManager } from '../../keys.ts';
import { adopt } from '../../render/adopt.ts';
import { enhance } from '../../render/enhance.ts';
import { readingFirst } from '../../render/hash/reading-first.ts';
import { refOf, type Thing, thingId } from '../view.ts';
import { wasApplied } from './applied.ts';
import { done, failed, type Surroundings, type TaskResult } from './run.ts';
import { send } from './send.ts';
import type { TaskWork } from './work.ts';

type ApplyWork = Extract<TaskWork, { does: 'apply' | 'delete' }>;

/**
 * Applies objects in their order and waits until all are healthy. All that are missing are sent in one go: the first
 * refusal keeps back those behind it.
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
function together(results: readonly TaskResult[], applied: NonNullable<TaskResult['applied']>): TaskResult {
  const fatal = results.find((result) => result.failure?.fatal);
  const failure = fatal?.failure ?? results.find((result) => result.failure)?.failure;
  const waiting = results.find((result) => result.is !== 'done');
  const retries = results.flatMap((result) => (result.retryAt === undefined ? [] : [result.retryAt]));
  const rest: Partial<TaskResult> = {
    actions: results.flatMap((result) => result.actions),
    restarts: results.flatMap((result) => result.restarts ?? []),
    unwatched: results.some((result) => result.is !== 'done' && result.unwatched),
    applied,
    ...(retries.length > 0 && { retryAt: Math.min(...retries) }),
  };
  // What is behind a refusal is not sent either: an object may need the ones before it.
  if (failure) return failed(failure, fatal ? { applied } : rest);
  if (!waiting) return done(rest);
  return { actions: [], ...rest, is: 'working', ...(waiting.message !== undefined && { message: waiting.message }) };
}

function one(object: KubeObject, work: ApplyWork, around: Surroundings): TaskResult {
  const thing = around.world[thingId(refOf(object))];
  if (thing?.is !== 'known') return unreachable(object, thing);
  const { object: live, namespaced, watched } = thing;
  if (live && live.metadata.deletionTimestamp !== undefined) {
    return { is: 'working', actions: [], message: `${nameOf(object)} is being deleted`, unwatched: !watched };
  }
  const { place } = work;
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
  const adoption = live && adopt(live);
  // Fields that KUDO managed must be ours before they can be left out.
  if (live && adoption) return sent({ do: 'patch', of: refTo(live), patch: adoption }, around, watched);
  const action: Action = {
    do: 'apply',
    object: wanted,
    manager: planManager,
    prune: true,
    ...(live?.metadata.resourceVersion !== undefined && { resourceVersion: live.metadata.resourceVersion }),
  };
  const restarts = restart ? [{ kind: object.kind, name: object.metadata.name ?? '', ...restart }] : [];
  return { ...sent(action, around, watched), ...(restarts.length > 0 && { restarts }) };
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

function unreachable(object: KubeObject, thing: Exclude<Thing, { is: 'known' }> | undefined): TaskResult {
  if (thing?.is === 'unknown-kind') {
    const message = `the server does not know the kind ${object.kind} of ${object.apiVersion}, which ${nameOf(object)} is of: install its CustomResourceDefinition first`;
    return failed({ reason: 'TaskEnhancementError', message, fatal: true });
  }
  const message = thing?.message ?? `${nameOf(object)} has not been looked at yet`;
  return failed({ reason: 'TaskExecutionError', message, fatal: false }, { unwatched: true });
}

function nameOf({ metadata: { namespace, name = '' } }: KubeObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
