import { describe, expect, it } from 'vitest';
import { SessionWorld } from './model/session-world.fixture.ts';

/** A job that was just submitted, by a decision whose result nobody has looked at yet. */
function submitted(): SessionWorld {
  const world = new SessionWorld({
    deploymentName: 'session',
    job: { jarURI: 'https://example.com/job.jar', parallelism: 2, upgradeMode: 'savepoint' },
  });
  world.storage.files.set('s3://sp/mine', 1000);
  world.toldAt = world.now;
  for (let looks = 0; looks < 5 && world.deeds.length === 0; looks++) world.look();
  expect(world.deeds).toEqual(['submit']);
  expect(world.resource.status?.transition?.phase).toBe('starting');
  return world;
}

/** The states of all jobs that the session was ever given. */
function jobs(world: SessionWorld): string[] {
  return [...(world.process?.jobs.values() ?? [])].map(({ state }) => state);
}

describe.each([
  ['is not listed yet', (_: SessionWorld) => {}],
  [
    'is listed already',
    (world: SessionWorld) => {
      world.toldAt = undefined;
    },
  ],
])('while a submitted session job %s', (_, tell) => {
  const goOn = (world: SessionWorld): void => {
    tell(world);
    world.look();
    world.look();
    world.toldAt = undefined;
    world.run();
  };

  it('a deletion cancels it', () => {
    const world = submitted();
    world.delete();
    goOn(world);
    expect([world.gone, jobs(world)]).toEqual([true, ['CANCELED']]);
  });

  it('a redeploy nonce cancels it before the next is submitted', () => {
    const world = submitted();
    world.edit({ statelessRedeployNonce: 1 });
    goOn(world);
    expect(jobs(world)).toEqual(['CANCELED', 'RUNNING']);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', jobStatus: { state: 'RUNNING' } });
  });

  it('an edit upgrades it', () => {
    const world = submitted();
    world.edit({ parallelism: 3 });
    goOn(world);
    expect(jobs(world)).toEqual(['FINISHED', 'RUNNING']);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', observedGeneration: 2 });
  });

  it('a suspension stops it', () => {
    const world = submitted();
    world.edit({ state: 'suspended' });
    goOn(world);
    expect(jobs(world)).toEqual(['FINISHED']);
    expect(world.resource.status?.lifecycleState).toBe('SUSPENDED');
  });

  it('an operator that died knows that it may have been submitted', () => {
    const world = submitted();
    world.edit({ parallelism: 3 });
    world.die();
    goOn(world);
    expect(jobs(world)).toEqual(['FINISHED', 'RUNNING']);
  });
});

describe('a session job', () => {
  it('is not taken for lost by an answer that was on its way when it was submitted', () => {
    const world = submitted();
    world.edit({ parallelism: 3 });
    world.now += 1000;
    const late = world.now;
    const view = world.view.bind(world);
    world.view = () => ({ ...view(), rest: { ...view().rest, jobs: { at: late, value: [] } } });
    world.look();
    world.look();
    world.view = view;
    world.toldAt = undefined;
    world.run();
    expect(jobs(world)).toEqual(['FINISHED', 'RUNNING']);
  });

  it('that its session lost right after the submission is submitted again, under the same id', () => {
    const world = submitted();
    const { jobId } = world.resource.status?.transition ?? {};
    world.process?.jobs.clear();
    world.toldAt = undefined;
    world.now += 1000;
    world.run(30);
    expect(world.deeds).toEqual(['submit', 'submit']);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', jobStatus: { jobId } });
  });

  it('that waits for its session takes the newest spec up when the session is ready', () => {
    const world = new SessionWorld({
      deploymentName: 'session',
      job: { jarURI: 'https://example.com/job.jar', parallelism: 2, upgradeMode: 'savepoint' },
    });
    const { process } = world;
    world.process = undefined;
    world.run();
    world.edit({ parallelism: 3 });
    world.run();
    world.process = process;
    world.run();
    expect(world.deeds).toEqual(['submit']);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', observedGeneration: 2 });
  });
});

describe('a session job whose session resource is gone while its pods run on', () => {
  it('can be deleted', () => {
    const world = submitted();
    world.toldAt = undefined;
    world.run();
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
    world.session = undefined;
    const view = world.view.bind(world);
    // Nobody knows how such a cluster is to be asked.
    world.view = () => ({ ...view(), rest: { ...view().rest, asked: true, jobs: undefined } });
    world.delete();
    world.run();
    expect(world.gone).toBe(true);
  });
});
