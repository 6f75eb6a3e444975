import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flinkId } from '../../ids.ts';
import type { FlinkDeploymentStatus } from '../../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../../resources/flink-session-job.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import type { JobSpec } from '../../resources/job-spec.ts';
import type { Operation, Rest } from '../../rest.ts';
import type { Step } from '../step.ts';
import { called, created, hour, jobId, jobView, now, type Scene, said, taken } from './job-view.fixture.ts';
import { isTakingSavepoint, snapshots, snapshotsDueAt } from './snapshots.ts';

function decide(scene: Scene): Step<FlinkDeploymentStatus> | undefined {
  const view = jobView(scene);
  return snapshots(view, view.resource.status);
}

function dueAt(scene: Scene): number | undefined {
  const view = jobView(scene);
  return snapshotsDueAt(view, view.resource.status);
}

const noCheckpoints = {
  last: undefined,
  lastCompleted: undefined,
  lastSavepoint: undefined,
  inProgress: undefined,
  counts: { completed: 0, failed: 0 },
};

const asked = { job: { savepointTriggerNonce: 2 }, deployed: { savepointTriggerNonce: 1 } };
const legacy = { 'kubernetes.operator.snapshot.resource.enabled': 'false' };

describe('a nonce', () => {
  it('makes a FlinkStateSnapshot, after status says so', () => {
    const step = decide(asked);
    expect(step?.status).toMatchObject({
      nonces: { savepointTrigger: 2 },
      jobStatus: { savepointInfo: { triggerTimestamp: now, triggerType: 'MANUAL' } },
    });
    expect(created(step)).toMatchObject([
      {
        kind: 'FlinkStateSnapshot',
        metadata: {
          name: `orders-savepoint-manual-${now}`,
          namespace: 'shop',
          labels: { 'snapshot.trigger-type': 'MANUAL' },
        },
        spec: {
          jobReference: { kind: 'FlinkDeployment', name: 'orders' },
          savepoint: { disposeOnDelete: false, formatType: 'CANONICAL' },
        },
      },
    ]);
    expect(created(step)[0]?.metadata).not.toHaveProperty('ownerReferences');
  });

  it('of a checkpoint makes one of those', () => {
    const step = decide({ job: { checkpointTriggerNonce: 1 }, deployed: {} });
    expect(created(step)).toMatchObject([
      { metadata: { name: `orders-checkpoint-manual-${now}` }, spec: { checkpoint: {} } },
    ]);
  });

  it('of a checkpoint is refused before Flink 1.17, once', () => {
    const view = jobView({ job: { checkpointTriggerNonce: 2 }, status: { nonces: { checkpointTrigger: 1 } } });
    const old = {
      ...view,
      resource: { ...view.resource, spec: { ...view.resource.spec, flinkVersion: 'v1_16' } },
    } as const;
    const step = snapshots(old, old.resource.status);
    expect(created(step)).toEqual([]);
    expect(said(step)).toEqual([expect.stringMatching(/CheckpointError: .*1\.17/)]);
    expect(snapshots(old, step?.status ?? {})).toBeUndefined();
  });

  it.each<[string, Scene]>([
    ['was acted upon', { job: { savepointTriggerNonce: 2 }, status: { nonces: { savepointTrigger: 2 } } }],
    ['was there at creation', { job: { savepointTriggerNonce: 2 } }],
    ['was removed', { deployed: { savepointTriggerNonce: 1 } }],
    [
      'came back after it was removed',
      { job: { savepointTriggerNonce: 2 }, deployed: {}, status: { nonces: { savepointTrigger: 2 } } },
    ],
    ['changed while the job does not run', { ...asked, status: { jobStatus: { state: 'RESTARTING' } } }],
    [
      'changed while a savepoint is being taken',
      { ...asked, snapshots: [taken('a', 0, { status: { state: 'IN_PROGRESS' } })] },
    ],
  ])('does nothing when it %s', (_, scene) => {
    expect(decide(scene)).toBeUndefined();
  });

  it('does not wait for a savepoint that was only written down', () => {
    const { status: _, ...known } = taken('a', 0);
    const there = { ...known, spec: { ...known.spec, savepoint: { alreadyExists: true, path: 's3://x' } } };
    expect(created(decide({ ...asked, snapshots: [there] }))).toHaveLength(1);
  });

  it('does not wait for a snapshot that keeps failing', () => {
    const failing = taken('a', 0, { status: { state: 'FAILED', failures: 3 } });
    expect(created(decide({ ...asked, snapshots: [failing] }))).toHaveLength(1);
  });
});

