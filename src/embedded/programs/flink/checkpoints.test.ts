import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../clock/virtual.ts';
import { type CheckpointSettings, Checkpoints } from './checkpoints.ts';
import { nothingCounted } from './counting.ts';
import { FlinkWorld } from './flink-world.ts';
import { Run } from './run.ts';
import { readSnapshot } from './snapshot-file.ts';
import { normalPath } from './storage.ts';

const usual: CheckpointSettings = {
  intervalMs: 1000,
  directory: 's3://b/cp',
  savepointDirectory: 's3://b/sp',
  retained: 2,
  retention: 'RETAIN_ON_CANCELLATION',
  tolerableFailures: 0,
  timeoutMs: 600_000,
  claims: false,
};

function start(settings: Partial<CheckpointSettings> = {}): {
  clock: VirtualClock;
  world: FlinkWorld;
  checkpoints: Checkpoints;
  run: Run;
} {
  const clock = new VirtualClock();
  const world = new FlinkWorld();
  const job = { id: 'j'.repeat(32), countUid: 'keyed-count' };
  const checkpoints = new Checkpoints(clock, world, job, { ...usual, ...settings }, () => false);
  const names = { cluster: 'n/c', jobId: job.id, jobName: 'j', label: 'v1', attempt: 0, taskManagers: [] };
  const run = new Run(clock, { ...names, restoredFrom: undefined, base: nothingCounted, rate: 10, keys: 4 });
  checkpoints.begin(run);
  return { clock, world, checkpoints, run };
}

describe('periodic checkpoints', () => {
  it('are the same whether someone looks all the time or only at the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9000 }), { maxLength: 12 }), async (looks) => {
        const [eager, lazy] = [start(), start()];
        for (const ms of looks) {
          await eager.clock.advance(ms);
          await lazy.clock.advance(ms);
          eager.checkpoints.catchUp();
        }
        lazy.checkpoints.catchUp();
        const told = ({ checkpoints, world }: typeof eager) => ({
          counts: checkpoints.counts,
          counter: checkpoints.counter,
          retained: checkpoints.retained,
          stored: world.unsettled.list('s3://').map((path) => world.unsettled.read(path)),
        });
        expect(told(lazy)).toEqual(told(eager));
      }),
      { numRuns: 50 },
    );
  });

  it('hold the state of the moment they were triggered, newest kept', async () => {
    const { clock, world, checkpoints } = start();
    await clock.advance(5500);
    checkpoints.catchUp();
    const path = (id: number): string => `s3://b/cp/${'j'.repeat(32)}/chk-${id}`;
    expect([3, 4, 5].map((id) => readSnapshot(world, path(id))?.state.offset)).toEqual([undefined, 40, 50]);
  });

  it('share their ids with savepoints, which never count as retained', async () => {
    const { clock, checkpoints, run } = start();
    await clock.advance(2500);
    const savepoint = checkpoints.take('SAVEPOINT', 'CANONICAL');
    checkpoints.complete(savepoint, run.state, 's3://b/sp/savepoint-x');
    await clock.advance(1000);
    checkpoints.catchUp();
    expect(savepoint.id).toBe(3);
    expect(checkpoints.retained.map(({ id }) => id)).toEqual([2, 4]);
  });

  it('push out a restored savepoint, and delete it only when it was claimed', async () => {
    for (const owned of [true, false]) {
      const { clock, world, checkpoints, run } = start();
      const path = normalPath('s3://b/sp/savepoint-x');
      checkpoints.complete(checkpoints.take('SAVEPOINT', 'CANONICAL'), run.state, path);
      checkpoints.restore({ id: 7, path, isSavepoint: true, state: run.state, owned });
      await clock.advance(10_000);
      checkpoints.catchUp();
      expect(readSnapshot(world, path) === undefined).toBe(owned);
      expect(checkpoints.counter).toBeGreaterThan(8);
    }
  });

  it.each([
    ['RETAIN_ON_CANCELLATION', { CANCELED: 2, FAILED: 2, FINISHED: 0 }],
    ['DELETE_ON_CANCELLATION', { CANCELED: 0, FAILED: 2, FINISHED: 0 }],
    ['NO_EXTERNALIZED_CHECKPOINTS', { CANCELED: 0, FAILED: 0, FINISHED: 0 }],
  ] as const)('stay or go at the end as %s says', async (retention, left) => {
    for (const end of ['CANCELED', 'FAILED', 'FINISHED'] as const) {
      const { clock, world, checkpoints } = start({ retention });
      await clock.advance(5000);
      checkpoints.end();
      checkpoints.discard(end);
      expect(world.unsettled.list('s3://b/cp')).toHaveLength(left[end]);
    }
  });
});

describe('normalPath', () => {
  it.each([
    ['file:///data//sp/', 'file:/data/sp'],
    ['file:/data/sp', 'file:/data/sp'],
    ['/data/sp', 'file:/data/sp'],
    ['s3://bucket/a/', 's3://bucket/a'],
    ['s3://bucket', 's3://bucket'],
    ['hdfs://nn:8020/a/b', 'hdfs://nn:8020/a/b'],
  ])('of %s is %s', (path, normal) => {
    expect(normalPath(path)).toBe(normal);
  });
});
