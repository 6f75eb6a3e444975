import type { FlinkDeployment } from '../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../resources/flink-session-job.ts';
import type { FlinkStateSnapshot } from '../resources/flink-state-snapshot.ts';
import { type ClusterAddress, type Interest, terminal, type Want } from '../rest.ts';
import type { Pace } from './pace.ts';

type Operations = Interest['operations'];

/** A cluster to ask: where, and which process of its JobManager. */
export interface Asked {
  readonly cluster: ClusterAddress;
  readonly incarnation: string | undefined;
  /** For how long it repeats what it said of a job. */
  readonly repeatsMs: number;
}

/** What is followed of a job that has ended: hardly anything happens to it. */
const endedMs = 300_000;

/** What a FlinkDeployment or FlinkSessionJob wants to know of its cluster. Pure: it follows from the resource alone. */
export function jobInterest(resource: FlinkDeployment | FlinkSessionJob, asked: Asked, pace: Pace): Interest {
  const { status = {} } = resource;
  const jobId = jobIdOf(resource);
  const operations = operationsOf(resource, jobId);
  const busy = isBusy(resource) || operations.length > 0;
  const ended = terminal(status.jobStatus?.state);
  const info: readonly Want[] = resource.kind === 'FlinkDeployment' ? ['cluster info'] : [];
  const everyMs = busy ? pace.closeMs : ended ? Math.max(pace.restMs, endedMs) : pace.restMs;
  if (jobId === undefined) return { ...asked, wants: [], background: info, operations, everyMs };
  const checkpoints: readonly Want[] = ['checkpoints'];
  return {
    ...asked,
    jobId,
    wants: [
      'exceptions',
      'failure',
      // At rest each completed checkpoint would be news, to nobody.
      ...(busy || ended ? checkpoints : []),
      ...(pace.health && !ended ? (['metrics'] as const) : []),
      ...(pace.rescalable && !ended && mayRescale(resource) ? (['requirements'] as const) : []),
    ],
    background: [...(busy || ended ? [] : checkpoints), ...info],
    operations,
    everyMs,
  };
}

/** What a FlinkStateSnapshot wants to know; `undefined` when nothing, because it is settled. */
export function snapshotInterest(
  { metadata, spec, status = {} }: FlinkStateSnapshot,
  job: FlinkDeployment | FlinkSessionJob,
  asked: Asked,
  pace: Pace,
): Interest | undefined {
  const { state = 'TRIGGER_PENDING', triggerId } = status;
  const settled = state === 'COMPLETED' || state === 'ABANDONED';
  if (settled && !metadata.deletionTimestamp) return undefined;
  const jobId = job.status?.jobStatus?.jobId;
  if (jobId === undefined) return { ...asked, wants: [], operations: [], everyMs: pace.restMs };
  const pending = state === 'IN_PROGRESS' && triggerId !== undefined;
  return {
    ...asked,
    jobId,
    wants: pending ? ['checkpoints'] : [],
    operations: pending ? [{ id: triggerId, of: spec.checkpoint ? 'checkpoint' : 'savepoint', jobId }] : [],
    everyMs: pending ? pace.closeMs : pace.restMs,
  };
}

/** The job that matters: while one is brought to an end, that one; while one is started, that one. */
function jobIdOf({ status }: FlinkDeployment | FlinkSessionJob): string | undefined {
  const { transition, jobStatus } = status ?? {};
  switch (transition?.phase) {
    case 'suspending':
      return transition.stop.jobId ?? jobStatus?.jobId;
    case 'starting':
      return transition.jobId ?? jobStatus?.jobId;
    default:
      return jobStatus?.jobId;
  }
}

/** Triggers whose outcome is awaited: by a change under way, or in the manner of older versions. */
function operationsOf({ status }: FlinkDeployment | FlinkSessionJob, current: string | undefined): Operations {
  const { phase, stop } = status?.transition ?? {};
  const { savepointInfo, checkpointInfo } = status?.jobStatus ?? {};
  const of = (id: string | undefined, of: 'savepoint' | 'checkpoint', jobId = current): Operations =>
    id && jobId ? [{ id, of, jobId }] : [];
  return [
    ...(phase === 'suspending' && stop?.mode === 'savepoint' ? of(stop.callId, 'savepoint', stop.jobId) : []),
    ...of(savepointInfo?.triggerId, 'savepoint'),
    ...of(checkpointInfo?.triggerId, 'checkpoint'),
  ];
}

/** Something is under way, or about to be, or not as it should be yet. */
function isBusy({ metadata, spec, status = {} }: FlinkDeployment | FlinkSessionJob): boolean {
  const { jobStatus, transition, reconciliationStatus = {}, observedGeneration } = status;
  if (transition || metadata.deletionTimestamp || observedGeneration !== metadata.generation) return true;
  if (!('job' in spec) || !spec.job) return !isReady(status);
  const { state } = jobStatus ?? {};
  if (terminal(state)) return false;
  return state !== 'RUNNING' || reconciliationStatus.lastReconciledSpec !== reconciliationStatus.lastStableSpec;
}

/** Of a session cluster. */
function isReady(status: object): boolean {
  return 'jobManagerDeploymentStatus' in status && status.jobManagerDeploymentStatus === 'READY';
}

/** The bounds of a job's vertices matter only when they may be about to change. */
function mayRescale({ metadata, status = {} }: FlinkDeployment | FlinkSessionJob): boolean {
  return status.transition?.phase === 'rescaling' || status.observedGeneration !== metadata.generation;
}
