import type { Decision } from '../../../control/decision.ts';
import type { Outcome } from '../../../control/outcome.ts';
import type { FlinkDeployment } from '../../resources/flink-deployment.ts';
import type { FlinkStateSnapshot, FlinkStateSnapshotStatus } from '../../resources/flink-state-snapshot.ts';
import type { Operation, Rest } from '../../rest.ts';
import type { SnapshotView } from '../../view.ts';
import { decideSnapshot } from '../snapshot.ts';
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

export const decide = (scene: Scene): Decision => decideSnapshot(snapshotView(scene));

export function statusOf(decision: Decision): FlinkStateSnapshotStatus | undefined {
  const [first] = decision.actions;
  return first?.do === 'status' ? (first.status as FlinkStateSnapshotStatus) : undefined;
}

export const calls = (decision: Decision) =>
  decision.actions.flatMap((action) => (action.do === 'call' ? [action] : []));
export const notes = (decision: Decision) =>
  decision.actions.flatMap((action) => (action.do === 'event' ? [`${action.reason}: ${action.note}`] : []));
export const releases = (decision: Decision): boolean =>
  decision.actions.some(({ do: what }, index) => what === 'patch' && index === 0);

export const trigger = { triggerId: 'a'.repeat(32), triggerTimestamp: '2026-03-01T11:59:50.000Z' };
export const inProgress: FlinkStateSnapshotStatus = { state: 'IN_PROGRESS', attempt: 1, failures: 0, ...trigger };
export const complete: FlinkStateSnapshotStatus = { state: 'COMPLETED', attempt: 1, failures: 0, path: 's3://sp/1' };

export function told(operation: Operation, more: Partial<Rest['job']> = {}): Rest {
  return {
    ...silence,
    job: { ...silence.job, ...more },
    operations: { [trigger.triggerId]: { at: now, value: operation } },
  };
}

export const outcome = (result: 'refused' | 'unavailable', message = 'no'): Outcome => ({
  result,
  at: now,
  since: now,
  of: '',
  message,
});
