import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FlinkDeploymentStatus } from '../../resources/flink-deployment.ts';
import type { FlinkStateSnapshotStatus } from '../../resources/flink-state-snapshot.ts';
import { called, deleted, hour, jobView, now, type Scene, said, taken } from './job-view.fixture.ts';
import { snapshots } from './snapshots.ts';

function decide(scene: Scene) {
  const view = jobView(scene);
  return snapshots(view, view.resource.status);
}

const limits = (count: number, age = '24 h') => ({
  'kubernetes.operator.savepoint.history.max.count': String(count),
  'kubernetes.operator.savepoint.history.max.age': age,
});

const three = [taken('a', 3 * hour), taken('b', 2 * hour), taken('c', hour)];

describe('the history of snapshots', () => {
  it.each<[string, Scene, readonly string[]]>([
    ['is left alone within its limits', { snapshots: three, config: limits(3) }, []],
    ['loses the oldest beyond its length', { snapshots: three, config: limits(1) }, ['a', 'b']],
    ['loses what is too old', { snapshots: three, config: limits(10, '150 min') }, ['a']],
    ['never loses the newest, however old', { snapshots: three, config: limits(0, '1 s') }, ['a', 'b']],
    [
      'is bound by the threshold of the operator',
      {
        snapshots: three,
        config: limits(10),
        settings: { 'kubernetes.operator.savepoint.history.max.count.threshold': '2' },
      },
      ['a'],
    ],
    [
      'is bound by the threshold of the operator in age, too',
      {
        snapshots: three,
        config: limits(10),
        settings: { 'kubernetes.operator.savepoint.history.max.age.threshold': '150 min' },
      },
      ['a'],
    ],
    [
      'is left alone when told so',
      { snapshots: three, config: { ...limits(1), 'kubernetes.operator.savepoint.cleanup.enabled': 'false' } },
      [],
    ],
    [
      'is left alone while the job does not run',
      { snapshots: three, config: limits(1), status: { jobStatus: { state: 'FAILED' } } },
      [],
    ],
    [
      'never loses what people asked for',
      {
        snapshots: three.map(({ metadata: { name = '' } }, age) => taken(name, age, { trigger: 'MANUAL' })),
        config: limits(1),
      },
      [],
    ],
    [
      'never loses what the job starts from',
      { snapshots: three, config: limits(1), job: { initialSavepointPath: 's3://bucket/sp/a' } },
      ['b'],
    ],
    [
      'keeps as many checkpoints as Flink does',
      { snapshots: [taken('a', 2, { of: 'checkpoint' }), taken('b', 1, { of: 'checkpoint' })] },
      ['a'],
    ],
    [
      'loses abandoned ones without counting them as complete',
      {
        snapshots: [
          ...three,
          taken('x', 2 * hour, { status: { state: 'ABANDONED' } }),
          taken('y', hour, { status: { state: 'ABANDONED' } }),
        ],
        config: limits(1),
      },
      ['a', 'b', 'x'],
    ],
    [
      'does not lose one that is being taken',
      { snapshots: [taken('a', 30 * hour, { status: { state: 'IN_PROGRESS' } })], config: limits(1) },
      [],
    ],
  ])('%s', (_, scene, expected) => {
    expect(deleted(decide(scene))).toEqual(expected);
  });

  it('never loses the newest complete snapshot', () => {
    const state = fc.constantFrom('COMPLETED', 'ABANDONED', 'FAILED', 'IN_PROGRESS');
    const snapshot = fc.record({
      age: fc.integer({ min: 0, max: 100 }),
      state,
      trigger: fc.constantFrom('PERIODIC', 'UPGRADE', 'MANUAL'),
    });
    fc.assert(
      fc.property(fc.array(snapshot, { maxLength: 12 }), fc.nat(5), fc.nat(100), (made, count, minutes) => {
        const items = made.map(({ age, trigger, ...one }, index) =>
          taken(`s${index}`, age * 60_000, { trigger, status: one as FlinkStateSnapshotStatus }),
        );
        const gone = deleted(decide({ snapshots: items, config: limits(count, `${minutes} min`) }));
        const left = items.filter(({ metadata: { name = '' } }) => !gone.includes(name));
        const newest = (list: typeof items) =>
          Math.max(
            0,
            ...list
              .filter(({ status }) => status?.state === 'COMPLETED')
              .map(({ status }) => Date.parse(status?.triggerTimestamp ?? '')),
          );
        expect(newest(left)).toBe(newest(items));
        expect(
          gone.every(
            (name) =>
              items.find(({ metadata }) => metadata.name === name)?.metadata.labels?.['snapshot.trigger-type'] !==
              'MANUAL',
          ),
        ).toBe(true);
      }),
    );
  });
});

describe('a history in status', () => {
  const entry = (name: string, age: number) =>
    ({ timeStamp: now - age, location: `s3://sp/${name}`, triggerType: 'PERIODIC' }) as const;
  const savepointHistory = [entry('a', 3 * hour), entry('b', 2 * hour), entry('c', hour)];
  const status: Partial<FlinkDeploymentStatus> = {
    jobStatus: { savepointInfo: { savepointHistory, lastSavepoint: entry('c', hour) } },
  };
  const config = { ...limits(1), 'kubernetes.operator.snapshot.resource.enabled': 'false' };

  it('loses one after the other, by requests whose ids are written first', () => {
    const first = decide({ status, config });
    expect(called(first)).toMatchObject([{ verb: 'dispose', args: { path: 's3://sp/a' } }]);
    expect(first?.status.disposal).toMatchObject({ id: called(first)[0]?.id, path: 's3://sp/a' });
    const outcomes = { [called(first)[0]?.id ?? '']: { result: 'done', at: now, since: now, value: null } } as const;
    const second = decide({ status: first?.status ?? {}, config, outcomes });
    expect(second?.status.jobStatus?.savepointInfo?.savepointHistory).toEqual(savepointHistory.slice(1));
    expect(second?.status.disposal).toBeUndefined();
    expect(called(decide({ status: second?.status ?? {}, config }))).toMatchObject([{ args: { path: 's3://sp/b' } }]);
  });

  it('forgets, with a warning, what cannot be removed', () => {
    const started = decide({ status, config })?.status ?? {};
    const step = decide({ status: started, config, now: now + 600_000 });
    expect(said(step)).toEqual([expect.stringMatching(/CleanupFailed: .*s3:\/\/sp\/a is left behind/)]);
    expect(step?.status.jobStatus?.savepointInfo?.savepointHistory).toHaveLength(2);
  });

  it('keeps the newest, however old', () => {
    const old = { jobStatus: { savepointInfo: { savepointHistory: [entry('a', 30 * hour)] } } };
    expect(decide({ status: old, config })).toBeUndefined();
  });

  it('keeps the last savepoint, though others have a later time', () => {
    const last = { savepointHistory: [entry('a', 3 * hour), entry('b', hour)], lastSavepoint: entry('a', 3 * hour) };
    expect(decide({ status: { jobStatus: { savepointInfo: last } }, config })).toBeUndefined();
  });

  it('keeps what people asked for', () => {
    const manual = savepointHistory.map((one) => ({ ...one, triggerType: 'MANUAL' }) as const);
    expect(decide({ status: { jobStatus: { savepointInfo: { savepointHistory: manual } } }, config })).toBeUndefined();
  });
});