describe('a FlinkStateSnapshot that status speaks of', () => {
  const before = decide(asked);
  const status = before?.status ?? {};
  const object = created(before)[0] as FlinkStateSnapshot;

  it('is made again, as the same one, when it is not there', () => {
    const step = decide({ ...asked, status, now: now + 5000 });
    expect(created(step)).toEqual([object]);
    expect(step?.status).toEqual(jobView({ ...asked, status }).resource.status);
  });

  it('is no longer spoken of when it is there', () => {
    const step = decide({ ...asked, status, snapshots: [object], now: now + 5000 });
    expect(created(step)).toEqual([]);
    expect(step?.status.jobStatus?.savepointInfo).toEqual({});
  });

  it('is given up with a warning when it stays refused', () => {
    const refused = { result: 'refused', at: now, since: now, of: '', message: 'exceeded quota' } as const;
    const outcomes = { [`create flink.apache.org/v1beta1 FlinkStateSnapshot shop/${object.metadata.name}`]: refused };
    expect(created(decide({ ...asked, status, outcomes, now: now + 59_999 }))).toHaveLength(1);
    const step = decide({ ...asked, status, outcomes, now: now + 60_000 });
    expect(said(step)).toEqual([expect.stringMatching(/SavepointError: .*exceeded quota/)]);
    expect(step?.status.jobStatus?.savepointInfo).toEqual({});
  });
});

describe('the clock', () => {
  const every = (interval: string) => ({ config: { 'kubernetes.operator.periodic.savepoint.interval': interval } });

  it('asks for a savepoint when its period has passed since the job was created', () => {
    expect(dueAt({ ...every('2 h') })).toBe(now + hour);
    expect(decide({ ...every('2 h') })).toBeUndefined();
    const step = decide({ ...every('2 h'), now: now + hour });
    expect(created(step)).toMatchObject([{ metadata: { name: `orders-savepoint-periodic-${now + hour}` } }]);
    expect(step?.status.jobStatus?.savepointInfo?.lastPeriodicSavepointTimestamp).toBe(now + hour);
  });

  it('asks by a Quartz expression', () => {
    expect(dueAt({ ...every('0 30 12 * * ?') })).toBe(now + hour / 2);
    expect(created(decide({ ...every('0 30 12 * * ?'), now: now + hour / 2 }))).toHaveLength(1);
  });

  it.each<[string, Scene]>([
    ['status', { status: { jobStatus: { savepointInfo: { lastPeriodicSavepointTimestamp: now - 1000 } } } }],
    ['the newest periodic snapshot', { snapshots: [taken('a', 1000), taken('b', 2000)] }],
  ])('counts from the last time, by %s', (_, scene) => {
    expect(dueAt({ ...every('30 min'), ...scene })).toBe(now - 1000 + hour / 2);
  });

  it('does not count what people asked for', () => {
    expect(created(decide({ ...every('30 min'), snapshots: [taken('a', 1000, { trigger: 'MANUAL' })] }))).toHaveLength(
      1,
    );
  });

  it('does not ask for another one while the last is tried again', () => {
    const failing = taken('a', hour, { status: { state: 'FAILED', failures: 3 } });
    expect(decide({ ...every('30 min'), snapshots: [failing] })).toBeUndefined();
  });

  it('does not ask without end', () => {
    expect(said(decide(every('0 s')))).toEqual([expect.stringMatching(/ValidationError: .*"0 s" is no time/)]);
  });

  it('cannot read nonsense, says so once, and leaves the job alone', () => {
    const step = decide(every('whenever'));
    expect(said(step)).toEqual([
      expect.stringMatching(/ValidationError: kubernetes.operator.periodic.savepoint.interval: "whenever" is neither/),
    ]);
    expect(step?.status.conditions).toMatchObject([{ type: 'PeriodicSnapshots', status: 'False' }]);
    expect(decide({ ...every('whenever'), status: step?.status ?? {} })).toBeUndefined();
    expect(decide({ ...every('2 h'), status: step?.status ?? {} })?.status.conditions).toEqual([]);
  });
});

