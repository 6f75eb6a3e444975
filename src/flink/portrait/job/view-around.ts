import type { AnyObject } from '../../../kube/object.ts';
import type { Around } from '../../../portrait/workload.ts';
import { effectiveConfig } from '../../config/effective-config.ts';
import { highAvailability } from '../../config/high-availability.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { finalizers } from '../../decide/job-case.ts';
import type { Status } from '../../decide/status.ts';
import type { Deployment, Pod } from '../../observe/kube-shapes.ts';
import { podSeen } from '../../observe/pod-seen.ts';
import { processSeen } from '../../observe/process-seen.ts';
import { type FlinkDeployment, flinkDeployment } from '../../resources/flink-deployment.ts';
import { type FlinkSessionJob, flinkSessionJob } from '../../resources/flink-session-job.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import { type Rest, terminal } from '../../rest.ts';
import type { Cluster, DeploymentView, SessionJobView } from '../../view.ts';
import { clusterParts, componentOf } from '../cluster-parts.ts';
import { isStored, resource as shaped } from '../resource.ts';

/**
 * What would be decided on, were the FlinkDeployment like this. Flink itself is not asked: it is taken to say what the status
 * says that it said last, and recovery metadata to be there where a job that runs would have left it.
 */
export function deploymentViewAround(found: FlinkDeployment, around: Around, operator: OperatorConfig): DeploymentView {
  const resource = { ...found, metadata: { ...found.metadata, finalizers: [finalizers.application] } };
  const name = found.metadata.name ?? '';
  const jobs = around.list(flinkSessionJob.type) ?? [];
  return {
    now: around.now,
    outcomes: {},
    resource,
    operator,
    cluster: clusterSeen(resource, around, operator),
    rest: restOf(resource.status, around.now),
    sessionJobs: jobs
      .map((one) => shaped<FlinkSessionJob & AnyObject>(flinkSessionJob, one))
      .filter(({ spec }) => spec.deploymentName === name)
      .map(({ metadata }) => ({ name: metadata.name ?? '', deleting: metadata.deletionTimestamp !== undefined })),
    snapshots: { installed: true, items: snapshotsOf(around, 'FlinkDeployment', name) },
  };
}

/** The same of a FlinkSessionJob. */
export function sessionJobViewAround(found: FlinkSessionJob, around: Around, operator: OperatorConfig): SessionJobView {
  const resource = { ...found, metadata: { ...found.metadata, finalizers: [finalizers['session job']] } };
  const { namespace = 'default', name = '' } = found.metadata;
  const wanted = around.find(flinkDeployment.type, namespace, found.spec.deploymentName ?? '');
  const session = typeof wanted === 'string' ? undefined : shaped<FlinkDeployment & AnyObject>(flinkDeployment, wanted);
  return {
    now: around.now,
    outcomes: {},
    resource,
    operator,
    session,
    cluster: session ? clusterSeen(session, around, operator) : empty,
    rest: restOf({ ...resource.status, ...readiness(session) }, around.now),
    snapshots: { installed: true, items: snapshotsOf(around, 'FlinkSessionJob', name) },
  };
}

const empty: Cluster = {
  jobManager: undefined,
  taskManager: undefined,
  pods: [],
  dependents: {},
  ingress: undefined,
  ha: { available: false, withCheckpoint: false, configMaps: [], submitted: [] },
};

function clusterSeen(found: FlinkDeployment, around: Around, operator: OperatorConfig): Cluster {
  const { name = '', namespace = 'default', uid = '' } = found.metadata;
  const { processes, pods } = clusterParts(name, around);
  const process = (wanted: string): Cluster['jobManager'] => {
    const seen = processes.find((one) => one.metadata.name === wanted && isStored(one));
    return seen && processSeen(seen as unknown as Deployment);
  };
  const { status, spec } = found;
  const config = effectiveConfig(operator, { namespace, flinkVersion: spec.flinkVersion }, spec.flinkConfiguration);
  const { jobStatus } = status ?? {};
  const kept = highAvailability(config) !== 'none' && jobStatus?.jobId !== undefined && !terminal(jobStatus.state);
  return {
    ...empty,
    jobManager: process(name) ?? assumed(found, uid, around),
    taskManager: process(`${name}-taskmanager`),
    pods: pods
      .filter((pod) => componentOf(pod) === 'jobmanager' && isStored(pod))
      .map((pod) => podSeen(pod as unknown as Pod)),
    ha: { ...empty.ha, available: kept, withCheckpoint: kept },
  };
}

/** A JobManager that the status tells of and that could not be read. */
function assumed({ metadata, status }: FlinkDeployment, uid: string, around: Around): Cluster['jobManager'] {
  const told = status?.jobManagerDeploymentStatus;
  if (told === undefined || told === 'MISSING' || clusterParts(metadata.name ?? '', around).processes.length > 0) {
    return undefined;
  }
  const { name = '', namespace = 'default' } = metadata;
  return {
    ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name, uid: `${uid}-jobmanager`, resourceVersion: '0' },
    owners: [uid],
    id: undefined,
    generation: undefined,
    createdAt: 0,
    terminating: false,
    replicas: 1,
    available: told === 'READY' ? 1 : 0,
    conditions: [],
  };
}

/** What Flink says, were it to say what it said last. */
function restOf(status: Status | undefined, now: number): Rest {
  const { jobId, jobName = '', state, startTime } = status?.jobStatus ?? {};
  const answers = status?.jobManagerDeploymentStatus === 'READY';
  const job =
    jobId !== undefined && state !== undefined
      ? [{ id: jobId, name: jobName, state, startedAt: started(startTime) }]
      : [];
  return {
    asked: answers,
    trouble: undefined,
    jobs: answers ? { at: now, value: job } : undefined,
    version: undefined,
    taskManagers: undefined,
    job: {
      checkpoints: undefined,
      exceptions: undefined,
      failure: undefined,
      metrics: undefined,
      requirements: undefined,
    },
    operations: {},
  };
}

function readiness(session: FlinkDeployment | undefined): Pick<Status, 'jobManagerDeploymentStatus'> {
  const told = session?.status?.jobManagerDeploymentStatus;
  return told === undefined ? {} : { jobManagerDeploymentStatus: told };
}

function started(text: string | undefined): number {
  const at = Number(text ?? Number.NaN);
  return Number.isFinite(at) ? at : 0;
}

function snapshotsOf(around: Around, kind: string, name: string): readonly FlinkStateSnapshot[] {
  return (around.list(flinkStateSnapshot.type) ?? [])
    .map((one) => shaped<FlinkStateSnapshot & AnyObject>(flinkStateSnapshot, one))
    .filter(
      (one) =>
        isStored(one) &&
        one.spec.jobReference?.name === name &&
        (one.spec.jobReference.kind ?? 'FlinkDeployment') === kind,
    );
}
