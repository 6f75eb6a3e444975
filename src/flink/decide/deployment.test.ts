import { describe, expect, it } from 'vitest';
import { decideDeployment } from './deployment.ts';
import { run } from './model/run.fixture.ts';
import { deedsOf, running } from './model/running.fixture.ts';
import { application, ha, image, job } from './model/specs.fixture.ts';
import { World } from './model/world.fixture.ts';

describe('an application cluster', () => {
  it('is deployed, runs and becomes stable; then nothing happens any more', () => {
    const world = new World(application('savepoint'));
    run(world);
    const { status } = world.resource;
    expect(status).toMatchObject({
      lifecycleState: 'STABLE',
      jobManagerDeploymentStatus: 'READY',
      observedGeneration: 1,
    });
    expect(status?.error).toBeUndefined();
    expect(status?.taskManager).toEqual({ labelSelector: 'component=taskmanager,app=app', replicas: 2 });
    expect(status?.conditions?.map(({ type, status: is }) => `${type} ${is}`)).toEqual(['Ready True', 'Running True']);
    expect(world.events).toEqual([
      'Submit: Starting deployment',
      'JobStatusChanged: Job status changed from RECONCILING to RUNNING',
    ]);
    expect(decideDeployment(world.view())).toEqual({ actions: [], because: 'The job is RUNNING.' });
  });

  it('starts from the initial savepoint', () => {
    const world = new World(job({ initialSavepointPath: 's3://sp/mine' })(application('savepoint')));
    world.storage.files.set('s3://sp/mine', 1000);
    run(world);
    expect(world.job?.startedFrom).toBe('s3://sp/mine');
  });

  it('is not deployed while it is suspended from the start', () => {
    const world = new World(job({ state: 'suspended' })(application('savepoint')));
    run(world);
    expect(world.deeds).toEqual([]);
    expect(world.resource.status?.lifecycleState).toBe('CREATED');
    expect(world.resource.status?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual(
      ['Ready True Suspended'],
    );
    expect(decideDeployment(world.view()).actions).toEqual([]);
  });
});

describe('a spec that is refused', () => {
  it('leaves what runs as it is, says why, and a fix is taken up', () => {
    const world = running('savepoint');
    world.edit(job({ parallelism: 0 }));
    run(world);
    expect(world.job?.state).toBe('RUNNING');
    expect(world.deeds).toEqual([]);
    expect(world.resource.status?.error).toContain('ValidationException');
    expect(world.events).toEqual([expect.stringMatching(/^ValidationError: /)]);
    expect(world.resource.status?.conditions?.find(({ type }) => type === 'Stalled')?.reason).toBe('ValidationError');
    world.edit(job({ parallelism: 3 }));
    run(world);
    expect(world.resource.status?.error).toBeUndefined();
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
  });

  it('is not deployed, and deployed once it is right', () => {
    const world = new World(job({ parallelism: 0 })(application('savepoint')));
    run(world);
    expect(world.deeds).toEqual([]);
    expect(world.resource.status?.lifecycleState).toBe('FAILED');
    world.edit(job({ parallelism: 1 }));
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
  });

  it('says of a Flink version that is too old what the Java operator says', () => {
    const world = new World({ ...application('savepoint'), flinkVersion: 'v1_14' });
    run(world);
    expect(world.deeds).toEqual([]);
    expect(world.events).toEqual([
      expect.stringMatching(/^UnsupportedFlinkVersion: Flink version v1_14 is not supported/),
    ]);
  });

  it('with both redeploy nonces leaves the job alone', () => {
    const world = running('savepoint');
    world.edit(job({ savepointRedeployNonce: 1, statelessRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' }));
    run(world);
    expect(world.deeds).toEqual([]);
    expect(world.resource.status?.error).toContain('statelessRedeployNonce');
  });
});

describe('what vanishes', () => {
  it('a JobManager is brought back by its recovery metadata', () => {
    const world = running('savepoint', ha);
    world.vanish('Deployment/app');
    world.process = undefined;
    run(world);
    expect(world.events.slice(0, 2)).toEqual([
      'Missing: Missing JobManager deployment',
      'RecoverDeployment: Recovering lost deployment',
    ]);
    expect(world.job?.startedFrom).toMatch(/chk-/);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE' });
  });

  it('a JobManager of a stateful job without high availability is left to a person', () => {
    const world = running('savepoint');
    world.vanish('Deployment/app');
    world.process = undefined;
    run(world);
    expect(world.deeds).toEqual([]);
    expect(world.resource.status?.lifecycleState).toBe('FAILED');
    expect(world.resource.status?.error).toContain('Manual restore required');
    world.edit(job({ statelessRedeployNonce: 1 }));
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
  });

  it('nothing of a suspended job is made again when a cache shows its JobManager once more', () => {
    const world = running('savepoint');
    const jobManager = world.objects.get('Deployment/app');
    world.edit(job({ state: 'suspended' }));
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('SUSPENDED');
    world.deeds.length = 0;
    if (jobManager) world.objects.set('Deployment/app', jobManager);
    run(world, 5);
    expect(deedsOf(world, 'create')).toEqual([]);
  });

  it('a Service is made again, and nothing else is touched', () => {
    const world = running('savepoint');
    const deployment = world.objects.get('Deployment/app')?.metadata.uid;
    world.vanish('Service/app-rest');
    run(world);
    expect(world.deeds).toEqual(['create Service/app-rest']);
    expect(world.objects.get('Deployment/app')?.metadata.uid).toBe(deployment);
  });
});

describe('what no cache shows of a cluster', () => {
  it('is looked at again soon while it is waited for: perhaps nobody tells when it is gone', () => {
    const world = running('savepoint', ha);
    world.edit(image('flink:1.20.1'));
    for (let second = 0; second < 20 && world.resource.status?.transition?.phase !== 'clearing'; second++)
      run(world, 1);
    expect(world.resource.status?.transition?.phase).toBe('clearing');
    const view = world.view();
    const unheard = { ...view, cluster: { ...view.cluster, unheard: true } };
    expect(decideDeployment(unheard).wakeAt).toBe(view.now + 10_000);
    expect(decideDeployment(unheard)).toEqual({ ...decideDeployment(view), wakeAt: view.now + 10_000 });
  });
});

describe('a job that ended', () => {
  it('has its JobManager put away after a while, and can be upgraded then', () => {
    const world = running('savepoint', { 'kubernetes.operator.jm-deployment.shutdown-ttl': '30 s' });
    if (world.job) world.job.state = 'FINISHED';
    run(world, 10);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', jobStatus: { state: 'FINISHED' } });
    expect(world.objects.has('Deployment/app')).toBe(true);
    run(world, 40);
    expect(world.objects.has('Deployment/app')).toBe(false);
    expect(world.resource.status?.error).toBeUndefined();
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(world.job?.startedFrom).toMatch(/chk-/);
  });

  it('as FAILED is started again where that is asked for', () => {
    const world = running('savepoint', { 'kubernetes.operator.job.restart.failed': 'true' });
    if (world.job) world.job.state = 'FAILED';
    run(world);
    expect(world.job?.state).toBe('RUNNING');
    expect(world.job?.startedFrom).toMatch(/chk-/);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
  });
});

describe('an old cluster that is in the way', () => {
  it('is known by its marks when its Deployment is gone: nobody else is blamed for it', () => {
    const world = running('last-state', ha);
    world.objects.delete('Deployment/app');
    run(world);
    expect(world.events.filter((event) => event.startsWith('NameTaken'))).toEqual([]);
    expect(world.deeds).toContain('delete ConfigMap/flink-config-app');
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
  });

  it('and does not go is waited for, with a word about the way out', () => {
    const world = running('savepoint', ha);
    const view = world.view.bind(world);
    const { pods } = view().cluster;
    world.view = () => ({ ...view(), cluster: { ...view().cluster, pods } });
    world.edit(image('flink:1.20.1'));
    run(world, 400);
    expect(deedsOf(world, 'create Deployment')).toEqual([]);
    expect(world.resource.status?.conditions?.find(({ type }) => type === 'Stalled')).toMatchObject({
      status: 'True',
      reason: 'CleanupFailed',
      message: expect.stringContaining('--force'),
    });
    expect(world.events.filter((event) => event.startsWith('CleanupFailed'))).toHaveLength(1);
    world.view = view;
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
  });
});

describe('recovery metadata of an earlier resource of the same name', () => {
  const deployed = (mode: 'stateless' | 'last-state', path?: string): World => {
    const spec = application(mode, ha);
    const world = new World(path === undefined ? spec : job({ initialSavepointPath: path })(spec));
    world.storage.files.set('s3://sp/mine', 1000);
    world.storage.files.set('s3://cp/old/chk-9', 500);
    world.storage.ha.set('old', { last: { path: 's3://cp/old/chk-9', count: 500 } });
    run(world);
    return world;
  };

  it.each([
    ['stateless', undefined, 'nothing'],
    ['last-state', undefined, 'nothing'],
    ['last-state', 's3://sp/mine', 's3://sp/mine'],
  ] as const)('is not restored from and not removed silently: %s from %s', (mode, path, from) => {
    const world = deployed(mode, path);
    expect(world.job?.startedFrom).toBe(from);
    const said = world.events.filter((event) => event.startsWith('StateDropped'));
    expect(said).toEqual([expect.stringMatching(/ConfigMap app-old-config-map.* s3:\/\/cp and s3:\/\/ha/)]);
    expect(world.resource.status?.conditions?.find(({ type }) => type === 'StateDropped')).toMatchObject({
      status: 'True',
      reason: 'PredecessorForgotten',
    });
  });

  it('is no concern of a resource that has its own', () => {
    const world = running('stateless', ha);
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(world.events.filter((event) => event.startsWith('StateDropped'))).toEqual([]);
  });
});

describe('what the API server refuses', () => {
  it('is told, tried again from time to time, and a fix is taken up', () => {
    const world = new World(application('savepoint'));
    world.refusedKind = 'Deployment';
    run(world, 10);
    expect(world.resource.status?.error).toContain('exceeded quota');
    expect(world.resource.status?.conditions?.find(({ type }) => type === 'Stalled')?.reason).toBe('DeploymentRefused');
    world.edit(image('flink:1.20.5'));
    world.refusedKind = undefined;
    run(world);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE' });
    expect(JSON.stringify(world.objects.get('Deployment/app'))).toContain('flink:1.20.5');
  });
});

describe('a session cluster whose spec gains a job', () => {
  it('stays the session that it is, and says why', () => {
    const { job: _job, ...session } = application('stateless');
    const world = new World(session as ReturnType<typeof application>);
    run(world);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', jobManagerDeploymentStatus: 'READY' });
    world.deeds.length = 0;
    world.edit(() => application('stateless'));
    run(world);
    expect(world.resource.status?.error).toContain('Cannot switch from session to job cluster');
    expect(world.resource.status?.jobStatus).toBeUndefined();
    expect(world.deeds).toEqual([]);
  });
});
