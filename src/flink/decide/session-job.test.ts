import { describe, expect, it } from 'vitest';
import type { UpgradeMode } from '../resources/job-spec.ts';
import { SessionWorld } from './model/session-world.fixture.ts';

function sessionJob(upgradeMode: UpgradeMode = 'savepoint'): SessionWorld {
  const world = new SessionWorld({
    deploymentName: 'session',
    job: { jarURI: 'https://example.com/job.jar', parallelism: 2, upgradeMode },
  });
  world.storage.files.set('s3://sp/mine', 1000);
  return world;
}

function running(upgradeMode?: UpgradeMode): SessionWorld {
  const world = sessionJob(upgradeMode);
  world.run();
  expect(world.resource.status?.lifecycleState).toBe('STABLE');
  world.events.length = 0;
  world.deeds.length = 0;
  return world;
}

describe('a session job', () => {
  it('is submitted under its own id, runs and becomes stable', () => {
    const world = sessionJob();
    world.run();
    expect(world.deeds).toEqual(['submit']);
    expect(world.job?.state).toBe('RUNNING');
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', jobStatus: { state: 'RUNNING' } });
    expect(world.resource.status).not.toHaveProperty('jobManagerDeploymentStatus');
    expect(world.events).toEqual([
      'Submit: Starting deployment',
      'JobStatusChanged: Job status changed from RECONCILING to RUNNING',
    ]);
  });

  it('waits for its session, visibly', () => {
    const world = sessionJob();
    const { process } = world;
    world.process = undefined;
    world.run();
    expect(world.deeds).toEqual([]);
    expect(world.resource.status?.conditions?.find(({ type }) => type === 'Reconciling')?.message).toContain('session');
    world.process = process;
    world.run();
    expect(world.job?.state).toBe('RUNNING');
  });

  it('is upgraded with a savepoint, under a new id', () => {
    const world = running();
    const before = world.job?.id;
    world.edit({ parallelism: 3 });
    world.run();
    expect(world.deeds).toEqual(['stop', 'submit', 'create FlinkStateSnapshot']);
    expect(world.job?.id).not.toBe(before);
    expect(world.job?.startedFrom).toMatch(/^s3:\/\/sp\/savepoint-/);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
  });

  it('is cancelled for a last-state upgrade, and goes on from its last checkpoint', () => {
    const world = running('last-state');
    world.edit({ parallelism: 3 });
    world.run();
    expect(world.deeds).toEqual(['cancel', 'submit']);
    expect(world.job?.startedFrom).toMatch(/chk-/);
  });

  it('is redeployed empty by its nonce, only after the old job was seen cancelled', () => {
    const world = running();
    const old = world.job;
    world.edit({ statelessRedeployNonce: 1 });
    world.run();
    expect(old?.state).toBe('CANCELED');
    expect(world.deeds).toEqual(['cancel', 'submit']);
    expect(world.job?.startedFrom).toBe('nothing');
    expect(world.events).toContainEqual(expect.stringMatching(/^StateDropped: .*chk-/));
  });

  it('is redeployed from the savepoint of the user', () => {
    const world = running();
    world.edit({ savepointRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' });
    world.run();
    expect(world.job?.startedFrom).toBe('s3://sp/mine');
  });

  it('is suspended and resumed with its state', () => {
    const world = running();
    world.edit({ state: 'suspended' });
    world.run();
    expect(world.resource.status?.lifecycleState).toBe('SUSPENDED');
    world.edit({ state: 'running' });
    world.run();
    expect(world.job?.startedFrom).toMatch(/savepoint-/);
  });

  it('says why it could not be submitted, and takes a fix up', () => {
    const world = sessionJob();
    world.submitRefused = 'the jar cannot be downloaded: 404';
    world.run(5);
    expect(world.resource.status?.error).toContain('404');
    expect(world.resource.status?.conditions?.find(({ type }) => type === 'Stalled')?.reason).toBe('DeploymentRefused');
    world.submitRefused = undefined;
    world.edit({ jarURI: 'https://example.com/other.jar' });
    world.run();
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE' });
  });

  it('says what keeps it from being submitted, once, and goes on by itself when that is over', () => {
    const world = sessionJob();
    world.submitUnavailable = 'https://example.com cannot be reached';
    world.run();
    expect(world.resource.status?.error).toContain('not submitted yet: https://example.com cannot be reached');
    expect(world.resource.status?.conditions?.find(({ type }) => type === 'Reconciling')).toMatchObject({
      status: 'True',
      reason: 'DeploymentDelayed',
    });
    const warnings = world.events.filter((event) => event.startsWith('DeploymentDelayed'));
    expect(warnings).toEqual([expect.stringContaining('https://example.com cannot be reached')]);
    world.submitUnavailable = undefined;
    world.run();
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE' });
    expect(world.resource.status).not.toHaveProperty('error');
  });

  it('that its session forgot is submitted again if it is stateless, else left to a person', () => {
    const stateless = running('stateless');
    stateless.process?.jobs.clear();
    stateless.run();
    expect(stateless.deeds).toEqual(['submit']);
    const stateful = running('savepoint');
    stateful.process?.jobs.clear();
    stateful.run();
    expect(stateful.deeds).toEqual([]);
    expect(stateful.resource.status?.error).toBe('Job Not Found');
    expect(stateful.resource.status?.conditions?.find(({ type }) => type === 'Stalled')?.message).toContain(
      'savepointRedeployNonce',
    );
    stateful.edit({ statelessRedeployNonce: 1 });
    stateful.run();
    expect(stateful.job?.state).toBe('RUNNING');
  });

  it('is cancelled when it is deleted, and let go when its session is gone', () => {
    const world = running();
    const { job } = world;
    world.delete();
    world.run();
    expect([world.gone, job?.state]).toEqual([true, 'CANCELED']);
    const orphan = running();
    orphan.session = undefined;
    orphan.process = undefined;
    orphan.delete();
    orphan.run();
    expect(orphan.gone).toBe(true);
    expect(orphan.deeds).toEqual([]);
  });

  it.each([
    ['an upgrade', { parallelism: 3 }],
    ['a stateless redeploy', { statelessRedeployNonce: 1 }],
    ['a suspension', { state: 'suspended' as const }],
  ])('comes to the same end when the operator dies anywhere in %s', (_, change) => {
    const whole = running();
    whole.edit(change);
    const count = whole.run();
    const end = (world: SessionWorld) => [
      world.resource.status?.lifecycleState,
      world.resource.status?.transition,
      world.job?.state,
      world.job?.startedFrom.replace(/-.*/, ''),
      [...(world.process?.jobs.values() ?? [])].filter(({ state }) => state === 'RUNNING').length,
    ];
    for (let dieBefore = 0; dieBefore <= count; dieBefore++) {
      const world = running();
      world.edit(change);
      world.run(30, dieBefore);
      expect(end(world), `died before action ${dieBefore}`).toEqual(end(whole));
    }
  });
});