describe('without FlinkStateSnapshots', () => {
  const id = flinkId('uid-orders', 1, 'savepoint');
  const begun = { ...asked, config: legacy };
  const status = decide(begun)?.status ?? {};

  it.each<[string, Scene]>([
    ['by choice', begun],
    ['because the kind is not installed', { ...asked, installed: false }],
  ])('%s, Flink is asked under an id that is written first', (_, scene) => {
    const step = decide(scene);
    expect(step?.status).toMatchObject({
      attempt: 1,
      nonces: { savepointTrigger: 2 },
      jobStatus: { savepointInfo: { triggerId: id, triggerTimestamp: now, triggerType: 'MANUAL' } },
    });
    expect(called(step)).toMatchObject([{ verb: 'savepoint', id, args: { jobId, directory: 's3://bucket/sp' } }]);
    expect(created(step)).toEqual([]);
  });

  function told(value: Operation, at = now): Partial<Rest> {
    const { job } = jobView().rest;
    return { operations: { [id]: { at, value } }, job: { ...job, checkpoints: { at, value: noCheckpoints } } };
  }

  it('an upgrade can see that a savepoint is being taken', () => {
    expect(isTakingSavepoint(status)).toBe(true);
    expect(isTakingSavepoint(decide(asked)?.status ?? {})).toBe(false);
  });

  it('a savepoint that is being taken is waited for', () => {
    expect(decide({ ...begun, status, rest: told({ is: 'in progress' }) })).toBeUndefined();
  });

  it('a savepoint that is complete enters the history', () => {
    const step = decide({ ...begun, status, rest: told({ is: 'done', location: 's3://bucket/sp/1' }) });
    const savepoint = {
      timeStamp: now,
      location: 's3://bucket/sp/1',
      triggerType: 'MANUAL',
      formatType: 'CANONICAL',
      triggerNonce: 2,
    };
    expect(step?.status.jobStatus?.savepointInfo).toEqual({ lastSavepoint: savepoint, savepointHistory: [savepoint] });
  });

  it('a failure is tried again under another id, within the grace period', () => {
    const step = decide({ ...begun, status, rest: told({ is: 'failed', message: 'no' }), now: now + 5000 });
    expect(called(step)).toMatchObject([{ id: flinkId('uid-orders', 2, 'savepoint') }]);
    expect(step?.status.jobStatus?.savepointInfo?.triggerTimestamp).toBe(now);
  });

  it('a failure is not tried again at once', () => {
    const outcomes = { [id]: { result: 'done', at: now + 1000, since: now, value: null } } as const;
    const scene = { ...begun, status, outcomes, rest: told({ is: 'failed', message: 'no' }), now: now + 2000 };
    expect(decide(scene)).toBeUndefined();
    expect(dueAt(scene)).toBe(now + 11_000);
  });

  it('a failure is given up with a warning after the grace period', () => {
    const step = decide({ ...begun, status, rest: told({ is: 'failed', message: 'no' }), now: now + 60_000 });
    expect(called(step)).toEqual([]);
    expect(said(step)).toEqual(['SavepointError: The savepoint failed: no']);
    expect(step?.status.jobStatus?.savepointInfo).toEqual({});
    expect(step?.status.nonces).toEqual({ savepointTrigger: 2 });
  });

  it('what the JobManager forgot is asked for under another id', () => {
    const later = now + 31_000;
    const outcomes = { [id]: { result: 'done', at: now + 1000, since: now, value: null } } as const;
    const step = decide({ ...begun, status, outcomes, rest: told({ is: 'unknown' }, later), now: later });
    expect(called(step)).toMatchObject([{ id: flinkId('uid-orders', 2, 'savepoint') }]);
    expect(step?.status.jobStatus?.savepointInfo?.triggerTimestamp).toBe(later);
  });

  it('what it may never have been asked for is asked for under the same id: the first request may come yet', () => {
    const later = now + 31_000;
    const step = decide({ ...begun, status, rest: told({ is: 'unknown' }, later), now: later });
    expect(called(step)).toMatchObject([{ id }]);
    expect(step?.status.attempt).toBe(status.attempt);
  });

  it('it is given up when the job does not run any more', () => {
    const stopped = { ...status, jobStatus: { ...status.jobStatus, state: 'FAILED' } } as const;
    const step = decide({ ...begun, status: stopped });
    expect(said(step)).toEqual([expect.stringMatching(/SavepointError: .*FAILED/)]);
    expect(step?.status.jobStatus?.savepointInfo).toEqual({});
  });

  it('a checkpoint that is complete is remembered', () => {
    const scene = { job: { checkpointTriggerNonce: 2 }, status: { nonces: { checkpointTrigger: 1 } }, config: legacy };
    const checkpoint = decide(scene)?.status ?? {};
    const checkpointId = flinkId('uid-orders', 1, 'checkpoint');
    const rest = {
      operations: { [checkpointId]: { at: now, value: { is: 'done', location: 's3://chk-3' } } },
    } as const;
    expect(decide({ ...scene, status: checkpoint, rest })?.status.jobStatus?.checkpointInfo).toEqual({
      lastCheckpoint: { timeStamp: now, triggerType: 'MANUAL', formatType: 'FULL', triggerNonce: 2 },
    });
  });
});

