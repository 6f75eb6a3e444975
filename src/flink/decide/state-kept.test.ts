import { describe, expect, it } from 'vitest';
import { run } from './model/run.fixture.ts';
import { running } from './model/running.fixture.ts';
import { application, ha, image, job } from './model/specs.fixture.ts';
import { World } from './model/world.fixture.ts';

/** The job has not completed any checkpoint of its own yet. */
function withoutCheckpoint(world: World): void {
  if (world.job) world.job.checkpoints = [];
  for (const metadata of world.storage.ha.values()) metadata.last = undefined;
}

describe('a job that has not completed a checkpoint of its own', () => {
  it.each([
    ['an upgrade', (world: World) => world.edit(image('flink:1.20.1'))],
    ['the recovery of its JobManager', (world: World) => world.vanish('Deployment/app')],
  ])('goes on from what it was started from, after %s', (_, happens) => {
    const world = new World(job({ initialSavepointPath: 's3://sp/mine' })(application('last-state', ha)));
    world.storage.files.set('s3://sp/mine', 1000);
    run(world, 12);
    for (let times = 0; times < 2; times++) {
      withoutCheckpoint(world);
      happens(world);
      run(world, 1);
      withoutCheckpoint(world);
      run(world);
      expect(world.job?.startedFrom).toBe('s3://sp/mine');
      world.edit(job({ allowNonRestoredState: times === 0 }));
    }
  });
});

describe('a job that failed before it had restored its state', () => {
  function failed(mode: 'savepoint' | 'last-state'): World {
    const world = running(mode);
    world.edit(image('flink:incompatible'));
    run(world, 1);
    const files = new Map(world.storage.files);
    world.storage.files.clear();
    run(world);
    expect(world.job?.state).toBe('FAILED');
    for (const [path, count] of files) world.storage.files.set(path, count);
    return world;
  }

  it.each(['savepoint', 'last-state'] as const)('is fixed with the state it was to start from: %s', (mode) => {
    const world = failed(mode);
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(world.job?.state).toBe('RUNNING');
    expect(world.job?.startedFrom).toMatch(mode === 'savepoint' ? /savepoint-/ : /chk-/);
  });

  it('forgets no state by a second failure', () => {
    const world = failed('savepoint');
    world.storage.files.clear();
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(world.job?.state).toBe('FAILED');
    expect(world.resource.status?.jobStatus?.upgradeSavepointPath).toMatch(/savepoint-/);
  });
});

describe('a job that fails while its upgrade waits for another try of its savepoint', () => {
  it.each(['FAILED', 'CANCELED'] as const)('goes on from its last checkpoint: %s', (state) => {
    const world = running('savepoint');
    world.stopFails = 'disk full';
    world.edit(image('flink:1.20.1'));
    run(world, 5);
    expect(world.resource.status?.error).toContain('disk full');
    const last = world.job?.checkpoints.at(-1)?.path;
    if (world.job) world.job.state = state;
    run(world, 60);
    expect(last).toMatch(/chk-/);
    expect(world.job?.startedFrom).toBe(last);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
  });
});

describe('a job that was started without state and failed', () => {
  it('does not go back to state that was given up before', () => {
    const world = running('savepoint');
    world.edit(image('flink:1.20.1'));
    run(world);
    world.edit(job({ upgradeMode: 'stateless', parallelism: 3 }));
    run(world);
    expect(world.job?.startedFrom).toBe('nothing');
    withoutCheckpoint(world);
    if (world.job) world.job.state = 'FAILED';
    run(world);
    world.edit(job({ upgradeMode: 'savepoint', parallelism: 4 }));
    run(world);
    expect(world.job?.startedFrom).toBe('nothing');
  });
});

describe('a job that ended with a checkpoint that has no address', () => {
  it('is left to a person', () => {
    const world = running('savepoint');
    const { job: ended } = world;
    if (!ended) throw new Error('there is no job');
    const view = world.view.bind(world);
    world.view = () => {
      const seen = view();
      const { checkpoints } = seen.rest.job;
      const last = checkpoints?.value.last && { ...checkpoints.value.last, path: undefined };
      if (!checkpoints || !last) return seen;
      const told = { ...checkpoints, value: { ...checkpoints.value, last } };
      return { ...seen, rest: { ...seen.rest, job: { ...seen.rest.job, checkpoints: told } } };
    };
    ended.state = 'FAILED';
    run(world);
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(world.resource.status?.error).toContain('Manual restore required');
  });
});
