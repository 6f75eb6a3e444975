import { describe, expect, it } from 'vitest';
import { decideDeployment } from './deployment.ts';
import { run } from './model/run.fixture.ts';
import { deedsOf, running } from './model/running.fixture.ts';
import { application, ha, image, job } from './model/specs.fixture.ts';
import { World } from './model/world.fixture.ts';

describe('a takeover', () => {
  /** What the Java operator would have left: no field and no mark of ours. */
  function foreign(world: World): void {
    for (const [key, object] of world.objects) {
      const { 'cutover.dev/id': _, ...annotations } = object.metadata.annotations ?? {};
      world.objects.set(key, { ...object, metadata: { ...object.metadata, annotations } });
    }
    world.rewrite((resource) => {
      const { attempt: _a, nonces: _n, history: _h, ...status } = resource.status ?? {};
      return {
        ...resource,
        status: { ...status, conditions: status.conditions?.filter(({ type }) => type === 'Running') ?? [] },
      };
    });
    world.events.length = 0;
  }

  it('restarts nothing', () => {
    const world = running('savepoint', ha);
    foreign(world);
    run(world);
    expect(world.deeds).toEqual([]);
    expect(world.events).toEqual(['TakenOver: What another operator deployed is taken over as it is.']);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
  });

  const rollback = {
    ...ha,
    'kubernetes.operator.deployment.rollback.enabled': 'true',
    'kubernetes.operator.deployment.readiness.timeout': '20 s',
  };
  const lives: Record<string, () => World> = {
    SUSPENDED: () => {
      const world = running('savepoint', ha);
      world.edit(job({ state: 'suspended' }));
      run(world);
      return world;
    },
    DEPLOYED: () => {
      const world = running('savepoint', ha);
      world.brokenImage = 'flink:slow';
      world.edit(image('flink:slow'));
      run(world, 20);
      return world;
    },
    ROLLED_BACK: () => {
      const world = running('last-state', rollback);
      world.brokenImage = 'flink:broken';
      world.edit(image('flink:broken'));
      run(world, 60);
      return world;
    },
    FAILED: () => {
      const world = running('savepoint', ha);
      if (world.job) world.job.state = 'FAILED';
      run(world);
      return world;
    },
    STABLE: () => {
      const world = running('stateless');
      if (world.job) world.job.state = 'FINISHED';
      run(world);
      return world;
    },
  };

  it.each(Object.entries(lives))('restarts nothing that is %s', (life, make) => {
    const world = make();
    expect(world.resource.status?.lifecycleState).toBe(life);
    for (const generation of ['known', 'unknown']) {
      foreign(world);
      if (generation === 'unknown') {
        world.rewrite((resource) => {
          const { observedGeneration: _, ...status } = resource.status ?? {};
          return { ...resource, status };
        });
      }
      world.deeds.length = 0;
      run(world, 60);
      expect(world.deeds, generation).toEqual([]);
      expect(world.resource.status?.lifecycleState).toBe(life);
    }
  });

  it('takes nonces of the deployed spec for acted upon', () => {
    const world = new World(
      job({ savepointRedeployNonce: 3, initialSavepointPath: 's3://sp/mine' })(application('savepoint')),
    );
    world.storage.files.set('s3://sp/mine', 1000);
    run(world);
    foreign(world);
    world.deeds.length = 0;
    run(world);
    expect(world.deeds).toEqual([]);
    world.edit(job({ savepointRedeployNonce: 4 }));
    run(world);
    expect(deedsOf(world, 'create Deployment')).toHaveLength(1);
  });

  it('starts a job again that somebody cancelled, as the Java operator was about to', () => {
    const world = running('savepoint', ha);
    foreign(world);
    world.vanish('Deployment/app');
    world.storage.ha.clear();
    world.rewrite((resource) => {
      const { status } = resource;
      const text = status?.reconciliationStatus?.lastReconciledSpec?.replace('"running"', '"suspended"') ?? '';
      const jobStatus = { ...status?.jobStatus, state: 'CANCELED', upgradeSavepointPath: 's3://sp/mine' } as const;
      const reconciliationStatus = { ...status?.reconciliationStatus, lastReconciledSpec: text, lastStableSpec: text };
      return { ...resource, status: { ...status, jobStatus, reconciliationStatus } };
    });
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
    expect(world.job?.state).toBe('RUNNING');
  });

  it('finishes an upgrade that was begun, from what was recorded', () => {
    const world = running('savepoint');
    world.edit(image('flink:1.20.1'));
    world.act(decideDeployment(world.view()));
    run(world, 1);
    const path = world.resource.status?.jobStatus?.upgradeSavepointPath;
    expect(path).toMatch(/savepoint-/);
    world.rewrite((resource) => {
      const { transition: _, ...status } = resource.status ?? {};
      const text = status.reconciliationStatus?.lastReconciledSpec ?? '';
      const suspended = text
        .replace('"state":"running"', '"state":"suspended"')
        .replace('"upgradeMode":"stateless"', '"upgradeMode":"savepoint"')
        .replace('"firstDeployment":true', '"firstDeployment":false');
      return {
        ...resource,
        status: { ...status, reconciliationStatus: { ...status.reconciliationStatus, lastReconciledSpec: suspended } },
      };
    });
    foreign(world);
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
    expect(world.job?.startedFrom).toBe(path);
    expect(deedsOf(world, 'stop')).toHaveLength(1);
  });

  it('keeps what an autoscaler had set, with a warning', () => {
    const overrides = { 'pipeline.jobvertex-parallelism-overrides': 'bc764cd8ddf7a0cff126f51c16239658:3' };
    const world = running('savepoint', { 'job.autoscaler.enabled': 'true', ...overrides });
    world.rewrite((resource) => {
      const { 'pipeline.jobvertex-parallelism-overrides': _, ...flinkConfiguration } = resource.spec
        .flinkConfiguration as Record<string, string>;
      const metadata = { ...resource.metadata, generation: 2 };
      return { ...resource, metadata, spec: { ...resource.spec, flinkConfiguration } };
    });
    foreign(world);
    run(world);
    expect(world.deeds).toEqual([]);
    expect(world.events).toContainEqual(expect.stringMatching(/^TakenOver: The autoscaler .*:3/));
  });
});
