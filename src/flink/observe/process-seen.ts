import { annotations } from '../../control/annotations.ts';
import { refTo } from '../../control/decision.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ConditionSeen, DependentSeen, DeploymentSeen } from '../view.ts';
import type { Condition, Deployment } from './kube-shapes.ts';
import { instantOf, ownersOf, plainRef } from './refs.ts';

/** Where the generation of the FlinkDeployment is written on what was made of it. */
const generation = 'flinkdeployment.flink.apache.org/generation';

/** The Deployment of a process of Flink: the JobManager, or the TaskManagers. */
export function processSeen(object: Deployment): DeploymentSeen {
  const { metadata, spec = {}, status = {} } = object;
  const text = metadata.annotations?.[generation];
  return {
    ref: refTo(object),
    owners: ownersOf(object),
    id: metadata.annotations?.[annotations.id],
    generation: text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined,
    createdAt: instantOf(metadata.creationTimestamp) ?? 0,
    terminating: metadata.deletionTimestamp !== undefined,
    replicas: spec.replicas ?? 1,
    available: status.availableReplicas ?? 0,
    conditions: (status.conditions ?? []).map(conditionSeen),
  };
}

/** What belongs to a cluster, and of which only its existence matters. */
export function dependentSeen(object: KubeObject): DependentSeen {
  return {
    ref: plainRef(object),
    owners: ownersOf(object),
    id: object.metadata.annotations?.[annotations.id],
    terminating: object.metadata.deletionTimestamp !== undefined,
  };
}

function conditionSeen({ type, status, reason = '', message = '', lastTransitionTime }: Condition): ConditionSeen {
  return { type, status, reason, message, lastTransitionAt: instantOf(lastTransitionTime) };
}
