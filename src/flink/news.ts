import type { AnyObject } from '../kube/object.ts';
import type { ResourceType } from '../kube/resource-type.ts';
import { colorLabel } from './manifests/blue-green-child.ts';
import {
  type FlinkBlueGreenDeploymentStatus,
  flinkBlueGreenDeployment,
} from './resources/flink-blue-green-deployment.ts';
import { type FlinkDeploymentStatus, flinkDeployment } from './resources/flink-deployment.ts';
import { type FlinkSessionJobStatus, flinkSessionJob } from './resources/flink-session-job.ts';
import { type FlinkStateSnapshotStatus, flinkStateSnapshot } from './resources/flink-state-snapshot.ts';

/** Events that say what is told of the followed objects anyway. */
export const toldAnyway: readonly string[] = ['JobStatusChanged', 'Submit', 'Cleanup', 'TransitionCompleted'];

/** How jobs and clusters fare, in a few words. */
export const followed: readonly { type: ResourceType; state: (object: AnyObject) => string | undefined }[] = [
  { type: flinkBlueGreenDeployment.type, state: blueGreenState },
  { type: flinkDeployment.type, state: (object) => (isSide(object) ? sideState(object) : jobState(object)) },
  { type: flinkSessionJob.type, state: jobState },
  { type: flinkStateSnapshot.type, state: snapshotState },
];

function jobState({ status }: AnyObject): string | undefined {
  const { lifecycleState, jobStatus, transition } = (status ?? {}) as FlinkDeploymentStatus & FlinkSessionJobStatus;
  if (lifecycleState === undefined) return undefined;
  // What is going has no steps that anybody waits for.
  const doing = transition && lifecycleState !== 'DELETING' ? ` (${transition.phase})` : '';
  return `${lifecycleState}${doing}${jobStatus?.state ? `, its job ${jobStatus.state}` : ''}`;
}

function isSide({ metadata }: AnyObject): boolean {
  return metadata.labels?.[colorLabel] !== undefined;
}

/** A side is a part of a story that is told of the whole. */
function sideState({ status }: AnyObject): string | undefined {
  return (status as FlinkDeploymentStatus | undefined)?.lifecycleState;
}

/** Phases in which a person may say something: they are told with the words. The others pass, or are what the state says. */
const lasting: ReadonlySet<string> = new Set(['verifying', 'keeping']);

function blueGreenState({ status }: AnyObject): string | undefined {
  const { blueGreenState, transition, serving, conditions } = (status ?? {}) as FlinkBlueGreenDeploymentStatus;
  if (blueGreenState === undefined) return undefined;
  if (!serving) return blueGreenState;
  const served = conditions?.some(({ type, status }) => type === 'Available' && status === 'True');
  const state = `${blueGreenState}, ${serving.color.toLowerCase()} ${served ? 'serves' : 'does not serve'}`;
  if (!transition || !lasting.has(transition.phase)) return state;
  return `${state}: ${conditions?.find(({ type }) => type === 'Reconciling')?.message ?? transition.phase}`;
}

/** Snapshots are worth a line when they are there; of failures their jobs tell. */
function snapshotState({ status }: AnyObject): string | undefined {
  const { state, path } = (status ?? {}) as FlinkStateSnapshotStatus;
  return state === 'COMPLETED' && path !== undefined ? `in ${path}` : undefined;
}
