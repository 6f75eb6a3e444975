import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flaw } from '../../control/decision.ts';
import { flinkId } from '../ids.ts';
import type { FlinkStateSnapshotStatus } from '../resources/flink-state-snapshot.ts';
import type { Operation } from '../rest.ts';
import type { SnapshotView } from '../view.ts';
import {
  calls,
  complete,
  decide,
  inProgress,
  jobId,
  notes,
  now,
  outcome,
  releases,
  runningJob,
  type Scene,
  silence,
  snapshotView,
  statusOf,
  told,
  trigger,
} from './snapshot/snapshot-view.fixture.ts';
import { decideSnapshot } from './snapshot.ts';

describe('a snapshot that is new', () => {
  it('gets labels and finalizer before anything else', () => {
    const view = snapshotView();
    const { labels: _, finalizers: __, ...metadata } = view.resource.metadata;
    const decision = decideSnapshot({ ...view, resource: { ...view.resource, metadata } });
    expect(decision.actions).toMatchObject([
      {
        do: 'patch',
        patch: [
          { path: '/metadata/finalizers', value: ['flinkstatesnapshots.flink.apache.org/finalizer'] },
          {
            path: '/metadata/labels',
            value: {
              'snapshot.type': 'SAVEPOINT',
              'snapshot.trigger-type': 'MANUAL',
              'snapshot.state': 'TRIGGER_PENDING',
              'job-reference.kind': 'FlinkDeployment',
              'job-reference.name': 'orders',
            },
          },
        ],
      },
    ]);
  });

  it('gets the label of its state when that has changed', () => {
    const view = snapshotView({ status: complete });
    const labels = { ...view.resource.metadata.labels, 'snapshot.state': 'IN_PROGRESS', mine: 'stays' };
    const resource = { ...view.resource, metadata: { ...view.resource.metadata, labels } };
    expect(decideSnapshot({ ...view, resource }).actions).toMatchObject([
      { do: 'patch', patch: [{ op: 'add', path: '/metadata/labels/snapshot.state', value: 'COMPLETED' }] },
    ]);
  });

  it('is triggered under an id that is written first', () => {
    const decision = decide({});
    const id = flinkId('uid-nightly', 1, 'savepoint');
    expect(statusOf(decision)).toMatchObject({
      state: 'IN_PROGRESS',
      attempt: 1,
      triggerId: id,
      observedGeneration: 1,
    });
    expect(calls(decision)).toMatchObject([
      {
        verb: 'savepoint',
        id,
        args: {
          cluster: { namespace: 'shop', name: 'orders', port: 8081, tls: false },
          jobId,
          directory: 's3://bucket/sp',
          format: 'CANONICAL',
        },
      },
    ]);
  });

  it('goes where its own path says, in its own format', () => {
    const decision = decide({ spec: { savepoint: { path: 's3://mine', formatType: 'NATIVE' } } });
    expect(calls(decision)).toMatchObject([{ args: { directory: 's3://mine', format: 'NATIVE' } }]);
  });

  it('of a checkpoint is a full one', () => {
    const { savepoint: _, ...spec } = snapshotView().resource.spec;
    const view = snapshotView();
    const resource = snapshotView({ spec: { checkpoint: {} } }).resource;
    const checkpoint = { ...resource, spec: { ...spec, checkpoint: {} } };
    expect(calls(decideSnapshot({ ...view, resource: checkpoint }))).toMatchObject([
      { verb: 'checkpoint', id: flinkId('uid-nightly', 1, 'checkpoint'), args: { type: 'FULL' } },
    ]);
  });

  it('that already exists is complete, and nobody is asked', () => {
    const decision = decide({ spec: { savepoint: { alreadyExists: true, path: 's3://there' } }, job: undefined });
    expect(statusOf(decision)).toMatchObject({ state: 'COMPLETED', path: 's3://there' });
    expect(calls(decision)).toEqual([]);
  });

  it.each([
    ['FAILED', { job: runningJob('FAILED') }],
    ['FINISHED', { job: runningJob('FINISHED') }],
    [
      'deleted',
      { job: { ...runningJob(), metadata: { ...runningJob().metadata, deletionTimestamp: '2026-03-01T12:00:00Z' } } },
    ],
    ['suspended', { job: { ...runningJob(), spec: { job: { state: 'suspended' } } } }],
  ] as const)('is abandoned when the job is %s', (why, scene) => {
    const decision = decide(scene);
    expect(statusOf(decision)?.state).toBe('ABANDONED');
    expect(notes(decision)).toEqual([expect.stringMatching(`SnapshotAbandoned: .*${why}`)]);
  });

  it.each<[string, Scene]>([
    ['spec.backoffLimit', { spec: { backoffLimit: -2 } }],
    ['spec.jobReference', { job: { ...runningJob(), spec: {} } }],
    ['spec.savepoint.path', { spec: { savepoint: { alreadyExists: true } } }],
  ])('is refused with the field that is wrong, once: %s', (field, scene) => {
    const decision = decide(scene);
    expect(notes(decision)).toEqual([expect.stringMatching(`ValidationError: .*${field}`)]);
    expect(calls(decision)).toEqual([]);
    expect(statusOf(decision)).toMatchObject({ state: 'TRIGGER_PENDING', error: expect.stringMatching(field) });
    expect(statusOf(decision)?.conditions).toContainEqual(expect.objectContaining({ type: 'Stalled' }));
    const status = statusOf(decision) ?? {};
    expect(decide({ ...scene, status }).actions).toEqual([]);
  });

  it.each([
    ['is not there', { job: undefined, session: undefined }],
    ['is restarting', { job: runningJob('RESTARTING') }],
    ['has no JobManager', { rest: { ...silence, asked: false } }],
  ] as const)('waits a minute from the first look for a job that %s, then is abandoned', (_, scene) => {
    const first = decide({ ...scene, now: now + 3_600_000 });
    expect(first.wakeAt).toBe(now + 3_660_000);
    const status = statusOf(first) ?? {};
    expect(status.state).toBe('TRIGGER_PENDING');
    const waiting = decide({ ...scene, status, now: now + 3_659_999 });
    expect(waiting).toMatchObject({ actions: [], wakeAt: now + 3_660_000 });
    expect(statusOf(decide({ ...scene, status, now: now + 3_660_000 }))?.state).toBe('ABANDONED');
  });
});

