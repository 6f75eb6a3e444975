import { describe, expect, it } from 'vitest';
import type { FlinkDeployment, FlinkDeploymentStatus } from '../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../resources/flink-session-job.ts';
import type { FlinkStateSnapshot, FlinkStateSnapshotStatus } from '../resources/flink-state-snapshot.ts';
import type { Transition } from '../resources/transition.ts';
import type { Interest } from '../rest.ts';
import { jobInterest, snapshotInterest } from './interest.ts';

const job = 'a'.repeat(32);
const next = 'b'.repeat(32);
const cluster = { namespace: 'team-a', name: 'orders', port: 8081, tls: false };
const asked = { cluster, incarnation: 'one', repeatsMs: 3_000 };
const pace = { closeMs: 1_000, restMs: 60_000, health: false, rescalable: false };

const transition = (more: Partial<Transition>): Transition => ({
  id: 'u-1',
  cause: 'spec-change',
  because: 'b',
  generation: 2,
  phase: 'suspending',
  startedAt: 't',
  phaseStartedAt: 't',
  stop: { mode: 'savepoint', jobId: job, callId: 'call' },
  restore: { mode: 'savepoint' },
  ...more,
});

const settled: FlinkDeploymentStatus = {
  observedGeneration: 1,
  jobManagerDeploymentStatus: 'READY',
  jobStatus: { jobId: job, state: 'RUNNING' },
  reconciliationStatus: { lastReconciledSpec: 's', lastStableSpec: 's', state: 'DEPLOYED' },
};

function deployment(status: FlinkDeploymentStatus | undefined, more: Partial<FlinkDeployment> = {}): FlinkDeployment {
  return {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkDeployment',
    metadata: { namespace: 'team-a', name: 'orders', generation: 1 },
    spec: { job: {} },
    ...(status && { status }),
    ...more,
  };
}

/** What matters of an interest, in a row: who, how often, what, which operations. */
function row({ jobId, everyMs, wants, background, operations }: Interest): unknown[] {
  return [
    jobId?.slice(0, 1),
    everyMs,
    wants.join(),
    background?.join(),
    operations.map((one) => `${one.of} ${one.id}`).join(),
  ];
}

describe('a job', () => {
  const failing = 'exceptions,failure';
  it.each<[string, FlinkDeployment, unknown[]]>([
    ['at rest', deployment(settled), ['a', 60_000, failing, 'checkpoints,cluster info', '']],
    ['new', deployment(undefined), [undefined, 1_000, '', 'cluster info', '']],
    [
      'edited',
      deployment(settled, { metadata: { name: 'x', generation: 2 } }),
      ['a', 1_000, `${failing},checkpoints`, 'cluster info', ''],
    ],
    [
      'being deleted',
      deployment(settled, { metadata: { name: 'x', generation: 1, deletionTimestamp: 't' } }),
      ['a', 1_000, `${failing},checkpoints`, 'cluster info', ''],
    ],
    [
      'being stopped with a savepoint',
      deployment({ ...settled, transition: transition({}) }),
      ['a', 1_000, `${failing},checkpoints`, 'cluster info', 'savepoint call'],
    ],
    [
      'being cancelled: nobody awaits an outcome of that',
      deployment({ ...settled, transition: transition({ stop: { mode: 'cancel', jobId: job, callId: 'call' } }) }),
      ['a', 1_000, `${failing},checkpoints`, 'cluster info', ''],
    ],
    [
      'being started',
      deployment({ ...settled, transition: transition({ phase: 'starting', stop: { mode: 'none' }, jobId: next }) }),
      ['b', 1_000, `${failing},checkpoints`, 'cluster info', ''],
    ],
    [
      'starting',
      deployment({ ...settled, jobStatus: { jobId: job, state: 'INITIALIZING' } }),
      ['a', 1_000, `${failing},checkpoints`, 'cluster info', ''],
    ],
    [
      'not heard of yet',
      deployment({ ...settled, jobStatus: { jobId: job } }),
      ['a', 1_000, `${failing},checkpoints`, 'cluster info', ''],
    ],
    [
      'running, not yet known to be stable',
      deployment({ ...settled, reconciliationStatus: { lastReconciledSpec: 's', lastStableSpec: 'r' } }),
      ['a', 1_000, `${failing},checkpoints`, 'cluster info', ''],
    ],
    [
      'with a savepoint in the old manner',
      deployment({ ...settled, jobStatus: { ...settled.jobStatus, savepointInfo: { triggerId: 'sp' } } }),
      ['a', 1_000, `${failing},checkpoints`, 'cluster info', 'savepoint sp'],
    ],
    [
      'with a checkpoint in the old manner',
      deployment({ ...settled, jobStatus: { ...settled.jobStatus, checkpointInfo: { triggerId: 'cp' } } }),
      ['a', 1_000, `${failing},checkpoints`, 'cluster info', 'checkpoint cp'],
    ],
    [
      'with triggers that are not pending',
      deployment({ ...settled, jobStatus: { ...settled.jobStatus, savepointInfo: { triggerId: '' } } }),
      ['a', 60_000, failing, 'checkpoints,cluster info', ''],
    ],
    [
      'that has ended',
      deployment({ ...settled, jobStatus: { jobId: job, state: 'FINISHED' } }),
      ['a', 300_000, `${failing},checkpoints`, 'cluster info', ''],
    ],
  ])('%s', (_what, resource, expected) => {
    expect(row(jobInterest(resource, asked, pace))).toEqual(expected);
  });

  it('is asked for metrics only where its health is watched, and for bounds only when they may be about to change', () => {
    const wants = (resource: FlinkDeployment, more: Partial<typeof pace>) =>
      jobInterest(resource, asked, { ...pace, ...more }).wants;
    expect(wants(deployment(settled), { health: true })).toContain('metrics');
    const ended = deployment({ ...settled, jobStatus: { jobId: job, state: 'FAILED' } });
    expect(wants(ended, { health: true })).not.toContain('metrics');
    const edited = deployment(settled, { metadata: { generation: 2 } });
    expect(wants(edited, { rescalable: true })).toContain('requirements');
    expect(wants(deployment(settled), { rescalable: true })).not.toContain('requirements');
    expect(wants(edited, {})).not.toContain('requirements');
  });

  it('of a session does not ask about the cluster', () => {
    const resource: FlinkSessionJob = {
      ...deployment(undefined),
      kind: 'FlinkSessionJob',
      spec: { deploymentName: 'orders', job: {} },
      status: { observedGeneration: 1, jobStatus: { jobId: job, state: 'RUNNING' } },
    };
    expect(row(jobInterest(resource, asked, pace))).toEqual(['a', 60_000, 'exceptions,failure', 'checkpoints', '']);
  });
});

