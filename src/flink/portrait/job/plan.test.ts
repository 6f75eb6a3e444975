import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../../kube/object.ts';
import { risks } from '../../../portrait/plan.ts';
import { run } from '../../decide/model/run.fixture.ts';
import { deedsOf, running } from '../../decide/model/running.fixture.ts';
import { SessionWorld, sessionCluster } from '../../decide/model/session-world.fixture.ts';
import { application, type Edit, ha, image, job } from '../../decide/model/specs.fixture.ts';
import { views } from '../../decide/model/views.fixture.ts';
import { World } from '../../decide/model/world.fixture.ts';
import type { FlinkDeployment } from '../../resources/flink-deployment.ts';
import { aroundOf, unreadable } from '../around.fixture.ts';
import { operator } from '../blue-green/world.fixture.ts';
import { planJob } from './plan.ts';

const pods = ['app-jm', 'app-tm'].map(
  (name): AnyObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'app', type: 'flink-native-kubernetes', component: 'jobmanager' } },
  }),
);

function planned(resource: FlinkDeployment, edit: Edit, now: number) {
  const after = { ...resource, spec: edit(resource.spec) };
  const plan = planJob({ before: { ...resource }, after }, aroundOf(now, { pods }), operator);
  return { ...plan, told: plan.steps.map(({ symbol, what }) => `${symbol} ${what}`) };
}

const cluster = '2.5 CPU and 5 GiB of memory (1 JobManager, 2 TaskManagers)';

