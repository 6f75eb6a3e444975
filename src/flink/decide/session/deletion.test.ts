import { describe, expect, it } from 'vitest';
import { job, native, ready, running, SessionWorld, sessionSpec, standalone } from './session-world.fixture.ts';

describe('a session cluster that is deleted', () => {
  it('goes with its HA metadata, then the resource', () => {
    const world = running(standalone);
    world.haConfigMaps = ['pool-cluster-config-map'];
    world.delete();
    const [first] = world.look().actions;
    expect(first).toMatchObject({
      do: 'status',
      status: { lifecycleState: 'DELETING', transition: { cause: 'deletion' } },
    });
    expect(world.released).toBe(false);
    world.settle();
    expect(world.objects).toEqual([]);
    expect(world.haConfigMaps).toEqual([]);
    expect(world.released).toBe(true);
    expect(world.events).toEqual(['Cleanup: Cleaning up FlinkDeployment']);
  });

  it('waits for its session jobs, and says so once', () => {
    const world = running();
    world.sessionJobs = [
      { name: 'b', deleting: true },
      { name: 'a', deleting: false },
    ];
    world.delete();
    world.settle();
    expect(world.objects).toEqual(native);
    expect(world.events).toEqual(['CleanupFailed: The session jobs [a, b] should be deleted first']);
    expect(ready(world)).toMatchObject({ reason: 'CleanupFailed' });
    world.sessionJobs = [];
    world.settle();
    expect(world.released).toBe(true);
  });

  it('does not wait for session jobs when told so, nor takes their jobs for unmanaged ones', () => {
    const world = running({
      ...sessionSpec,
      flinkConfiguration: { 'kubernetes.operator.session.deletion.block-on-session-jobs': 'false' },
    });
    world.sessionJobs = [{ name: 'a', deleting: false, jobId: 'j1' }];
    world.jobs = [job('j1')];
    world.delete();
    world.settle();
    expect(world.released).toBe(true);
  });

  it('waits for jobs that nobody manages', () => {
    const world = running();
    world.jobs = [job('j1'), job('j2', 'FINISHED')];
    world.delete();
    world.settle();
    expect(world.objects).toEqual(native);
    expect(world.events).toEqual([expect.stringMatching(/CleanupFailed: .*\[j1\]/)]);
    world.jobs = [job('j1', 'CANCELED')];
    world.settle();
    expect(world.released).toBe(true);
  });

  it('does not go before it knows which jobs run', () => {
    const world = running();
    world.jobs = undefined;
    world.delete();
    world.settle();
    expect(world.objects).toEqual(native);
    world.jobs = [];
    world.jobsToldAt = world.now - 60_000;
    expect(world.settle().wakeAt).toBeGreaterThan(world.now);
    expect(world.objects).toEqual(native);
    world.jobsToldAt = undefined;
    world.settle();
    expect(world.released).toBe(true);
  });

  it('does not wait for such jobs when told so', () => {
    const world = running({
      ...sessionSpec,
      flinkConfiguration: { 'kubernetes.operator.session.deletion.block-on-unmanaged-jobs': 'false' },
    });
    world.jobs = [job('j1')];
    world.delete();
    world.settle();
    expect(world.released).toBe(true);
  });

  it.each([
    [
      'is gone',
      (world: SessionWorld) => {
        world.lose();
        world.pods = 0;
      },
    ],
    ['was never made', () => undefined],
  ])('keeps nobody waiting when its cluster %s', (what, happens) => {
    const world = what === 'is gone' ? running() : new SessionWorld({ image: 'x' });
    if (what !== 'is gone') world.settle();
    happens(world);
    world.sessionJobs = [{ name: 'a', deleting: false }];
    world.delete();
    world.settle();
    expect(world.released).toBe(true);
  });

  it('does not wait for jobs that wait for it', () => {
    const world = running();
    world.ready = false;
    world.sessionJobs = [
      { name: 'a', deleting: true },
      { name: 'b', deleting: false },
    ];
    world.delete();
    world.settle();
    expect(world.released).toBe(false);
    world.sessionJobs = [{ name: 'a', deleting: true }];
    world.settle();
    expect(world.released).toBe(true);
  });

  it('goes after a while although a pod hangs, and says what is left', () => {
    const world = running();
    world.haConfigMaps = ['pool-cluster-config-map'];
    world.hangs = true;
    world.delete();
    world.settle();
    expect(world.released).toBe(false);
    world.now += 300_000;
    world.settle();
    expect(world.released).toBe(true);
    expect(world.events.at(-1)).toMatch(/CleanupFailed: .*Pod pool-0, ConfigMap pool-cluster-config-map/);
  });

  it('goes although its JobManager cannot start', () => {
    const world = running();
    world.ready = false;
    world.delete();
    world.settle();
    expect(world.released).toBe(true);
  });
});