describe('a snapshot in progress', () => {
  it('is complete when Flink says so', () => {
    const decision = decide({ status: inProgress, rest: told({ is: 'done', location: 's3://sp/7' }) });
    expect(statusOf(decision)).toMatchObject({
      state: 'COMPLETED',
      path: 's3://sp/7',
      resultTimestamp: '2026-03-01T12:00:00.000Z',
    });
  });

  it('is complete although the job has ended since', () => {
    const decision = decide({
      status: inProgress,
      rest: told({ is: 'done', location: 's3://sp/7' }),
      job: runningJob('FINISHED'),
    });
    expect(statusOf(decision)?.state).toBe('COMPLETED');
  });

  it('fails when Flink says so, and is tried again later', () => {
    const decision = decide({ status: inProgress, rest: told({ is: 'failed', message: 'disk full' }) });
    expect(statusOf(decision)).toMatchObject({ state: 'FAILED', failures: 1, error: 'disk full' });
    expect(decision.wakeAt).toBe(now + 10_000);
    expect(notes(decision)).toEqual(['SnapshotError: The savepoint failed: disk full']);
  });

  it('is abandoned when the job ends without an answer', () => {
    expect(statusOf(decide({ status: inProgress, job: runningJob('FAILED') }))?.state).toBe('ABANDONED');
  });

  it('waits for a job that restarts, ten minutes long', () => {
    const decision = decide({ status: inProgress, job: runningJob('RESTARTING') });
    expect(statusOf(decision)?.state).toBe('IN_PROGRESS');
    expect(calls(decision)).toEqual([]);
    expect(decision.wakeAt).toBe(now - 10_000 + 600_000);
    const later = decide({ status: inProgress, job: runningJob('RESTARTING'), now: now + 590_000 });
    expect(statusOf(later)?.state).toBe('ABANDONED');
  });

  it('is sent again, as the same request, while nobody answers', () => {
    const decision = decide({ status: inProgress, outcomes: { [trigger.triggerId]: outcome('unavailable') } });
    expect(calls(decision)).toMatchObject([{ id: trigger.triggerId }]);
  });

  describe('that Flink does not know of', () => {
    const forgotten = told(
      { is: 'unknown' },
      {
        checkpoints: {
          at: now,
          value: {
            last: undefined,
            lastCompleted: undefined,
            lastSavepoint: undefined,
            inProgress: undefined,
            counts: { completed: 0, failed: 0 },
          },
        },
      },
    );
    const later = now + 60_000;
    const rest = {
      ...forgotten,
      operations: { [trigger.triggerId]: { at: later, value: { is: 'unknown' } } },
      job: { ...forgotten.job, checkpoints: forgotten.job.checkpoints && { ...forgotten.job.checkpoints, at: later } },
    } as const;

    it('is asked for under the next id if the JobManager had it, and forgot', () => {
      const decision = decide({
        status: inProgress,
        rest,
        now: later,
        outcomes: { [trigger.triggerId]: { result: 'done', at: now, since: now, value: null } },
      });
      const id = flinkId('uid-nightly', 2, 'savepoint');
      expect(statusOf(decision)).toMatchObject({ state: 'IN_PROGRESS', attempt: 2, triggerId: id, failures: 0 });
      expect(calls(decision)).toMatchObject([{ id }]);
    });

    it('is sent again as the same request if another process was to send it: that one may sleep, and do so yet', () => {
      const decision = decide({ status: inProgress, rest, now: later });
      expect(calls(decision)).toMatchObject([{ id: trigger.triggerId }]);
      expect(statusOf(decision)).toMatchObject({ attempt: 1, triggerId: trigger.triggerId });
    });
  });
});