describe('a session cluster', () => {
  it.each<[string, FlinkDeploymentStatus, number]>([
    ['at rest', settled, 60_000],
    ['that is starting', { ...settled, jobManagerDeploymentStatus: 'DEPLOYING' }, 1_000],
    ['that is changed', { ...settled, transition: transition({ phase: 'clearing' }) }, 1_000],
  ])('%s is asked for all its jobs', (_what, { jobStatus: _, ...status }, everyMs) => {
    const interest = jobInterest(deployment(status, { spec: {} }), asked, pace);
    expect(row(interest)).toEqual([undefined, everyMs, '', 'cluster info', '']);
  });
});

describe('a snapshot', () => {
  const of = deployment(settled);
  const snapshot = (status: FlinkStateSnapshotStatus, more: Partial<FlinkStateSnapshot> = {}): FlinkStateSnapshot => ({
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkStateSnapshot',
    metadata: { name: 's' },
    spec: { savepoint: {} },
    status,
    ...more,
  });

  it.each<[string, FlinkStateSnapshot, unknown]>([
    ['to be taken', snapshot({}), ['a', 60_000, '', undefined, '']],
    [
      'being taken',
      snapshot({ state: 'IN_PROGRESS', triggerId: 't' }),
      ['a', 1_000, 'checkpoints', undefined, 'savepoint t'],
    ],
    [
      'of a checkpoint',
      snapshot({ state: 'IN_PROGRESS', triggerId: 't' }, { spec: { checkpoint: {} } }),
      ['a', 1_000, 'checkpoints', undefined, 'checkpoint t'],
    ],
    ['that failed', snapshot({ state: 'FAILED', triggerId: 't' }), ['a', 60_000, '', undefined, '']],
    ['that is complete', snapshot({ state: 'COMPLETED', triggerId: 't' }), undefined],
    ['that was abandoned', snapshot({ state: 'ABANDONED' }), undefined],
    [
      'that is deleted',
      snapshot({ state: 'COMPLETED' }, { metadata: { name: 's', deletionTimestamp: 't' } }),
      ['a', 60_000, '', undefined, ''],
    ],
  ])('%s', (_what, resource, expected) => {
    const interest = snapshotInterest(resource, of, asked, pace);
    expect(interest && row(interest)).toEqual(expected);
  });

  it('of a job that never ran asks nothing of it', () => {
    const interest = snapshotInterest(snapshot({ state: 'IN_PROGRESS', triggerId: 't' }), deployment({}), asked, pace);
    expect(interest && row(interest)).toEqual([undefined, 60_000, '', undefined, '']);
  });
});
