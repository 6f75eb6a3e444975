import { describe, expect, it } from 'vitest';
import { run } from './model/run.fixture.ts';
import { deedsOf, running } from './model/running.fixture.ts';
import { application, ha, job } from './model/specs.fixture.ts';
import { World } from './model/world.fixture.ts';

describe('a deletion', () => {
  it('takes the cluster and its metadata away, then lets the resource go', () => {
    const world = running('savepoint', ha);
    world.delete();
    run(world);
    expect(world.gone).toBe(true);
    expect(world.objects.size).toBe(0);
    expect(world.storage.ha.size).toBe(0);
    expect(deedsOf(world, 'stop')).toEqual([]);
    expect(world.events).toContain('Cleanup: Cleaning up FlinkDeployment');
  });

  it('takes a savepoint first where that is asked for', () => {
    const world = running('savepoint', { 'kubernetes.operator.job.savepoint-on-deletion': 'true' });
    world.delete();
    run(world);
    expect(world.gone).toBe(true);
    expect(deedsOf(world, 'stop')).toHaveLength(1);
    expect([...world.objects.keys()]).toEqual([expect.stringMatching(/^FlinkStateSnapshot\//)]);
  });

  it('makes the way to the JobManager again that somebody took away, for the savepoint that it promises', () => {
    const world = running('savepoint', { 'kubernetes.operator.job.savepoint-on-deletion': 'true' });
    const service = [...world.objects.keys()].find((key) => /^Service\/.*-rest$/.test(key)) ?? '';
    expect(world.objects.delete(service)).toBe(true);
    world.delete();
    run(world);
    expect(world.gone).toBe(true);
    expect(world.events.filter((event) => event.startsWith('DependentRestored'))).toHaveLength(1);
    const [stop = ''] = deedsOf(world, 'stop');
    expect(world.deeds.indexOf(`create ${service}`)).toBeGreaterThanOrEqual(0);
    expect(world.deeds.indexOf(`create ${service}`)).toBeLessThan(world.deeds.indexOf(stop));
  });

  it('ends although the way to the JobManager is refused that somebody took away', () => {
    const world = running('savepoint', { 'kubernetes.operator.job.savepoint-on-deletion': 'true' });
    world.vanish('Service/app-rest');
    world.refusedKind = 'Service';
    world.restAnswers = false;
    run(world, 30);
    world.delete();
    run(world, 400);
    expect(world.gone).toBe(true);
    expect(world.events).toContainEqual(expect.stringMatching(/^CleanupFailed: No savepoint was taken: /));
  });

  it('waits for a job that is away for a moment, for the savepoint that it promises', () => {
    const world = running('savepoint', { 'kubernetes.operator.job.savepoint-on-deletion': 'true' });
    world.restAnswers = false;
    run(world, 30);
    expect(world.resource.status?.jobStatus?.state).toBe('RECONCILING');
    world.delete();
    run(world, 30);
    expect(world.gone).toBe(false);
    expect(deedsOf(world, 'delete')).toEqual([]);
    world.restAnswers = true;
    run(world);
    expect(world.gone).toBe(true);
    expect(deedsOf(world, 'stop')).toHaveLength(1);
  });

  it('goes without the promised savepoint, and says so, when the job does not come back', () => {
    const world = running('savepoint', { 'kubernetes.operator.job.savepoint-on-deletion': 'true' });
    world.restAnswers = false;
    run(world, 30);
    world.delete();
    run(world, 400);
    expect(world.gone).toBe(true);
    expect(deedsOf(world, 'stop')).toEqual([]);
    expect(world.events).toContainEqual(expect.stringMatching(/^CleanupFailed: No savepoint was taken: /));
  });

  it('ends although no savepoint can be taken, and although Flink does not answer', () => {
    const failing = running('savepoint', { 'kubernetes.operator.job.savepoint-on-deletion': 'true' });
    failing.stopFails = 'no space left';
    failing.delete();
    run(failing, 400);
    expect(failing.gone).toBe(true);
    const silent = running('savepoint');
    silent.restAnswers = false;
    silent.delete();
    run(silent, 100);
    expect(silent.gone).toBe(true);
  });

  it('of what was never deployed is immediate', () => {
    const world = new World(job({ state: 'suspended' })(application('savepoint')));
    run(world, 2);
    world.delete();
    run(world, 2);
    expect(world.gone).toBe(true);
  });
});
