import type { Decision } from '../../../control/decision.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { FlinkDeployment, FlinkDeploymentStatus } from '../../resources/flink-deployment.ts';
import type { FlinkStateSnapshot, FlinkStateSnapshotStatus } from '../../resources/flink-state-snapshot.ts';
import type { JobSpec } from '../../resources/job-spec.ts';
import { deploymentSpecCodec } from '../../resources/recorded-spec.ts';
import type { Rest } from '../../rest.ts';
import type { DeploymentView } from '../../view.ts';
import type { Step } from '../step.ts';

export const now = Date.parse('2026-03-01T12:00:00.000Z');
export const hour = 3_600_000;
export const jobId = '1'.repeat(32);

export interface Scene {
  readonly now?: number;
  /** What the spec says of the job, beside what all of these views say. */
  readonly job?: Partial<JobSpec>;
  /** The same of what was deployed; by default nothing differs. */
  readonly deployed?: Partial<JobSpec>;
  readonly config?: Readonly<Record<string, string>>;
  readonly status?: Partial<FlinkDeploymentStatus>;
  readonly snapshots?: readonly FlinkStateSnapshot[];
  readonly installed?: boolean;
  readonly rest?: Partial<Rest>;
  readonly outcomes?: DeploymentView['outcomes'];
  readonly settings?: Readonly<Record<string, string>>;
}

/** A job that runs, created an hour ago. */
export function jobView(
  scene: Scene = {},
): DeploymentView & { readonly resource: { readonly status: FlinkDeploymentStatus } } {
  const at = scene.now ?? now;
  const base: JobSpec = { jarURI: 'local:///opt/orders.jar', upgradeMode: 'savepoint' };
  const job = { ...base, ...scene.job };
  const spec: FlinkDeployment['spec'] = {
    flinkVersion: 'v1_20',
    job,
    flinkConfiguration: { 'state.savepoints.dir': 's3://bucket/sp', ...scene.config },
  };
  const lastReconciledSpec = deploymentSpecCodec.write({
    spec: { ...spec, job: { ...base, ...(scene.deployed ?? scene.job) } },
    firstDeployment: false,
  });
  const status: FlinkDeploymentStatus = {
    reconciliationStatus: { state: 'DEPLOYED', lastReconciledSpec, lastStableSpec: lastReconciledSpec },
    ...scene.status,
    jobStatus: { state: 'RUNNING', jobId, ...scene.status?.jobStatus },
  };
  return {
    now: at,
    outcomes: scene.outcomes ?? {},
    resource: {
      apiVersion: 'flink.apache.org/v1beta1',
      kind: 'FlinkDeployment',
      metadata: {
        name: 'orders',
        namespace: 'shop',
        uid: 'uid-orders',
        resourceVersion: '5',
        generation: 2,
        creationTimestamp: new Date(now - hour).toISOString(),
      },
      spec,
      status,
    },
    operator: { settings: scene.settings ?? {}, logFiles: {} },
    cluster: {
      jobManager: undefined,
      taskManager: undefined,
      pods: [],
      dependents: {},
      ingress: undefined,
      ha: { available: false, withCheckpoint: false, configMaps: [], submitted: [] },
    },
    rest: {
      asked: true,
      trouble: undefined,
      jobs: undefined,
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
      ...scene.rest,
    },
    sessionJobs: [],
    snapshots: { installed: scene.installed ?? true, items: scene.snapshots ?? [] },
  };
}

/** A FlinkStateSnapshot that has been taken `ageMs` before `now`. */
export function taken(
  name: string,
  ageMs: number,
  more: { trigger?: string; of?: 'savepoint' | 'checkpoint'; status?: FlinkStateSnapshotStatus } = {},
): FlinkStateSnapshot {
  const at = new Date(now - ageMs).toISOString();
  return {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkStateSnapshot',
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: at,
      labels: { 'snapshot.trigger-type': more.trigger ?? 'PERIODIC' },
    },
    spec: {
      jobReference: { kind: 'FlinkDeployment', name: 'orders' },
      ...(more.of === 'checkpoint' ? { checkpoint: {} } : { savepoint: {} }),
    },
    status: { state: 'COMPLETED', triggerTimestamp: at, path: `s3://bucket/sp/${name}`, ...more.status },
  };
}

type Effects = Pick<Step<unknown>, 'effects'> | Pick<Decision, 'actions'> | undefined;

function listed(found: Effects) {
  return found === undefined ? [] : 'effects' in found ? found.effects : found.actions;
}

export function created(found: Effects): readonly KubeObject[] {
  return listed(found).flatMap((effect) => (effect.do === 'create' ? [effect.object] : []));
}

export function called(found: Effects) {
  return listed(found).flatMap((effect) => (effect.do === 'call' ? [effect] : []));
}

export function deleted(found: Effects): readonly string[] {
  return listed(found).flatMap((effect) => (effect.do === 'delete' ? [effect.of.name] : []));
}

export function said(found: Effects): readonly string[] {
  return listed(found).flatMap((effect) => (effect.do === 'event' ? [`${effect.reason}: ${effect.note}`] : []));
}