describe('a snapshot that failed', () => {
  const failedTimes = (failures: number): FlinkStateSnapshotStatus => ({
    state: 'FAILED',
    failures,
    attempt: failures,
    error: 'disk full',
    resultTimestamp: '2026-03-01T12:00:00.000Z',
  });

  it.each([
    [1, 10],
    [2, 20],
    [4, 80],
    [7, 600],
    [1000, 600],
  ])('%d times is tried again after %d seconds', (failures, seconds) => {
    const at = now + seconds * 1000;
    const waiting = decide({ status: failedTimes(failures), now: at - 1 });
    expect(waiting.wakeAt).toBe(at);
    expect(calls(waiting)).toEqual([]);
    const retried = decide({ status: failedTimes(failures), now: at });
    expect(calls(retried)).toHaveLength(1);
    expect(statusOf(retried)).toMatchObject({ state: 'IN_PROGRESS', attempt: failures + 1, failures });
    expect(statusOf(retried)).not.toHaveProperty('error');
  });

  it('more often than its limit stays failed', () => {
    expect(calls(decide({ spec: { backoffLimit: 1 }, status: failedTimes(1), now: now + 1e9 }))).toHaveLength(1);
    const decision = decide({ spec: { backoffLimit: 1 }, status: failedTimes(2), now: now + 1e9 });
    expect(calls(decision)).toEqual([]);
    expect(decision.wakeAt).toBeUndefined();
    expect(statusOf(decision)?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Stalled', reason: 'Failed' }),
    );
  });

  it('waits a minute from then for a job that is restarting', () => {
    const scene = { status: failedTimes(7), job: runningJob('RESTARTING') };
    const waiting = decide({ ...scene, now: now + 600_000 });
    expect(statusOf(waiting)).toMatchObject({ state: 'FAILED' });
    expect(waiting.wakeAt).toBe(now + 660_000);
    expect(statusOf(decide({ ...scene, now: now + 660_000 }))?.state).toBe('ABANDONED');
  });

  it('is abandoned when the job has ended by then', () => {
    const decision = decide({ status: failedTimes(1), now: now + 10_000, job: runningJob('FAILED') });
    expect(statusOf(decision)?.state).toBe('ABANDONED');
  });
});