describe('the plan of an edit of a job', () => {
  it('with upgradeMode savepoint is what then happens', () => {
    const world = running('savepoint');
    const plan = planned(world.resource, image('flink:1.20.1'), world.now);
    expect(plan.told).toEqual([
      '· Stop the job with a savepoint',
      '- Remove the old cluster',
      '+ Create the cluster, which starts from that savepoint',
    ]);
    expect(plan).toMatchObject({
      risk: 'disruption',
      line: 'stops the job with a savepoint and starts it again from there; it does not serve meanwhile',
      state: { outcome: 'kept' },
      availability: { serves: 'interrupted' },
      restarts: [{ kind: 'FlinkDeployment', name: 'app', pods: ['app-jm', 'app-tm'] }],
    });
    expect(plan.restarts[0]?.because).toBe('spec.image changed.');
    expect(plan.steps[2]?.detail).toBe(cluster);
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(deedsOf(world, 'stop')).toHaveLength(1);
    expect(world.job?.startedFrom).toMatch(/^s3:\/\/sp\/savepoint-/);
    expect(planned(world.resource, image('flink:1.20.2'), world.now).estimate?.basis).toContain('the last change took');
  });

  it('that ends a pause is what waited for it', () => {
    const world = running('savepoint');
    const paused = { 'cutover.dev/paused': 'true' };
    const after = { ...world.resource, spec: image('flink:1.20.1')(world.resource.spec) };
    const before = { ...after, metadata: { ...after.metadata, annotations: paused } };
    const around = aroundOf(world.now, { pods });
    expect(planJob({ before: { ...before }, after: { ...after } }, around, operator)).toMatchObject({
      risk: 'disruption',
      changes: [{ path: 'metadata.annotations[cutover.dev/paused]', from: 'true' }],
    });
    const [quiet, was] = [world.resource, { ...world.resource, metadata: before.metadata }];
    expect(planJob({ before: { ...was }, after: { ...quiet } }, around, operator).risk).toBe('quiet');
    const brought = planJob({ before: { ...quiet }, after: { ...before } }, around, operator);
    expect(brought.waitsFor).toContain('cutover.dev/paused is removed');
  });

  it.each([
    [
      'last-state, with high availability',
      'last-state',
      ha,
      '- Remove the old cluster and keep its recovery metadata',
      /chk-/,
    ],
    ['last-state, without', 'last-state', {}, '· Cancel the job and keep its last checkpoint', /chk-/],
    ['stateless', 'stateless', {}, '· Cancel the job', undefined],
  ] as const)('with upgradeMode %s is what then happens', (_, mode, configuration, first, from) => {
    const world = running(mode, configuration);
    const plan = planned(world.resource, image('flink:1.20.1'), world.now);
    expect(plan.told[0]).toBe(first);
    expect(plan.risk).toBe('disruption');
    expect(plan.state.outcome).toBe(from ? 'kept' : 'none');
    world.edit(image('flink:1.20.1'));
    run(world);
    if (from) expect(world.job?.startedFrom).toMatch(from);
    else expect(world.job?.startedFrom).toBe('nothing');
  });

  it('by statelessRedeployNonce drops the state, and says so', () => {
    const world = running('savepoint');
    const edit = job({ statelessRedeployNonce: 1 });
    const plan = planned(world.resource, edit, world.now);
    expect(plan.told[0]).toBe('! Cancel the job and leave its state behind');
    expect(plan).toMatchObject({ risk: 'disruption', state: { outcome: 'dropped' } });
    world.edit(edit);
    run(world);
    expect(world.job?.startedFrom).toBe('nothing');
  });

  it('by savepointRedeployNonce starts from the path of the user', () => {
    const world = running('savepoint');
    const edit = job({ savepointRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' });
    expect(planned(world.resource, edit, world.now).told.at(-1)).toBe(
      '+ Create the cluster, which starts from s3://sp/mine',
    );
    world.edit(edit);
    run(world);
    expect(world.job?.startedFrom).toBe('s3://sp/mine');
  });

  it('that suspends keeps the state; resuming is quiet and goes on from it', () => {
    const world = running('savepoint');
    const plan = planned(world.resource, job({ state: 'suspended' }), world.now);
    expect(plan.told).toEqual(['· Stop the job with a savepoint', '- Remove the old cluster']);
    expect(plan).toMatchObject({ risk: 'disruption', state: { outcome: 'kept' } });
    world.edit(job({ state: 'suspended' }));
    run(world);
    expect(planned(world.resource, image('flink:1.20.1'), world.now)).toMatchObject({ risk: 'quiet', restarts: [] });
    const resumed = planned(world.resource, job({ state: 'running' }), world.now);
    expect(resumed).toMatchObject({ risk: 'quiet', state: { outcome: 'kept' } });
    expect(resumed.line).toMatch(/^resumes the job, from s3:\/\/sp\/savepoint-/);
  });

  it('that only patches is quiet, and one that changes nothing is none', () => {
    const { resource, now } = running('savepoint');
    const edit: Edit = (spec) => ({
      ...spec,
      flinkConfiguration: { ...spec.flinkConfiguration, 'kubernetes.operator.savepoint.history.max.count': '3' },
    });
    expect(planned(resource, edit, now)).toMatchObject({ risk: 'quiet', availability: { serves: 'throughout' } });
    expect(planned(resource, (spec) => spec, now)).toMatchObject({ risk: 'none', steps: [] });
  });

  it('that is refused lists the problems', () => {
    const { resource, now } = running('savepoint');
    const plan = planned(resource, job({ parallelism: 0 }), now);
    expect(plan.problems).not.toEqual([]);
    expect(plan.steps).toEqual([]);
  });

  it('waits for a savepoint that cannot be taken now', () => {
    const world = running('savepoint', { 'kubernetes.operator.job.upgrade.last-state-fallback.enabled': 'false' });
    const status = {
      ...world.resource.status,
      jobStatus: { ...world.resource.status?.jobStatus, state: 'RESTARTING' as const },
    };
    const plan = planned({ ...world.resource, status }, image('flink:1.20.1'), world.now);
    expect(plan.waitsFor).toContain('a savepoint can be taken only while it runs');
    expect(plan.steps).toMatchObject([{ what: 'Nothing for now' }]);
  });

  it('in the middle of an upgrade is taken along', () => {
    const world = running('savepoint');
    world.edit(image('flink:1.20.1'));
    run(world, 1, { stopBefore: 1 });
    expect(world.resource.status?.transition?.phase).toBe('suspending');
    const plan = planned(world.resource, image('flink:1.20.2'), world.now);
    expect(plan.line).toBe('is taken along by the change under way');
    const nonce = planned(world.resource, job({ statelessRedeployNonce: 1 }), world.now);
    expect(nonce.told[0]).toBe('· Drop the change under way (suspending)');
    expect(nonce.state.outcome).toBe('dropped');
  });

  it('of something new says what it needs', () => {
    const { resource, now } = new World(application('savepoint'));
    const plan = planJob({ after: { ...resource } }, unreadable(now), operator);
    expect(plan).toMatchObject({
      risk: 'quiet',
      extra: cluster,
      restarts: [],
      line: 'is created; the job starts without state',
    });
  });
});

describe('the plan of an edit of a session job', () => {
  it('touches no pods', () => {
    const world = new SessionWorld({
      deploymentName: 'session',
      job: { jarURI: 'https://example.com/a.jar', parallelism: 2, upgradeMode: 'savepoint' },
    });
    world.run(20);
    expect(world.resource.status?.jobStatus?.state).toBe('RUNNING');
    const session = { ...sessionCluster, status: { jobManagerDeploymentStatus: 'READY' } } as unknown as AnyObject;
    const around = aroundOf(world.now, { 'flinkdeployments.flink.apache.org': [session], pods });
    const { resource } = world;
    const after = { ...resource, spec: { ...resource.spec, job: { ...resource.spec.job, parallelism: 4 } } };
    const plan = planJob({ before: { ...resource }, after }, around, operator);
    expect(plan.steps.map(({ what }) => what)).toEqual([
      'Stop the job with a savepoint',
      'Submit the job, which starts from that savepoint',
    ]);
    expect(plan).toMatchObject({ risk: 'disruption', restarts: [] });
  });
});

it('a plan is made of whatever was written', () => {
  fc.assert(
    fc.property(views, fc.jsonValue(), fc.constantFrom('FlinkDeployment', 'FlinkSessionJob'), (view, odd, kind) => {
      const before = { ...view.resource, kind } as AnyObject;
      for (const after of [
        { ...before, spec: image('other')(view.resource.spec) },
        { ...before, spec: odd } as AnyObject,
      ]) {
        for (const around of [aroundOf(view.now), unreadable(view.now)]) {
          const plan = planJob({ before, after }, around, operator);
          expect(risks).toContain(plan.risk);
          expect(plan.line).not.toBe('');
          expect(JSON.stringify(plan)).not.toMatch(/undefined|NaN|\[object/);
        }
      }
    }),
    { numRuns: 100 },
  );
});
