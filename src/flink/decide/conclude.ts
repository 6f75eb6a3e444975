import { equal } from '../../change/equal.ts';
import type { Instant } from '../../clock/clock.ts';
import { type Conditions, type Standing, setCondition, stand } from '../../control/conditions.ts';
import { type Decision, type Reason, refTo } from '../../control/decision.ts';
import type { JsonObject, KubeObject } from '../../kube/object.ts';
import type { FlinkDeploymentStatus } from '../resources/flink-deployment.ts';
import type { FlinkSessionJobStatus } from '../resources/flink-session-job.ts';
import type { LifecycleState } from '../resources/reconciliation-status.ts';
import { errorMessage } from './error-text.ts';
import { lifecycle } from './lifecycle.ts';
import { recordedJobState } from './recorded.ts';
import type { Step } from './step.ts';

/** A status that `conclude` can finish: of a FlinkDeployment or a FlinkSessionJob. */
export type ConcludedStatus = FlinkDeploymentStatus | FlinkSessionJobStatus;

export interface Concluded {
  readonly resource: KubeObject & { readonly status?: ConcludedStatus };
  readonly now: Instant;
}

/**
 * Makes a Decision of a step: what follows from the status (lifecycle, conditions) is computed, the status is written
 * first and only if it differs from the one that is stored.
 */
export function conclude<S extends ConcludedStatus>({ resource, now }: Concluded, step: Step<S>): Decision {
  const deleting = resource.metadata.deletionTimestamp !== undefined;
  const suspended = recordedJobState(step.status.reconciliationStatus?.lastReconciledSpec) === 'suspended';
  const lifecycleState = lifecycle(step.status, deleting, suspended);
  const generation = resource.metadata.generation ?? 0;
  const standing = standingOf(step, lifecycleState);
  const conditions = stand(running(step.status, generation, now), standing, generation, now);
  const status = { ...step.status, lifecycleState, conditions };
  const changed = !equal(worthWriting(resource.status ?? {}), worthWriting(status));
  return {
    actions: [
      ...(changed ? [{ do: 'status' as const, of: refTo(resource), status: plain(status) }] : []),
      ...step.effects,
    ],
    because: step.because,
    ...(step.wakeAt !== undefined && { wakeAt: step.wakeAt }),
  };
}

/**
 * A status without what changes all the time in a job that runs: that is written along with something else, but nothing
 * is written for its sake.
 */
function worthWriting(status: ConcludedStatus): object {
  const info = 'clusterInfo' in status ? status.clusterInfo : undefined;
  if (!info) return status;
  const { 'state-size': _, ...clusterInfo } = info;
  return { ...status, clusterInfo };
}

/** As the Java operator writes it: of a job whether it runs, of a session whether its JobManager is ready. */
function running(status: ConcludedStatus, generation: number, now: Instant): Conditions {
  const conditions = status.conditions ?? [];
  const job = status.jobStatus?.state;
  if (job) {
    const reason = capitalised(job);
    const is = job === 'RUNNING' ? 'True' : 'False';
    return setCondition(
      conditions,
      { type: 'Running', status: is, reason, message: `Job status ${job}` },
      generation,
      now,
    );
  }
  const jobManager = 'jobManagerDeploymentStatus' in status ? status.jobManagerDeploymentStatus : undefined;
  if (!jobManager) return conditions;
  const [reason, message] = jobManagerReasons[jobManager];
  const is = jobManager === 'READY' ? 'True' : 'False';
  return setCondition(conditions, { type: 'Running', status: is, reason, message }, generation, now);
}

const jobManagerReasons = {
  READY: ['JobManagerReady', 'JobManager is running and ready to receive REST API calls'],
  DEPLOYED_NOT_READY: ['DeployedNotReady', 'JobManager is running but not ready yet to receive REST API calls'],
  DEPLOYING: ['JobManagerIsDeploying', 'JobManager process is starting up'],
  MISSING: ['JobManagerDeploymentMissing', 'JobManager deployment not found'],
  ERROR: ['Error', 'JobManager deployment failed'],
} as const satisfies Record<string, readonly [Reason, string]>;

/** How each life stands when the step says nothing else. */
const standings: Record<LifecycleState, Standing['is']> = {
  CREATED: 'reconciling',
  SUSPENDED: 'ready',
  UPGRADING: 'reconciling',
  DEPLOYED: 'reconciling',
  STABLE: 'ready',
  ROLLING_BACK: 'reconciling',
  ROLLED_BACK: 'stalled',
  FAILED: 'stalled',
  DELETING: 'reconciling',
  DELETED: 'reconciling',
};

function standingOf(step: Step<ConcludedStatus>, lifecycleState: LifecycleState): Standing {
  const { status, because, stands } = step;
  const serving = status.jobStatus
    ? status.jobStatus.state === 'RUNNING'
    : 'jobManagerDeploymentStatus' in status && status.jobManagerDeploymentStatus === 'READY';
  if (stands?.is === 'ready') return { is: 'ready', reason: stands.reason, message: because };
  if (stands) {
    const is = stands.is === 'waiting' ? 'reconciling' : 'stalled';
    return { is, serving, reason: stands.reason, message: because };
  }
  const is = standings[lifecycleState];
  // A redeployed spec counts as stable at once; its job is still to come up.
  const job = status.jobStatus?.state;
  const up = lifecycleState !== 'STABLE' || job === undefined || job === 'RUNNING' || job === 'FINISHED';
  if (is === 'ready' && !up) return { is: 'reconciling', serving, reason: capitalised(job), message: because };
  if (is === 'ready') return { is, ...readiness(status, lifecycleState) };
  const message = is === 'stalled' && status.error ? errorMessage(status.error) : because;
  return { is, serving, reason: capitalised(lifecycleState), message };
}

function readiness(status: ConcludedStatus, lifecycleState: LifecycleState): { reason: Reason; message: string } {
  if (lifecycleState === 'SUSPENDED') return { reason: 'Suspended', message: 'The job is suspended, as specified.' };
  const job = status.jobStatus?.state;
  if (job === 'FINISHED') return { reason: 'Finished', message: 'The job has finished.' };
  return { reason: 'Stable', message: job ? 'The job runs as specified.' : 'The cluster runs as specified.' };
}

/** `ROLLED_BACK` → `RolledBack`. */
function capitalised(word: string): Reason {
  const parts = word.toLowerCase().split('_');
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('') as Reason;
}

/** A status without the `undefined`s that code leaves in it: JSON has none. */
function plain(status: object): JsonObject {
  return JSON.parse(JSON.stringify(status)) as JsonObject;
}
