import { describe, expect, it } from 'vitest';
import type { Operation } from '../rest.ts';
import { decideDeployment } from './deployment.ts';
import { run } from './model/run.fixture.ts';
import { deedsOf, running } from './model/running.fixture.ts';
import { application, ha, image, job } from './model/specs.fixture.ts';
import { World } from './model/world.fixture.ts';

/** One look, and what was decided on it is done. */
function look(world: World): void {
  world.act(decideDeployment(world.view()));
}

function deployedImage(world: World, name: string): boolean {
  return JSON.stringify(world.objects.get('Deployment/app')).includes(`"${name}"`);
}

describe('an edit that comes while a job is rescaled in place', () => {
  function rescaling(): World {
    const world = new World({ ...application('savepoint', { 'scheduler-mode': 'reactive' }), mode: 'standalone' });
    run(world);
    world.edit(job({ parallelism: 4 }));
    look(world);
    expect(world.resource.status?.transition?.phase).toBe('rescaling');
    world.deeds.length = 0;
    return world;
  }

  it('is realised, not just recorded', () => {
    const world = rescaling();
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(deployedImage(world, 'flink:1.20.1')).toBe(true);
    expect(deedsOf(world, 'stop')).toHaveLength(1);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', observedGeneration: 3 });
  });

  it('suspends the job, if it says so', () => {
    const world = rescaling();
    world.edit(job({ state: 'suspended' }));
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('SUSPENDED');
    expect(world.job).toBeUndefined();
  });

  it('scales on, if that is all it says', () => {
    const world = rescaling();
    world.edit(job({ parallelism: 6 }));
    run(world);
    expect(deedsOf(world, 'stop')).toEqual([]);
    expect(world.replicas).toBe(6);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', observedGeneration: 3 });
  });

  it('and is refused brings back what is deployed, and stops nothing', () => {
    const world = rescaling();
    world.edit(job({ parallelism: 0 }));
    run(world, 90);
    expect(deedsOf(world, 'stop')).toEqual([]);
    expect(world.replicas).toBe(2);
    world.edit(job({ parallelism: 4 }));
    run(world);
    expect(world.replicas).toBe(4);
    expect(deedsOf(world, 'stop')).toEqual([]);
  });
});

describe('an edit that is refused while a redeploy is under way', () => {
  it('does not make its nonce act again, neither then nor when it is put right', () => {
    const world = running('savepoint', ha);
    world.edit(job({ statelessRedeployNonce: 1 }));
    run(world);
    world.edit(job({ statelessRedeployNonce: 2 }));
    look(world);
    expect(world.resource.status?.transition?.phase).toBe('suspending');
    world.edit(job({ parallelism: 0 }));
    run(world);
    world.edit(job({ parallelism: 2 }));
    run(world);
    const redeploys = world.resource.status?.history?.filter(({ cause }) => cause === 'stateless-redeploy');
    expect(redeploys).toHaveLength(2);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', nonces: { statelessRedeploy: 2 } });
  });

  it('does not start a job that is suspended', () => {
    const world = running('savepoint', ha);
    world.edit(job({ state: 'suspended' }));
    run(world);
    world.storage.ha.set('old', { last: undefined });
    world.edit(job({ statelessRedeployNonce: 1 }));
    look(world);
    expect(world.resource.status?.transition?.phase).toBe('clearing');
    world.edit(job({ parallelism: 0 }));
    run(world);
    expect(deedsOf(world, 'create Deployment')).toEqual([]);
    expect(world.resource.status?.lifecycleState).toBe('SUSPENDED');
  });

  it('lets a job run on that was taken up anew', () => {
    const world = running('savepoint', ha);
    world.refusedKind = 'Deployment';
    world.edit(image('flink:1.20.1'));
    run(world, 10);
    expect(world.resource.status?.error).toContain('exceeded quota');
    world.refusedKind = undefined;
    world.edit(job({ parallelism: 0 }));
    run(world);
    expect(world.job?.state).toBe('RUNNING');
  });
});

describe('a fix', () => {
  it('overtakes a rollback that the API server refuses', () => {
    const world = running('last-state', {
      ...ha,
      'kubernetes.operator.deployment.rollback.enabled': 'true',
      'kubernetes.operator.deployment.readiness.timeout': '20 s',
    });
    world.brokenImage = 'flink:broken';
    world.edit(image('flink:broken'));
    run(world, 15);
    world.refusedKind = 'Deployment';
    run(world, 40);
    expect(world.resource.status?.transition).toMatchObject({ cause: 'rollback', phase: 'starting' });
    world.edit(image('flink:1.20.1'));
    world.refusedKind = undefined;
    run(world);
    expect(deployedImage(world, 'flink:1.20.1')).toBe(true);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', observedGeneration: 3 });
  });

  it('is admitted at once when the API server refuses what belongs to the cluster', () => {
    const world = running('savepoint');
    world.refusedKind = 'Service';
    world.edit(image('flink:1.20.1'));
    run(world, 10);
    expect(world.resource.status?.error).toContain('exceeded quota');
    world.edit(image('flink:1.20.2'));
    run(world, 3);
    expect(deployedImage(world, 'flink:1.20.2')).toBe(true);
    world.refusedKind = undefined;
    run(world, 60);
    expect(world.job?.startedFrom).toMatch(/savepoint-/);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', observedGeneration: 3 });
  });
});

describe('an edit that waits for a savepoint in the status of the job', () => {
  const triggerId = 'f'.repeat(32);

  it.each([
    ['it is taken', { is: 'done', location: 's3://sp/manual' }],
    ['it has failed', { is: 'failed', message: 'disk full' }],
  ] as const)('is taken up when %s', (_, value) => {
    const world = running('savepoint', { 'kubernetes.operator.snapshot.resource.enabled': 'false' });
    const savepointInfo = { triggerId, triggerTimestamp: world.now - 100_000, triggerType: 'MANUAL' } as const;
    world.rewrite((resource) => ({
      ...resource,
      status: { ...resource.status, jobStatus: { ...resource.status?.jobStatus, savepointInfo } },
    }));
    let told: Operation = { is: 'in progress' };
    const view = world.view.bind(world);
    world.view = () => {
      const seen = view();
      const operations = { ...seen.rest.operations, [triggerId]: { at: world.now, value: told } };
      return { ...seen, rest: { ...seen.rest, operations } };
    };
    world.edit(image('flink:1.20.1'));
    run(world, 5);
    expect(deployedImage(world, 'flink:1.20.1')).toBe(false);
    told = value;
    run(world);
    expect(deployedImage(world, 'flink:1.20.1')).toBe(true);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', observedGeneration: 2 });
  });
});
