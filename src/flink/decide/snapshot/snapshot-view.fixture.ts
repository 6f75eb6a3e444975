import type { FlinkDeployment } from '../../resources/flink-deployment.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import type { Rest } from '../../rest.ts';
import type { SnapshotView } from '../../view.ts';
import { labelsFor, snapshotFinalizer } from './metadata.ts';

/** When the views of these tests are looked at, unless they say otherwise. */
export const now = Date.parse('2026-03-01T12:00:00.000Z');

export const jobId = '1'.repeat(32);

/** A JobManager that was asked and has told nothing yet. */
export const silence: Rest = {
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
};

export function runningJob(state: 'RUNNING' | 'FAILED' | 'RESTARTING' | 'FINISHED' = 'RUNNING'): FlinkDeployment {
  return {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkDeployment',
    metadata: { name: 'orders', namespace: 'shop', uid: 'uid-orders', resourceVersion: '5', generation: 1 },
    spec: {
      flinkVersion: 'v1_20',
      job: { jarURI: 'local:///opt/orders.jar', upgradeMode: 'savepoint' },
      flinkConfiguration: { 'state.savepoints.dir': 's3://bucket/sp' },
    },
    status: { jobStatus: { state, jobId } },
  };
}

export interface Scene extends Partial<Omit<SnapshotView, 'resource'>> {
  readonly spec?: Partial<FlinkStateSnapshot['spec']>;
  readonly status?: FlinkStateSnapshot['status'];
  readonly deletedAt?: number;
}

/** A savepoint of `orders` that was created just now, with labels and finalizer as they should be. */
export function snapshotView({ spec, status, deletedAt, ...rest }: Scene = {}): SnapshotView {
  const bare: FlinkStateSnapshot = {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkStateSnapshot',
    metadata: { name: 'nightly', namespace: 'shop', uid: 'uid-nightly', resourceVersion: '9', generation: 1 },
    spec: { jobReference: { kind: 'FlinkDeployment', name: 'orders' }, savepoint: {}, ...spec },
    ...(status && { status }),
  };
  const resource: FlinkStateSnapshot = {
    ...bare,
    metadata: {
      ...bare.metadata,
      creationTimestamp: '2026-03-01T12:00:00Z',
      finalizers: [snapshotFinalizer],
      labels: labelsFor(bare),
      ...(deletedAt !== undefined && { deletionTimestamp: new Date(deletedAt).toISOString() }),
    },
  };
  const job = runningJob();
  return {
    resource,
    operator: { settings: {}, logFiles: {} },
    job,
    session: job,
    rest: silence,
    now,
    outcomes: {},
    ...rest,
  };
}
