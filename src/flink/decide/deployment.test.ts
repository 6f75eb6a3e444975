import { describe, expect, it } from 'vitest';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { decideDeployment } from './deployment.ts';
import { World } from './model/world.fixture.ts';

const spec: FlinkDeploymentSpec = {
  image: 'flink:1.20',
  flinkVersion: 'v1_20',
  serviceAccount: 'flink',
  flinkConfiguration: { 'state.checkpoints.dir': 's3://cp', 'state.savepoints.dir': 's3://sp' },
  jobManager: { resource: { cpu: 0.5, memory: '1g' } },
  taskManager: { resource: { cpu: 1, memory: '2g' } },
  job: { jarURI: 'local:///opt/flink/usrlib/a.jar', parallelism: 2, upgradeMode: 'savepoint' },
};

function settle(world: World, ticks = 12): void {
  for (let tick = 0; tick < ticks; tick++) {
    for (let look = 0; look < 6; look++) {
      const decision = decideDeployment(world.view());
      if (decision.actions.length === 0) break;
      world.act(decision);
    }
    world.tick();
  }
}

describe('an application cluster', () => {
  it('is deployed, runs and becomes stable', () => {
    const world = new World(spec);
    settle(world);
    expect(world.resource.status?.error).toBeUndefined();
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
    expect(world.job?.state).toBe('RUNNING');
    expect(world.events).toEqual([
      'Submit: Starting deployment',
      'JobStatusChanged: Job status changed from RECONCILING to RUNNING',
    ]);
    expect(decideDeployment(world.view()).actions).toEqual([]);
  });

  it('is upgraded with a savepoint, and goes on counting', () => {
    const world = new World(spec);
    settle(world);
    const before = world.job;
    world.edit((old) => ({ ...old, image: 'flink:1.20.1' }));
    settle(world);
    expect(world.job?.state).toBe('RUNNING');
    expect(world.job?.id).not.toBe(before?.id);
    expect(world.job?.startedFrom).toMatch(/^s3:\/\/sp\/savepoint-/);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
    expect(world.events.slice(2)).toEqual([
      'SpecChanged: UPGRADE change(s) detected (Diff: FlinkDeploymentSpec[image : flink:1.20 -> flink:1.20.1, job.upgradeMode : stateless -> savepoint]), starting reconciliation.',
      'Suspended: Suspending existing deployment.',
      'Submit: Starting deployment',
      'JobStatusChanged: Job status changed from RECONCILING to RUNNING',
    ]);
  });
});
