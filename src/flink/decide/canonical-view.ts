import type { FlinkDeployment, FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import type { JobSpec } from '../resources/job-spec.ts';
import type { JobState } from '../resources/job-status.ts';
import { deploymentSpecCodec } from '../resources/recorded-spec.ts';
import type { Transition } from '../resources/transition.ts';
import type { DependentSeen, DeploymentView } from '../view.ts';
import { finalizers } from './job-case.ts';
import type { Status } from './status.ts';

/** How a job differs from one that runs: what Flink says, whether there is a JobManager, what is recorded. */
export interface Canonical {
  readonly flink: JobState;
  readonly jobManager: 'there' | 'gone';
  readonly recorded: Partial<JobSpec>;
  readonly status: Status;
}

const now = Date.parse('2026-01-01T00:00:00Z');
const jobId = '0123456789abcdef0123456789abcdef';
const uid = 'e1b3c6a0-0000-4000-8000-000000000000';
const at = '2026-01-01T00:00:00.000Z';

const deployed: FlinkDeploymentSpec = {
  image: 'flink:2.3',
  flinkVersion: 'v2_3',
  serviceAccount: 'flink',
  flinkConfiguration: {
    'state.checkpoints.dir': 's3://bucket/checkpoints',
    'state.savepoints.dir': 's3://bucket/savepoints',
    'high-availability.type': 'kubernetes',
    'high-availability.storageDir': 's3://bucket/ha',
  },
  jobManager: { resource: { cpu: 1, memory: '2g' } },
  taskManager: { resource: { cpu: 1, memory: '2g' } },
  job: { jarURI: 'local:///opt/flink/usrlib/job.jar', parallelism: 2, upgradeMode: 'savepoint', state: 'running' },
};

/** A job of two minutes' age in the given state, and the edit. */
export function canonicalView(
  found: Partial<Canonical>,
  edit: (spec: FlinkDeploymentSpec) => FlinkDeploymentSpec,
): DeploymentView {
  const recorded = { ...deployed, job: { ...deployed.job, upgradeMode: 'stateless' as const, ...found.recorded } };
  const text = deploymentSpecCodec.write({ spec: recorded, firstDeployment: false });
  const up = found.jobManager !== 'gone';
  const resource: FlinkDeployment = {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkDeployment',
    metadata: {
      name: 'job',
      namespace: 'default',
      uid,
      resourceVersion: '1',
      generation: 2,
      finalizers: [finalizers.application],
    },
    spec: edit({
      ...deployed,
      job: { ...deployed.job, ...(found.recorded?.state && { state: found.recorded.state }) },
    }),
    status: {
      jobStatus: canonicalJob('RUNNING'),
      jobManagerDeploymentStatus: up ? 'READY' : 'MISSING',
      observedGeneration: 1,
      attempt: 1,
      nonces: {},
      ...found.status,
      reconciliationStatus: {
        state: found.status?.transition ? 'UPGRADING' : 'DEPLOYED',
        lastReconciledSpec: text,
        lastStableSpec: text,
      },
    },
  };
  const told = <T>(value: T) => ({ at: now, value });
  const checkpoint = { id: 7, path: 's3://bucket/checkpoints/chk-7', triggeredAt: now - 10_000, sizeBytes: 1 };
  const checkpoints = {
    last: checkpoint,
    lastCompleted: checkpoint,
    lastSavepoint: undefined,
    inProgress: undefined,
    counts: { completed: 7, failed: 0 },
  };
  const overview = { id: jobId, name: 'job', state: found.flink ?? 'RUNNING', startedAt: now - 120_000 };
  const ref = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace: 'default',
    name: 'job',
    uid: 'deployment',
    resourceVersion: '1',
  };
  const ended = found.flink === 'FAILED' || found.flink === 'FINISHED';
  return {
    now,
    outcomes: {},
    resource,
    operator: { settings: {}, logFiles: {} },
    cluster: {
      jobManager: up
        ? {
            ref,
            owners: [uid],
            id: `${uid}-1`,
            generation: 1,
            createdAt: now - 120_000,
            terminating: false,
            replicas: 1,
            available: 1,
            conditions: [],
          }
        : undefined,
      taskManager: undefined,
      pods: [],
      dependents: Object.fromEntries((up ? names : []).map((key) => [key, dependent(key)])),
      ingress: undefined,
      ha: { available: !ended, withCheckpoint: !ended, configMaps: [], submitted: [] },
    },
    rest: {
      asked: up,
      trouble: undefined,
      jobs: up ? told([overview]) : undefined,
      version: undefined,
      taskManagers: undefined,
      job: {
        checkpoints: up ? told(checkpoints) : undefined,
        exceptions: undefined,
        failure: undefined,
        metrics: undefined,
        requirements: undefined,
      },
      operations: {},
    },
    sessionJobs: [],
    snapshots: { installed: true, items: [] },
  };
}

export function canonicalJob(state: JobState): NonNullable<Status['jobStatus']> {
  return { jobId, jobName: 'job', state, startTime: String(now - 120_000), updateTime: String(now - 60_000) };
}

const names = ['ConfigMap/flink-config-job', 'Service/job-rest'];

function dependent(key: string): DependentSeen {
  const [kind = '', name = ''] = key.split('/');
  const ref = { apiVersion: 'v1', kind, namespace: 'default', name, uid: key };
  return { ref, owners: ['deployment'], id: `${uid}-1`, terminating: false };
}

/** Stopped with a savepoint, and put away. */
export function canonicalSuspension(): Status {
  return {
    jobStatus: { ...canonicalJob('FINISHED'), upgradeSavepointPath: 's3://bucket/savepoints/savepoint-012345-1' },
  };
}

/** An upgrade that was just asked for its savepoint. */
export function canonicalStop(): Transition {
  return {
    id: `${uid}-1`,
    cause: 'spec-change',
    because: 'The spec changed.',
    generation: 1,
    phase: 'suspending',
    startedAt: at,
    phaseStartedAt: at,
    stop: { mode: 'savepoint', jobId, callId: 'f'.repeat(32), askedAt: at },
    restore: { mode: 'savepoint' },
  };
}
