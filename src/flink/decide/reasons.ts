import { type EventAction, refTo } from '../../control/decision.ts';
import type { KubeObject } from '../../kube/object.ts';

/** Reasons that the Java operator uses in its events, so that alerts and dashboards built on them keep working. */
export const upstreamReasons = [
  'Suspended',
  'SpecChanged',
  'Rollback',
  'Submit',
  'JobStatusChanged',
  'SavepointError',
  'CheckpointError',
  'Cleanup',
  'CleanupFailed',
  'Missing',
  'ValidationError',
  'RecoverDeployment',
  'RestartUnhealthyJob',
  'Scaling',
  'UnsupportedFlinkVersion',
  'SnapshotError',
  'SnapshotAbandoned',
  'JobException',
  'Error',
  'UpgradeFailed',
  'RestoreFailed',
  'CheckpointNotFound',
] as const;

/** Reasons of our own. */
export const ownReasons = [
  /** A redeploy left state behind. */
  'StateDropped',
  /** A redeploy from a savepoint that the user named began. */
  'SavepointRedeploy',
  /** Something of the same name belongs to somebody else, and is waited for. */
  'NameTaken',
  /** The API server or Flink said no to what was to be made. */
  'DeploymentRefused',
  /** What the API server or Flink needs for it, the jar above all, cannot be had at the moment. */
  'DeploymentDelayed',
  /** A job that had failed is started again. */
  'RestartFailedJob',
  /** A job, or its JobManager, has not come up in the time that a new spec may take. */
  'SlowStart',
  /** A cluster that another operator deployed goes on as it is. */
  'TakenOver',
  /** A Service, ConfigMap or Ingress had vanished and was made again. */
  'DependentRestored',
  /** A JobManager whose job has ended was removed after its time. */
  'ShutdownTtl',
  /** Blue/green: the other side is being made. */
  'TransitionStarted',
  /** Blue/green: traffic goes to the new side. */
  'TrafficMoved',
  /** Blue/green: traffic goes to the old side again. */
  'TrafficReturned',
  /** Blue/green: the new side serves, and the old one goes. */
  'TransitionCompleted',
  /** Blue/green: the new side did not come up, or a person gave it up. */
  'TransitionAborted',
  /** Blue/green: a redeploy nonce changed during the transition. */
  'TransitionSuperseded',
  /** Blue/green: the other redeploy nonce changed before a side was made for this one. */
  'RedeploySuperseded',
  /** Blue/green: the template was put back during the transition. */
  'TransitionCancelled',
  /** Blue/green: the deletion of a side that is not needed was asked for. */
  'SideDeleted',
  /** Blue/green: a side has been in deletion for long. */
  'SideLeaving',
  /** Blue/green: the serving side was deleted by hand. */
  'ServingDeleted',
  /** Blue/green: a FlinkDeployment of the same name has state that is not carried over by itself. */
  'StateNotCarriedOver',
] as const;

export type FlinkReason = (typeof upstreamReasons)[number] | (typeof ownReasons)[number];

/** Why Kubernetes could not start something; such words are reasons of events and conditions as they are. */
export type ForeignReason = Capitalize<string>;

/** Says something about the resource. */
export function told(resource: KubeObject, reason: FlinkReason, note: string): EventAction {
  return { do: 'event', about: refTo(resource), reason, note };
}

/** Says something about the resource that somebody should look at. */
export function warned(resource: KubeObject, reason: FlinkReason | ForeignReason, note: string): EventAction {
  return { do: 'event', about: refTo(resource), reason, note, warning: true };
}
