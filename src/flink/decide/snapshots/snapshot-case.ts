import type { Instant } from '../../../clock/clock.ts';
import type { FlinkDeployment } from '../../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../../resources/flink-session-job.ts';
import type { JobSpec } from '../../resources/job-spec.ts';
import { deploymentSpecCodec, sessionJobSpecCodec } from '../../resources/recorded-spec.ts';
import type { DeploymentView, SessionJobView } from '../../view.ts';
import type { Status } from '../status.ts';
import { type SnapshotSettings, snapshotSettings } from './settings.ts';
import type { SnapshotKind, TriggerType } from './snapshot-object.ts';

/** A job whose snapshots are decided on. */
export interface SnapshotCase {
  readonly view: DeploymentView | SessionJobView;
  readonly job: FlinkDeployment | FlinkSessionJob;
  readonly spec: JobSpec;
  /** The cluster that runs it: the same as `job` for an application. */
  readonly session: FlinkDeployment;
  /** With what was decided so far folded in. */
  readonly status: Status;
  readonly settings: SnapshotSettings;
  /** Snapshots are objects of their own, not entries in the job's status. */
  readonly asResources: boolean;
}

/** `undefined` when there is no job, or no cluster that could run it. */
export function snapshotCase(view: DeploymentView | SessionJobView, status: Status): SnapshotCase | undefined {
  const { resource: job, operator } = view;
  const session = 'session' in view ? view.session : view.resource;
  const spec = job.spec.job;
  if (!session || !spec) return undefined;
  const settings = snapshotSettings(job, session, operator);
  return { view, job, spec, session, status, settings, asResources: settings.asResources && view.snapshots.installed };
}

/** The job as it is deployed. */
export function recordedJob({ job: { kind, status } }: SnapshotCase): JobSpec | undefined {
  const text = status?.reconciliationStatus?.lastReconciledSpec;
  if (text === undefined) return undefined;
  const read = (kind === 'FlinkSessionJob' ? sessionJobSpecCodec : deploymentSpecCodec).read(text);
  return read.ok ? read.spec.job : undefined;
}

/** A snapshot that status says is being asked for. Written before it is. */
export interface Asked {
  readonly at: Instant;
  readonly type: TriggerType;
  /** The trigger id; absent while a FlinkStateSnapshot is being made, which has an id of its own. */
  readonly id?: string;
}

/** What is being asked for. At most one savepoint and one checkpoint. */
export function askedOf({ jobStatus }: Status, of: SnapshotKind): Asked | undefined {
  const info = of === 'savepoint' ? jobStatus?.savepointInfo : jobStatus?.checkpointInfo;
  const { triggerId, triggerTimestamp = 0, triggerType = 'UNKNOWN' } = info ?? {};
  const type = triggerType === 'UNKNOWN' ? 'MANUAL' : triggerType;
  if (triggerId) return { id: triggerId, at: triggerTimestamp, type };
  return triggerTimestamp > 0 ? { at: triggerTimestamp, type } : undefined;
}

/** The status with this being asked for; `undefined`: nothing is any more. */
export function withAsked(status: Status, of: SnapshotKind, asked: Asked | undefined): Status {
  const record = asked && {
    ...(asked.id !== undefined && { triggerId: asked.id }),
    triggerTimestamp: asked.at,
    triggerType: asked.type,
  };
  const { jobStatus } = status;
  if (of === 'savepoint') {
    const {
      triggerId: _,
      triggerTimestamp: __,
      triggerType: ___,
      formatType: ____,
      ...kept
    } = jobStatus?.savepointInfo ?? {};
    return { ...status, jobStatus: { ...jobStatus, savepointInfo: { ...kept, ...record } } };
  }
  const {
    triggerId: _,
    triggerTimestamp: __,
    triggerType: ___,
    formatType: ____,
    ...kept
  } = jobStatus?.checkpointInfo ?? {};
  return { ...status, jobStatus: { ...jobStatus, checkpointInfo: { ...kept, ...record } } };
}

/** When the clock last asked for one, as far as status knows; 0 when it does not. */
export function lastPeriodicOf({ jobStatus }: Status, of: SnapshotKind): Instant {
  const { savepointInfo, checkpointInfo } = jobStatus ?? {};
  const last =
    of === 'savepoint'
      ? savepointInfo?.lastPeriodicSavepointTimestamp
      : checkpointInfo?.lastPeriodicCheckpointTimestamp;
  return last ?? 0;
}

export function withLastPeriodic(status: Status, of: SnapshotKind, at: Instant): Status {
  const { jobStatus } = status;
  const info =
    of === 'savepoint'
      ? { savepointInfo: { ...jobStatus?.savepointInfo, lastPeriodicSavepointTimestamp: at } }
      : { checkpointInfo: { ...jobStatus?.checkpointInfo, lastPeriodicCheckpointTimestamp: at } };
  return { ...status, jobStatus: { ...jobStatus, ...info } };
}
