import { describe, expect, it } from 'vitest';
import { run } from './model/run.fixture.ts';
import { deedsOf, running } from './model/running.fixture.ts';
import { application, ha, image, job } from './model/specs.fixture.ts';
import { World } from './model/world.fixture.ts';

describe('statelessRedeployNonce', () => {
  it('starts over, says what is left behind and where, and leaves the upgrade mode to the user', () => {
    const world = running('savepoint', ha);
    const before = world.job;
    world.edit(job({ statelessRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' }));
    run(world);
    expect(world.job?.startedFrom).toBe('nothing');
    expect(world.job?.id).not.toBe(before?.id);
    const { status } = world.resource;
    expect(status?.reconciliationStatus?.lastStableSpec).toBe(status?.reconciliationStatus?.lastReconciledSpec);
    expect(status?.jobStatus?.upgradeSavepointPath).toBeUndefined();
    expect(status?.droppedState).toMatchObject({
      kind: 'checkpoint',
      location: expect.stringContaining(`s3://cp/${before?.id}/chk-`),
    });
    expect(status?.conditions?.find(({ type }) => type === 'StateDropped')?.status).toBe('True');
    expect(world.events).toContainEqual(expect.stringMatching(/^StateDropped: The job starts without state; .*chk-/));
    expect(deedsOf(world, 'stop')).toEqual([]);
    expect(world.resource.spec.job?.upgradeMode).toBe('savepoint');
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(world.job?.startedFrom).toMatch(/savepoint-/);
    expect(world.resource.status?.conditions?.some(({ type }) => type === 'StateDropped')).toBe(false);
  });

  it('names the state that a job left when it ended, not one of before', () => {
    const world = running('savepoint', ha);
    const before = world.job;
    world.edit(job({ statelessRedeployNonce: 1 }));
    while (before?.state === 'RUNNING') run(world, 1);
    // Completed while it was being cancelled.
    const late = { id: 100, path: `s3://cp/${before?.id}/chk-100`, count: 1, at: world.now, savepoint: false };
    before?.checkpoints.push(late);
    run(world);
    expect(world.resource.status?.droppedState).toMatchObject({ kind: 'checkpoint', location: late.path });
  });

  it('names the savepoint that a job was suspended with', () => {
    const world = running('savepoint', ha);
    world.edit(job({ state: 'suspended' }));
    run(world);
    const savepoint = world.resource.status?.jobStatus?.upgradeSavepointPath;
    world.edit(job({ statelessRedeployNonce: 1 }));
    world.edit(job({ state: 'running' }));
    run(world);
    expect(savepoint).toMatch(/savepoint-/);
    expect(world.resource.status?.droppedState).toMatchObject({ kind: 'savepoint', location: savepoint });
  });

  it('says where to look when nobody knows where the state lies', () => {
    const world = running('savepoint');
    if (world.job) world.job.checkpoints = [];
    world.edit(job({ statelessRedeployNonce: 1 }));
    run(world);
    expect(world.events).toContainEqual(expect.stringMatching(/^StateDropped: .* look in s3:\/\/cp and s3:\/\/sp\.$/));
    expect(world.resource.status?.droppedState).toMatchObject({ kind: 'unknown' });
  });

  it('is stable at once, and ready when the new job runs', () => {
    const world = running('savepoint', ha);
    world.edit(job({ statelessRedeployNonce: 1 }));
    const seen = Array.from({ length: 30 }, () => {
      run(world, 1);
      const { lifecycleState, jobStatus, conditions } = world.resource.status ?? {};
      const ready = conditions?.find(({ type }) => type === 'Ready')?.status;
      return `${lifecycleState} ${jobStatus?.state} ${ready}`;
    });
    expect(seen).toContain('STABLE RECONCILING False');
    expect(seen.filter((text) => !text.includes('RUNNING') && text.endsWith('True'))).toEqual([]);
    expect(seen.at(-1)).toBe('STABLE RUNNING True');
  });

  it('acts on every change against the last value acted upon, and never on null', () => {
    const world = running('savepoint');
    const redeploys = (value: number | undefined): number => {
      world.deeds.length = 0;
      world.edit(job({ statelessRedeployNonce: value }));
      run(world);
      return deedsOf(world, 'create Deployment').length;
    };
    expect([1, 2, 1, undefined, 1, 1, undefined, 2].map(redeploys)).toEqual([1, 1, 1, 0, 0, 0, 0, 1]);
  });

  it('does not act when it is there from the start', () => {
    const world = new World(job({ statelessRedeployNonce: 7 })(application('savepoint')));
    run(world);
    expect(deedsOf(world, 'create Deployment')).toHaveLength(1);
    expect(world.resource.status?.nonces).toMatchObject({ statelessRedeploy: 7 });
  });

  it('does not wait for an upgrade that cannot take its savepoint', () => {
    const world = running('savepoint');
    world.stopFails = 'no space left';
    world.edit(image('flink:1.20.1'));
    run(world, 5);
    world.edit(job({ statelessRedeployNonce: 1 }));
    run(world);
    expect(world.job?.startedFrom).toBe('nothing');
    expect(JSON.stringify(world.objects.get('Deployment/app'))).toContain('flink:1.20.1');
    expect(world.resource.status?.history?.map(({ outcome }) => outcome)[1]).toMatch(/^superseded/);
  });

  it('is remembered while the job is suspended, and acts when it is resumed', () => {
    const world = running('savepoint', ha);
    world.edit(job({ state: 'suspended' }));
    run(world);
    world.edit(job({ statelessRedeployNonce: 1 }));
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('SUSPENDED');
    expect(world.events).toContainEqual(expect.stringMatching(/^StateDropped: .*savepoint-/));
    world.edit(job({ state: 'running' }));
    run(world);
    expect(world.job?.startedFrom).toBe('nothing');
  });
});

describe('savepointRedeployNonce', () => {
  it('is remembered while the job is suspended, also of a stateless job', () => {
    const world = running('stateless');
    world.edit(job({ state: 'suspended' }));
    run(world);
    world.edit(job({ savepointRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' }));
    run(world);
    world.edit(job({ state: 'running' }));
    run(world);
    expect(world.job?.startedFrom).toBe('s3://sp/mine');
  });
});

describe('a redeploy nonce gets through within two minutes', () => {
  const hindrances: Record<string, (world: World) => void> = {
    'when the old job is being cancelled for ever': (world) => {
      if (world.process) world.process.tick = () => {};
    },
    'when Flink does not answer': (world) => {
      world.restAnswers = false;
    },
    'when Flink stops answering in the middle': (world) => {
      run(world, 2);
      world.restAnswers = false;
    },
    'when a stop with savepoint never ends': (world) => {
      const { process } = world;
      if (process) process.stop = (_id, trigger) => void process.operations.set(trigger, { is: 'in progress' });
      world.edit(image('flink:1.20.1'));
      run(world, 5);
      expect(world.resource.status?.transition?.phase).toBe('suspending');
    },
    'when the state of the job is lost': (world) => {
      world.storage.ha.clear();
      world.vanish('Deployment/app');
      run(world, 10);
      expect(world.resource.status?.conditions?.find(({ type }) => type === 'Stalled')?.status).toBe('True');
    },
    'when its image does not start': (world) => {
      world.brokenImage = 'flink:broken';
      world.edit(image('flink:broken'));
      run(world, 20);
      world.edit(image('flink:1.20.1'));
    },
  };

  it.each(Object.entries(hindrances))('%s', (_, hinder) => {
    for (const [change, from] of [
      [{ statelessRedeployNonce: 1 }, 'nothing'],
      [{ savepointRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' }, 's3://sp/mine'],
    ] as const) {
      const world = running('savepoint', ha);
      const { process } = world;
      hinder(world);
      world.edit(job(change));
      for (let second = 0; second < 120 && world.process === process; second++) run(world, 1);
      world.restAnswers = true;
      run(world, 20);
      expect(world.job?.startedFrom).toBe(from);
      expect(world.resource.status?.lifecycleState).toBe('STABLE');
    }
  });
});
