import { matchesLabels } from '../kinds/label-selector.ts';
import type { Condition } from '../kinds/objects/condition.ts';
import type { Pod } from '../kinds/objects/pod.ts';
import type { ReplicaSet } from '../kinds/objects/workload.ts';
import { pods, replicaSets } from '../kinds/resource-types.ts';
import { StatusError } from '../status-error.ts';
import { timestamp } from '../timestamp.ts';
import type { World } from '../world.ts';
import { claimed } from './adopt.ts';
import { conditionOf, withCondition, withoutCondition } from './condition.ts';
import { byDispensability } from './dispensable.ts';
import { type Controller, controllerOf, itself } from './loop.ts';
import { orphansOf } from './orphans-of.ts';
import { isActive, isAvailable, isReady, nextAvailable, podFrom } from './pods.ts';
import { recorder, type Tell } from './recorder.ts';
import { writeStatus } from './write-status.ts';

/** No more pods than this are made or deleted in one go. */
const burst = 500;

/** Keeps as many pods of each ReplicaSet alive as it asks for. */
export function replicaSetController(world: World): Controller {
  const tell = recorder(world, { component: 'replicaset-controller' });
  return {
    name: 'replicaset',
    sources: [itself(replicaSets), controllerOf(pods, 'ReplicaSet'), orphansOf(world, pods, replicaSets)],
    async reconcile({ namespace, name }) {
      const set = world.get<ReplicaSet>(replicaSets, namespace, name);
      if (!set) return undefined;
      const all = await claimed<Pod>(world, pods, set, set.spec.selector);
      const failure = set.metadata.deletionTimestamp ? undefined : await settleCount(world, tell, set, all);
      const now = world.get<ReplicaSet>(replicaSets, namespace, name);
      if (!now || now.metadata.uid !== set.metadata.uid) return undefined;
      const left = world.list<Pod>(pods, { namespace, owner: set.metadata.uid ?? '' });
      await writeStatus(world, replicaSets, now, statusOf(now, left, failure, world.clock.now()));
      if (failure) throw failure;
      return nextAvailable(left, set.spec.minReadySeconds ?? 0, world.clock.now());
    },
  };
}

/** Makes what is missing and deletes what is too much. Resolves to the refusal that stopped it, if one did. */
async function settleCount(
  world: World,
  tell: Tell,
  set: ReplicaSet,
  all: readonly Pod[],
): Promise<StatusError | undefined> {
  const active = all.filter(isActive);
  const wanted = set.spec.replicas ?? 1;
  try {
    for (let missing = Math.min(wanted - active.length, burst); missing > 0; missing--) {
      const pod = await world.create(pods, podFrom(set.spec.template, set, { generateName: prefixOf(set) }));
      tell(set, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
    }
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    tell(set, 'Warning', 'FailedCreate', `Error creating: ${error.message}`);
    return error;
  }
  const surplus = Math.min(active.length - wanted, burst);
  for (const pod of surplus > 0 ? byDispensability(active).slice(0, surplus) : []) {
    await world.remove(pods, pod);
    tell(set, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
  }
  return undefined;
}

const prefixOf = (set: ReplicaSet): string => `${set.metadata.name}-`;

function statusOf(
  set: ReplicaSet,
  all: readonly Pod[],
  failure: StatusError | undefined,
  now: number,
): ReplicaSet['status'] {
  const active = all.filter(isActive);
  const terminating = all.filter((pod) => pod.metadata.deletionTimestamp && pod.status?.phase !== 'Succeeded');
  const labels = set.spec.template.metadata?.labels;
  const labelled = active.filter((pod) => matchesLabels(labels, pod.metadata.labels)).length;
  const ready = active.filter(isReady).length;
  const available = active.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, now)).length;
  const conditions = failureConditions(set, active.length, failure, now);
  return {
    replicas: active.length,
    ...(labelled > 0 && { fullyLabeledReplicas: labelled }),
    ...(ready > 0 && { readyReplicas: ready }),
    ...(available > 0 && { availableReplicas: available }),
    terminatingReplicas: terminating.length,
    observedGeneration: set.metadata.generation ?? 0,
    ...(conditions.length > 0 && { conditions }),
  };
}

function failureConditions(
  set: ReplicaSet,
  active: number,
  failure: StatusError | undefined,
  now: number,
): readonly Condition[] {
  const conditions = set.status?.conditions;
  if (!failure) return withoutCondition(conditions, 'ReplicaFailure');
  const next: Condition = {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime: timestamp(now),
    reason: active < (set.spec.replicas ?? 1) ? 'FailedCreate' : 'FailedDelete',
    message: failure.message,
  };
  // The message names the pod that could not be made, another one each time: were it kept up to date, every attempt
  // would be a change, and every change another attempt.
  const old = conditionOf(conditions, next.type);
  return old && old.reason === next.reason ? (conditions ?? []) : withCondition(conditions, next);
}
