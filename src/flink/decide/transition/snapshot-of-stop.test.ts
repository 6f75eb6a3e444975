import { describe, expect, it } from 'vitest';
import type { CreateAction, Decision } from '../../../control/decision.ts';
import { actionDigest, type Outcome, type Outcomes, outcomeId } from '../../../control/outcome.ts';
import { decideDeployment } from '../deployment.ts';
import { run } from '../model/run.fixture.ts';
import { deedsOf, running } from '../model/running.fixture.ts';
import { SessionWorld } from '../model/session-world.fixture.ts';
import { type Edit, image, job } from '../model/specs.fixture.ts';
import type { World } from '../model/world.fixture.ts';

const onDeletion = { 'kubernetes.operator.job.savepoint-on-deletion': 'true' };

const savepointOf = ({ storage }: Pick<World, 'storage'>): string | undefined =>
  [...storage.files.keys()].find((path) => path.includes('/savepoint-'));
const told = ({ events }: Pick<World, 'events'>): readonly string[] =>
  events.filter((event) => event.startsWith('SavepointError'));
const records = (world: World): readonly string[] =>
  [...world.objects.keys()].filter((key) => key.startsWith('FlinkStateSnapshot/'));

describe('the record of the savepoint of a stop', () => {
  it('is made after everything else that its decision does', () => {
    const world = running('savepoint');
    world.edit(image('flink:1.20.1'));
    run(world);
    const made = world.deeds.findIndex((deed) => deed.startsWith('create FlinkStateSnapshot/'));
    expect(world.deeds[made - 1]).toMatch(/^delete /);
  });

  it('is kept in status and said when it is refused, and the upgrade goes on', () => {
    const world = running('savepoint');
    world.refusedKind = 'FlinkStateSnapshot';
    world.edit(image('flink:1.20.1'));
    run(world);
    const path = savepointOf(world);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
    expect(world.job?.startedFrom).toBe(path);
    expect(world.resource.status?.jobStatus?.savepointInfo?.lastSavepoint).toMatchObject({
      location: path,
      triggerType: 'UPGRADE',
    });
    expect(told(world)).toEqual([expect.stringMatching(`${path}.*exceeded quota.*status.jobStatus.savepointInfo`)]);
  });

  it('is made after a refusal that was passing', () => {
    const world = running('savepoint');
    world.refusedKind = 'FlinkStateSnapshot';
    world.edit(image('flink:1.20.1'));
    run(world, 4);
    expect(world.resource.status?.transition?.phase).not.toBe('suspending');
    world.refusedKind = undefined;
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
    expect(records(world)).toHaveLength(1);
    expect(told(world)).toEqual([]);
  });

  it('is not in the way of a suspension, nor of the resumption', () => {
    const world = running('savepoint');
    world.refusedKind = 'FlinkStateSnapshot';
    world.edit(job({ state: 'suspended' }));
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('SUSPENDED');
    expect(world.resource.status?.jobStatus?.savepointInfo?.lastSavepoint?.location).toBe(savepointOf(world));
    world.edit(job({ state: 'running' }));
    run(world);
    expect(world.job?.startedFrom).toBe(savepointOf(world));
  });

  it.each(['parallelism', 'state'] as const)('is not in the way of a session job whose %s changes', (what) => {
    const world = sessionJob();
    world.snapshotsRefused = true;
    world.edit(what === 'state' ? { state: 'suspended' } : { parallelism: 3 });
    world.run();
    expect(world.resource.status?.lifecycleState).toBe(what === 'state' ? 'SUSPENDED' : 'STABLE');
    expect(world.resource.status?.jobStatus?.savepointInfo?.lastSavepoint?.location).toBe(savepointOf(world));
    expect(told(world)).toHaveLength(1);
  });

  it('is there before the change ends, also where nothing else is to be done', () => {
    for (let dieBefore = 0; dieBefore < 8; dieBefore++) {
      const world = sessionJob();
      world.edit({ state: 'suspended' });
      world.run(20, dieBefore);
      expect(world.resource.status?.lifecycleState).toBe('SUSPENDED');
      expect(new Set(world.snapshots.map(({ spec }) => spec.savepoint?.path)), `died before ${dieBefore}`).toEqual(
        new Set([savepointOf(world)]),
      );
    }
  });

  it('is refused at the end of a deletion, which ends, and an event tells where the savepoint is', () => {
    const whole = running('savepoint', onDeletion);
    whole.delete();
    const count = run(whole);
    for (let dieBefore = 0; dieBefore <= count + 2; dieBefore++) {
      const world = running('savepoint', onDeletion);
      world.refusedKind = 'FlinkStateSnapshot';
      world.delete();
      run(world, 60, { dieBefore });
      expect(world.gone, `died before ${dieBefore}`).toBe(true);
      expect(told(world)[0], `died before ${dieBefore}`).toContain(savepointOf(world));
    }
  });

  it('is never lost, wherever the operator dies while it is refused', () => {
    for (let dieBefore = 0; dieBefore <= 24; dieBefore++) {
      const world = running('savepoint');
      world.refusedKind = 'FlinkStateSnapshot';
      world.edit(image('flink:1.20.1'));
      run(world, 60, { dieBefore });
      const { status } = world.resource;
      expect(status?.lifecycleState, `died before ${dieBefore}`).toBe('STABLE');
      expect(status?.jobStatus?.savepointInfo?.savepointHistory, `died before ${dieBefore}`).toEqual([
        expect.objectContaining({ location: savepointOf(world) }),
      ]);
    }
  });

  it('is made all the same after the API server could not for a while', () => {
    const world = running('savepoint');
    world.failingKind = 'FlinkStateSnapshot';
    world.edit(image('flink:1.20.1'));
    run(world, 30);
    // Nothing waited for it: the new cluster is there, and its job runs.
    expect(world.job).toMatchObject({ state: 'RUNNING', startedFrom: savepointOf(world) });
    expect(world.resource.status?.transition?.phase).toBe('starting');
    world.failingKind = undefined;
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
    expect(records(world)).toHaveLength(1);
    expect(told(world)).toEqual([]);
  });

  it('is tried once more, and kept in status, when the API server could not for long', () => {
    const world = running('savepoint');
    world.failingKind = 'FlinkStateSnapshot';
    world.edit(image('flink:1.20.1'));
    run(world, 120);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
    expect(world.resource.status?.jobStatus?.savepointInfo?.lastSavepoint?.location).toBe(savepointOf(world));
    expect(told(world)).toEqual([expect.stringContaining('failed calling webhook')]);
  });

  it('holds no deletion up for long that the API server cannot record', () => {
    const world = running('savepoint', onDeletion);
    world.failingKind = 'FlinkStateSnapshot';
    world.delete();
    run(world, 40);
    expect(world.gone).toBe(false);
    run(world, 60);
    expect(world.gone).toBe(true);
    expect(told(world)[0]).toContain(savepointOf(world));
  });

  it('is made by a change that overtakes the one whose savepoint it is', () => {
    const world = running('savepoint');
    world.failingKind = 'FlinkStateSnapshot';
    world.edit(image('flink:1.20.1'));
    run(world, 30);
    expect(records(world)).toEqual([]);
    world.failingKind = undefined;
    world.edit(job({ statelessRedeployNonce: 1 }));
    run(world);
    expect(world.job?.startedFrom).toBe('nothing');
    expect(deedsOf(world, 'create FlinkStateSnapshot/')).toHaveLength(1);
  });

  it('is kept in status by a change that overtakes and cannot make it either, wherever the operator dies', () => {
    for (let dieBefore = 1; dieBefore <= 24; dieBefore++) {
      const world = unrecorded(image('flink:1.20.1'));
      world.edit(job({ statelessRedeployNonce: 1 }));
      run(world, 60, { dieBefore });
      const { status } = world.resource;
      expect(world.job?.startedFrom, `died before ${dieBefore}`).toBe('nothing');
      expect(status?.jobStatus?.savepointInfo?.savepointHistory, `died before ${dieBefore}`).toEqual([
        expect.objectContaining({ location: savepointOf(world), triggerType: 'UPGRADE' }),
      ]);
      // It is state that was left behind: no later upgrade may find it.
      expect(status?.jobStatus?.savepointInfo?.lastSavepoint, `died before ${dieBefore}`).toBeUndefined();
    }
  });

  it('is told by a change that overtakes and does not know whether it can be made', () => {
    const world = unrecorded(image('flink:1.20.1'));
    world.edit(job({ statelessRedeployNonce: 1 }));
    run(world);
    expect(told(world)).toEqual([
      expect.stringMatching(`${savepointOf(world)}.*failed calling webhook.*savepointInfo`),
    ]);
  });

  it.each([
    { asked: { statelessRedeployNonce: 1 }, from: 'nothing' },
    { asked: { savepointRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' }, from: 's3://sp/mine' },
  ])('holds back no nonce that is set while a suspension waits for it: $asked', ({ asked, from }) => {
    const world = unrecorded(job({ state: 'suspended' }));
    expect(world.resource.status?.transition).toMatchObject({ cause: 'spec-change', phase: 'starting' });
    world.edit(job(asked));
    run(world);
    expect(world.events).toContainEqual(expect.stringMatching(/^SpecChanged: .*RedeployNonce/));
    expect(world.resource.status?.history?.[0]).toMatchObject({ outcome: 'suspended' });
    expect(world.resource.status?.lifecycleState).toBe('SUSPENDED');
    world.edit(job({ state: 'running' }));
    run(world);
    expect(world.job?.startedFrom).toBe(from);
  });

  it.each(['as it fails', 'as it has failed for long', 'as it is refused'])(
    'is told before a deletion that overtakes lets the resource go, %s and wherever the operator dies',
    (how) => {
      for (let dieBefore = 1; dieBefore <= 16; dieBefore++) {
        const world = unrecorded(image('flink:1.20.1'));
        if (how === 'as it has failed for long') world.outcomes = agedBy(world.outcomes, 120_000);
        if (how === 'as it is refused') refuse(world);
        world.delete();
        run(world, 120, { dieBefore });
        expect(world.gone, `died before ${dieBefore}`).toBe(true);
        expect(records(world), `died before ${dieBefore}`).toEqual([]);
        expect(told(world).at(-1), `died before ${dieBefore}`).toContain(savepointOf(world));
      }
    },
  );

  it('is not told of by a deletion that made it after all', () => {
    const world = unrecorded(image('flink:1.20.1'));
    world.failingKind = undefined;
    world.delete();
    run(world, 120);
    expect(world.gone).toBe(true);
    expect(records(world)).toHaveLength(1);
    expect(told(world)).toEqual([]);
  });

  it('is not told of by a deletion where savepoints are meant to be in the status', () => {
    const world = running('savepoint', { 'kubernetes.operator.snapshot.resource.enabled': 'false' });
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(world.resource.status?.jobStatus?.savepointInfo?.lastSavepoint?.location).toBe(savepointOf(world));
    world.delete();
    run(world);
    expect(world.gone).toBe(true);
    expect(told(world)).toEqual([]);
  });

  it('is asked for once by a decision that takes up a newer spec', () => {
    const world = takenUp();
    world.edit(image('flink:1.20.2'));
    expect(snapshotsMade(decideDeployment(world.view()))).toHaveLength(1);
  });

  it('is kept in status and told once by a decision that takes up a newer spec', () => {
    const world = takenUp();
    refuse(world);
    world.edit(image('flink:1.20.2'));
    run(world, 1);
    expect(world.resource.status?.jobStatus?.savepointInfo?.savepointHistory).toHaveLength(1);
    expect(told(world)).toHaveLength(1);
  });
});

/** A job that was stopped with a savepoint for a change, which waits for nothing but the record that cannot be made. */
function unrecorded(change: Edit): World {
  const world = running('savepoint');
  world.failingKind = 'FlinkStateSnapshot';
  world.edit(change);
  run(world, 8);
  expect(world.resource.status?.transition?.restore).toEqual({ mode: 'savepoint', path: savepointOf(world) });
  expect(records(world)).toEqual([]);
  return world;
}

/** The operator died when it had written down which spec it takes up, and neither that nor the record was made. */
function takenUp(): World {
  const world = running('savepoint');
  world.failingKind = 'FlinkStateSnapshot';
  world.edit(image('flink:1.20.1'));
  for (let look = 0; look < 30; look++) {
    const stopped = world.resource.status?.transition?.phase === 'clearing';
    run(world, 1, stopped ? { stopBefore: 1 } : {});
    if (world.resource.status?.transition?.jobId !== undefined) return world;
    world.tick();
  }
  throw new Error('no spec was taken up');
}

const snapshotsMade = ({ actions }: Decision): readonly CreateAction[] =>
  actions.filter((action) => action.do === 'create').filter(({ object }) => object.kind === 'FlinkStateSnapshot');

/** The API server has said no to the record, and says so again. */
function refuse(world: World): void {
  const [create] = snapshotsMade(decideDeployment(world.view()));
  if (!create) throw new Error('no record is due');
  world.failingKind = undefined;
  world.refusedKind = 'FlinkStateSnapshot';
  const outcome = { at: world.now, since: world.now - 10_000, message: 'exceeded quota', of: actionDigest(create) };
  world.outcomes = { ...world.outcomes, [outcomeId(create)]: { result: 'refused', ...outcome } };
}

function agedBy(outcomes: Outcomes, ms: number): Record<string, Outcome> {
  const aged = Object.entries(outcomes).map(
    ([id, outcome]) => [id, { ...outcome, since: outcome.since - ms }] as const,
  );
  return Object.fromEntries(aged);
}

function sessionJob(): SessionWorld {
  const world = new SessionWorld({
    deploymentName: 'session',
    job: { jarURI: 'https://example.com/job.jar', parallelism: 2, upgradeMode: 'savepoint' },
  });
  world.run();
  expect(world.resource.status?.lifecycleState).toBe('STABLE');
  return world;
}