describe('whatever is seen', () => {
  const status = fc.option(
    fc.record(
      {
        state: fc.constantFrom('TRIGGER_PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'ABANDONED'),
        triggerId: fc.constantFrom(trigger.triggerId, '__proto__', 'constructor', ''),
        triggerTimestamp: fc.constantFrom(trigger.triggerTimestamp, 'yesterday'),
        resultTimestamp: fc.constantFrom(trigger.triggerTimestamp, 'yesterday'),
        failures: fc.integer({ min: 0, max: 2_000_000_000 }),
        attempt: fc.nat(),
        path: fc.constantFrom('', 's3://sp/1'),
        disposal: fc.record({
          id: fc.constant('d'.repeat(32)),
          path: fc.constant('s3://sp/1'),
          startedAt: fc.constant(trigger.triggerTimestamp),
        }),
      },
      { requiredKeys: [] },
    ),
    { nil: undefined },
  );
  const operation = fc.constantFrom<Operation>(
    { is: 'in progress' },
    { is: 'done', location: 's3://sp/7' },
    { is: 'done', checkpointId: 3 },
    { is: 'failed', message: 'no' },
    { is: 'unknown' },
  );
  const scene = fc.record({
    status,
    job: fc.constantFrom(undefined, runningJob(), runningJob('FAILED'), runningJob('RESTARTING')),
    rest: fc.oneof(
      fc.constantFrom(silence, { ...silence, asked: false }),
      operation.map((one) => told(one)),
    ),
    deletedAt: fc.constantFrom(undefined, now),
    later: fc.constantFrom(0, 30_000, 600_000, 1e9),
    outcomes: fc.constantFrom(
      {},
      { [trigger.triggerId]: outcome('unavailable') },
      { ['d'.repeat(32)]: outcome('refused') },
    ),
  });
  const viewOf = fc.constant((one: typeof scene extends fc.Arbitrary<infer S> ? S : never): SnapshotView => {
    const { deletedAt, status: found, later, ...rest } = one;
    return snapshotView({
      ...rest,
      session: rest.job,
      now: now + later,
      ...(deletedAt !== undefined && { deletedAt }),
      ...(found && { status: found as FlinkStateSnapshotStatus }),
    });
  });

  it('there is a decision without a flaw, and no call whose id status does not hold', () => {
    fc.assert(
      fc.property(scene, viewOf, (one, view) => {
        const seen = view(one);
        const decision = decideSnapshot(seen);
        const held = JSON.stringify(statusOf(decision) ?? seen.resource.status ?? {});
        return flaw(decision) === undefined && calls(decision).every(({ id }) => held.includes(`"${id}"`));
      }),
    );
  });

  it('a deletion ends within ten minutes of its last step', () => {
    fc.assert(
      fc.property(scene, viewOf, (one, view) => {
        const seen = view({ ...one, deletedAt: now, later: 1e9 });
        const first = decideSnapshot(seen);
        if (releases(first)) return true;
        const next = { ...seen.resource, status: statusOf(first) ?? seen.resource.status } as SnapshotView['resource'];
        return releases(decideSnapshot({ ...seen, resource: next, now: seen.now + 600_000 }));
      }),
    );
  });
});
