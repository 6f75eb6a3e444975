import type { Condition } from '../../kinds/objects/condition.ts';
import type { Deployment, DeploymentStatus, ReplicaSet } from '../../kinds/objects/workload.ts';
import { instantOf, timestamp } from '../../timestamp.ts';
import { conditionOf, withCondition, withoutCondition } from '../condition.ts';
import type { Generations } from './revisions.ts';
import { availableOf, leeway, readyOf, runningOf, wantedBy } from './sizes.ts';

/** Kubernetes' way of saying "never". */
const noDeadline = 2147483647;

/** The numbers of a Deployment's status, and whether it has minimum availability. */
export function statusOf(deployment: Deployment, generations: Generations, now: number): DeploymentStatus {
  const { current, old } = generations;
  const all = current ? [...old, current] : old;
  const [total, available, ready] = [runningOf(all), availableOf(all), readyOf(all)];
  const updated = runningOf(current ? [current] : []);
  const terminating = all.reduce((sum, set) => sum + (set.status?.terminatingReplicas ?? 0), 0);
  const unavailable = Math.max(0, wantedTotal(all) - available);
  const enough = available >= wantedBy(deployment) - leeway(deployment).unavailable;
  const conditions = withCondition(deployment.status?.conditions, {
    type: 'Available',
    status: enough ? 'True' : 'False',
    lastUpdateTime: timestamp(now),
    lastTransitionTime: timestamp(now),
    reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: enough ? 'Deployment has minimum availability.' : 'Deployment does not have minimum availability.',
  });
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...(total > 0 && { replicas: total }),
    ...(updated > 0 && { updatedReplicas: updated }),
    ...(ready > 0 && { readyReplicas: ready }),
    ...(available > 0 && { availableReplicas: available }),
    ...(unavailable > 0 && { unavailableReplicas: unavailable }),
    terminatingReplicas: terminating,
    ...(deployment.status?.collisionCount && { collisionCount: deployment.status.collisionCount }),
    conditions: withFailure(conditions, all, now),
  };
}

const wantedTotal = (sets: readonly ReplicaSet[]): number =>
  sets.reduce((sum, set) => sum + (set.spec.replicas ?? 0), 0);

/** A ReplicaSet that cannot make its pods speaks for its Deployment. */
function withFailure(conditions: readonly Condition[], sets: readonly ReplicaSet[], now: number): readonly Condition[] {
  const failure = sets.map((set) => conditionOf(set.status?.conditions, 'ReplicaFailure')).find((one) => one);
  if (!failure) return withoutCondition(conditions, 'ReplicaFailure');
  return withCondition(conditions, { ...failure, lastUpdateTime: timestamp(now) });
}

/** Adds what is to be said of the rollout: that it moves, is done, or has been stuck for too long. */
export function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  current: ReplicaSet | undefined,
  now: number,
): DeploymentStatus {
  const deadline = deployment.spec.progressDeadlineSeconds ?? noDeadline;
  if (deadline === noDeadline) return { ...status, conditions: withoutCondition(status.conditions, 'Progressing') };
  const old = conditionOf(status.conditions, 'Progressing');
  const whole = (status.replicas ?? 0) === (status.updatedReplicas ?? 0);
  if (whole && old?.reason === 'NewReplicaSetAvailable' && isComplete(deployment, status)) return status;
  const name = current ? `ReplicaSet "${current.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  const say = (value: 'True' | 'False', reason: string, message: string): DeploymentStatus => ({
    ...status,
    conditions: withCondition(status.conditions, progressing(value, reason, `${name} ${message}`, now)),
  });
  if (isComplete(deployment, status)) return say('True', 'NewReplicaSetAvailable', 'has successfully progressed.');
  if (hasMoved(deployment.status ?? {}, status)) {
    const moved = progressing('True', 'ReplicaSetUpdated', `${name} is progressing.`, now);
    const since = old?.status === 'True' ? { lastTransitionTime: old.lastTransitionTime ?? null } : {};
    return { ...status, conditions: [...withoutCondition(status.conditions, 'Progressing'), { ...moved, ...since }] };
  }
  if (isStuck(deployment, status, now)) return say('False', 'ProgressDeadlineExceeded', 'has timed out progressing.');
  return status;
}

export function progressing(
  value: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
  now: number,
): Condition {
  const at = timestamp(now);
  return { type: 'Progressing', status: value, lastUpdateTime: at, lastTransitionTime: at, reason, message };
}

/** Every replica is of the current version, available, and there are no others. */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const wanted = wantedBy(deployment);
  return (
    (status.updatedReplicas ?? 0) === wanted &&
    (status.replicas ?? 0) === wanted &&
    (status.availableReplicas ?? 0) === wanted &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

function hasMoved(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus): number => (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

function isStuck(deployment: Deployment, status: DeploymentStatus, now: number): boolean {
  const condition = conditionOf(status.conditions, 'Progressing');
  if (!condition || condition.reason === 'NewReplicaSetAvailable') return false;
  return condition.reason === 'ProgressDeadlineExceeded' || untilDeadline(deployment, condition, now) <= 0;
}

function untilDeadline(deployment: Deployment, condition: Condition, now: number): number {
  const seconds = deployment.spec.progressDeadlineSeconds ?? noDeadline;
  return instantOf(condition.lastUpdateTime) + seconds * 1000 - now;
}

/** Milliseconds until a rollout that does not move counts as stuck; undefined when no such moment is ahead. */
export function untilStuck(deployment: Deployment, status: DeploymentStatus, now: number): number | undefined {
  const deadline = deployment.spec.progressDeadlineSeconds ?? noDeadline;
  const condition = conditionOf(status.conditions, 'Progressing');
  if (deadline === noDeadline || !condition || deployment.spec.paused || isComplete(deployment, status))
    return undefined;
  if (condition.reason === 'NewReplicaSetAvailable' || condition.status === 'False') return undefined;
  return Math.max(1000, untilDeadline(deployment, condition, now) + 1000);
}