describe('a session job', () => {
  it('has its snapshots taken in the cluster of its session, as both are configured', () => {
    const { resource, sessionJobs: _, ...view } = jobView({ config: { ...legacy, 'rest.port': '9999' } });
    const { job: __, ...sessionSpec } = resource.spec;
    const session = { ...resource, metadata: { ...resource.metadata, name: 'pool' }, spec: sessionSpec };
    const job: FlinkSessionJob = {
      ...resource,
      kind: 'FlinkSessionJob',
      metadata: { ...resource.metadata, name: 'counter' },
      spec: {
        deploymentName: 'pool',
        job: { savepointTriggerNonce: 2 },
        flinkConfiguration: { 'state.savepoints.dir': 's3://own' },
      },
      status: { jobStatus: { state: 'RUNNING', jobId }, nonces: { savepointTrigger: 1 } },
    };
    const step = snapshots({ ...view, resource: job, session }, job.status ?? {});
    const cluster = { namespace: 'shop', name: 'pool', port: 9999, tls: false };
    expect(called(step)).toMatchObject([{ verb: 'savepoint', args: { cluster, jobId, directory: 's3://own' } }]);
    expect(snapshots({ ...view, resource: job, session: undefined }, job.status ?? {})).toBeUndefined();
  });
});

/** Carries decisions out, forgets everything but what is stored at any moment, and counts what was asked for. */
function play(script: readonly Beat[], config: Readonly<Record<string, string>>): readonly string[] {
  let status: FlinkDeploymentStatus = { nonces: {} };
  let job: Partial<JobSpec> = {};
  let at = now;
  let items: readonly FlinkStateSnapshot[] = [];
  const done = new Map<string, Operation>();
  const asks: string[] = [];
  for (const beat of script) {
    if ('nonce' in beat) job = beat.nonce === undefined ? {} : { savepointTriggerNonce: beat.nonce };
    if ('pass' in beat) at += beat.pass;
    if (!('look' in beat)) continue;
    const pending = status.jobStatus?.savepointInfo?.triggerId;
    const known = new Map<string, Operation>([...(pending ? [[pending, { is: 'unknown' }] as const] : []), ...done]);
    const operations = Object.fromEntries([...known].map(([id, value]) => [id, { at, value }]));
    const rest = { operations, job: { ...jobView().rest.job, checkpoints: { at, value: noCheckpoints } } };
    const view = jobView({ job, deployed: {}, config, status, snapshots: items, now: at, rest });
    const step = snapshots(view, view.resource.status);
    if (!step || beat.look === 'dies before it writes') continue;
    ({ status } = step);
    if (beat.look === 'dies after it wrote') continue;
    for (const object of created(step)) {
      const name = object.metadata.name ?? '';
      if (items.some(({ metadata }) => metadata.name === name)) continue;
      const metadata = { ...object.metadata, uid: name, resourceVersion: '1' };
      items = [...items, { ...(object as FlinkStateSnapshot), metadata, status: { state: 'COMPLETED' } }];
      asks.push(name);
    }
    for (const { id } of called(step)) {
      if (done.has(id)) continue;
      done.set(id, { is: 'done', location: `s3://${id}` });
      asks.push(id);
    }
  }
  return asks;
}

type Beat =
  | { readonly nonce: number | undefined }
  | { readonly pass: number }
  | { readonly look: 'lives' | 'dies before it writes' | 'dies after it wrote' };
const look = fc
  .constantFrom('lives', 'dies before it writes', 'dies after it wrote')
  .map((how) => ({ look: how }) as Beat);
const calm: readonly Beat[] = Array.from({ length: 6 }, () => [{ pass: 40_000 }, { look: 'lives' }] as const).flat();

describe('across crashes', () => {
  it.each([
    ['as objects', {}],
    ['in status', legacy],
  ])('each change of a nonce acts exactly once, with snapshots %s', (_, config) => {
    const edits = fc.array(fc.tuple(fc.constantFrom(1, 2, 3, undefined), fc.array(look, { maxLength: 4 })), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(edits, (script) => {
        const beats = script.flatMap(([nonce, looks]) => [{ pass: 1 }, { nonce }, ...looks, ...calm] as Beat[]);
        let last: number | undefined;
        let changes = 0;
        for (const [nonce] of script) {
          if (nonce === undefined || nonce === last) continue;
          changes += 1;
          last = nonce;
        }
        expect(play(beats, config)).toHaveLength(changes);
      }),
    );
  });

  it('the clock asks at most once per period, and does not stop asking', () => {
    const minutes = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), look), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(minutes, (script) => {
        const beats = script.flatMap(([pass, beat]) => [{ pass: pass * 60_000 }, beat]);
        const asks = play([...beats, ...calm], { 'kubernetes.operator.periodic.savepoint.interval': '30 min' });
        // What is made after a crash may be late; its name tells when it was asked for.
        const dues = asks.map((name) => Number(name.split('-').at(-1)));
        for (const [index, due] of dues.entries()) {
          if (index > 0) expect(due - (dues[index - 1] ?? 0)).toBeGreaterThanOrEqual(hour / 2);
        }
        expect(asks.length).toBeGreaterThan(0);
      }),
      { numRuns: 50 },
    );
  });
});
