import { describe, expect, it } from 'vitest';
import { decideDeployment } from './deployment.ts';
import { run } from './model/run.fixture.ts';
import { deedsOf, running } from './model/running.fixture.ts';
import { application, ha, image, job } from './model/specs.fixture.ts';
import { World } from './model/world.fixture.ts';

/** The states that a status went through, as the recordings of the Java operator list them. */
function states(world: World, seconds?: number): string[] {
  const seen: string[] = [];
  run(world, seconds, {
    onDecision: ({ resource: { status } }) => {
      const { jobManagerDeploymentStatus: jm, jobStatus, lifecycleState, reconciliationStatus } = status ?? {};
      const state = `${jm} ${jobStatus?.state} ${lifecycleState} ${reconciliationStatus?.state}`;
      if (seen.at(-1) !== state) seen.push(state);
    },
  });
  return seen;
}

describe('an upgrade', () => {
  it('with a savepoint goes on counting, through the states of the recordings', () => {
    const world = running('savepoint');
    const before = world.job;
    world.edit(image('flink:1.20.1'));
    expect(states(world)).toEqual([
      'READY RUNNING STABLE DEPLOYED',
      'READY RUNNING UPGRADING UPGRADING',
      'READY FINISHED UPGRADING UPGRADING',
      'MISSING FINISHED UPGRADING UPGRADING',
      'DEPLOYING RECONCILING DEPLOYED DEPLOYED',
      'READY RUNNING STABLE DEPLOYED',
    ]);
    expect(world.job?.id).not.toBe(before?.id);
    expect(world.job?.startedFrom).toMatch(/^s3:\/\/sp\/savepoint-/);
    expect(deedsOf(world, 'stop')).toHaveLength(1);
    expect(deedsOf(world, 'create FlinkStateSnapshot')).toHaveLength(1);
    expect(world.resource.status?.jobStatus?.upgradeSavepointPath).toBe(world.job?.startedFrom);
    expect(world.events).toEqual([
      'SpecChanged: UPGRADE change(s) detected (Diff: FlinkDeploymentSpec[image : flink:1.20 -> flink:1.20.1, job.upgradeMode : stateless -> savepoint]), starting reconciliation.',
      'Suspended: Suspending existing deployment.',
      'Submit: Starting deployment',
      'JobStatusChanged: Job status changed from RECONCILING to RUNNING',
    ]);
  });

  it('makes the way to the JobManager again that somebody took away while the job is being stopped', () => {
    const world = running('savepoint');
    world.stopFails = 'no space left';
    world.edit(image('flink:1.20.1'));
    run(world, 5);
    expect(world.resource.status?.transition?.phase).toBe('suspending');
    world.vanish('Service/app-rest');
    run(world, 5);
    expect(world.resource.status?.transition?.phase).toBe('suspending');
    expect(deedsOf(world, 'create Service/app-rest')).toHaveLength(1);
  });

  it('makes the way to the JobManager again that somebody took away before it could begin, and begins', () => {
    const world = running('savepoint');
    world.vanish('Service/app-rest');
    world.restAnswers = false;
    world.edit(image('flink:1.20.1'));
    run(world, 60);
    expect(world.resource.status?.transition).toBeUndefined();
    expect(deedsOf(world, 'create Service/app-rest')).toHaveLength(1);
    world.restAnswers = true;
    run(world);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE' });
    expect(deedsOf(world, 'stop')).toHaveLength(1);
  });

  it('goes on although no cache shows the way to the JobManager any more, which is there', () => {
    const world = running('savepoint');
    world.edit(image('flink:1.20.1'));
    world.act(decideDeployment(world.view()));
    expect(world.resource.status?.transition?.phase).toBe('suspending');
    world.unlabel('Service/app-rest');
    run(world);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE' });
    expect(deedsOf(world, 'stop')).toHaveLength(1);
  });

  it('goes on although the way to the JobManager is refused, and tells', () => {
    const world = running('savepoint');
    world.stopFails = 'no space left';
    world.edit(image('flink:1.20.1'));
    run(world, 5);
    world.vanish('Service/app-rest');
    world.refusedKind = 'Service';
    const asked = deedsOf(world, 'stop').length;
    run(world, 100);
    expect(deedsOf(world, 'stop').length).toBeGreaterThan(asked + 1);
    expect(world.events.filter((event) => event.startsWith('DeploymentRefused'))).toEqual([
      'DeploymentRefused: Service app-rest, the way to the JobManager, had vanished and was refused: exceeded quota. It is tried again every 30 s.',
    ]);
    expect(world.resource.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Reconciling', message: expect.stringContaining('was refused: exceeded quota') }),
    );
    world.refusedKind = undefined;
    run(world, 60);
    expect(deedsOf(world, 'create Service/app-rest')).toHaveLength(1);
  });

  it('by the last state keeps the job id and the recovery metadata', () => {
    const world = running('last-state', ha);
    const before = world.job?.id;
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(world.job?.id).toBe(before);
    expect(world.job?.startedFrom).toMatch(/chk-/);
    expect(world.resource.status?.jobStatus?.upgradeSavepointPath).toBe('KUBERNETES_OPERATOR_LAST_STATE');
    expect(deedsOf(world, 'delete ConfigMap/app-')).toEqual([]);
  });

  it('without high availability cancels, and goes on from the last checkpoint', () => {
    const world = running('last-state');
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(world.job?.startedFrom).toMatch(/chk-/);
    expect(world.events).toContain('JobStatusChanged: Job status changed from CANCELLING to CANCELED');
  });

  it('takes the newest spec, however often it was edited on the way', () => {
    const world = running('savepoint');
    world.edit(image('flink:1.20.1'));
    world.act(decideDeployment(world.view()));
    world.edit(image('flink:1.20.2'));
    run(world);
    expect(JSON.stringify(world.objects.get('Deployment/app'))).toContain('flink:1.20.2');
    expect(deedsOf(world, 'create Deployment')).toHaveLength(1);
    expect(world.resource.status?.observedGeneration).toBe(3);
  });

  it('whose savepoint fails is tried again, later each time, while the job keeps running', () => {
    const world = running('savepoint');
    world.stopFails = 'no space left';
    world.edit(image('flink:1.20.1'));
    run(world, 5);
    expect(world.job?.state).toBe('RUNNING');
    expect(world.resource.status?.error).toContain('no space left');
    expect(world.events).toContainEqual(expect.stringMatching(/^SavepointError: .*\(1 time\): no space left/));
    expect(world.resource.status?.conditions?.find(({ type }) => type === 'Reconciling')?.reason).toBe(
      'SavepointError',
    );
    run(world, 30);
    const asked = deedsOf(world, 'stop');
    expect(asked).toHaveLength(3);
    expect(new Set(asked).size).toBe(3);
    world.stopFails = undefined;
    run(world, 60);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE' });
    expect(world.resource.status?.error).toBeUndefined();
  });

  it('finds its savepoint in the list when the clock was set back and Flink has forgotten the request', () => {
    const world = running('savepoint');
    world.edit(image('flink:1.20.1'));
    world.act(decideDeployment(world.view()));
    world.process?.operations.clear();
    // What was told before the look that notices the clock: from then on the request counts as just sent.
    world.now -= 3_600_000;
    const told = world.rest();
    world.now += 20;
    world.act(decideDeployment({ ...world.view(), rest: told }));
    const again = decideDeployment({ ...world.view(), rest: told });
    expect(again).toMatchObject({ actions: [], wakeAt: world.now + 2_000 });
    world.now += 2_000;
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
    expect(world.job?.startedFrom).toMatch(/savepoint-/);
    expect(deedsOf(world, 'stop')).toHaveLength(1);
  });

  it('asks for its savepoint under a new id when the JobManager restarted before it was taken', () => {
    const world = running('savepoint', ha);
    world.edit(image('flink:1.20.1'));
    world.stopFails = 'lost';
    world.act(decideDeployment(world.view()));
    world.restartJobManager();
    world.stopFails = undefined;
    run(world);
    expect(deedsOf(world, 'stop')).toHaveLength(2);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
    expect(world.job?.startedFrom).toMatch(/savepoint-/);
  });

  it('is not stopped before all its tasks run; one whose tasks find no slots goes on from its last checkpoint', () => {
    const world = running('savepoint', ha);
    world.edit(image('flink:1.20.1'));
    const starting = (): ReturnType<World['view']> => {
      const view = world.view();
      const value = (view.rest.jobs?.value ?? []).map((one) => ({ ...one, starting: true as const }));
      return { ...view, rest: { ...view.rest, jobs: { at: view.now, value } } };
    };
    world.act(decideDeployment(starting()));
    const waiting = decideDeployment(starting());
    expect(waiting).toMatchObject({ actions: [], because: 'The tasks of the job are still starting.' });
    world.now = waiting.wakeAt ?? 0;
    world.act(decideDeployment(starting()));
    expect(deedsOf(world, 'stop')).toEqual([]);
    expect(world.resource.status?.transition?.stop.mode).toBe('last-state');
  });

  it.each([
    ['waits while the recovery metadata says that the job has not ended', true, 3_600_000, false],
    ['waits a minute without such metadata', false, 59_000, false],
    ['is lost when the job is not listed after that', false, 60_000, true],
  ])('whose job a restarted JobManager does not list %s', (_what, available, laterMs, isLost) => {
    const world = running('savepoint');
    world.edit(image('flink:1.20.1'));
    world.act(decideDeployment(world.view()));
    const view = world.view();
    const now = view.now + laterMs;
    const callId = world.resource.status?.transition?.stop.callId ?? '';
    const rest = {
      ...view.rest,
      jobs: { at: now, value: [] },
      operations: { [callId]: { at: now, value: { is: 'unknown' as const } } },
    };
    const cluster = { ...view.cluster, ha: { ...view.cluster.ha, available } };
    const { because } = decideDeployment({ ...view, now, rest, cluster });
    expect(because.includes('savepoint-')).toBe(isLost);
  });

  it('whose savepoint was lost with the JobManager says where to look, and starts from nothing older', () => {
    const world = running('savepoint');
    world.edit(image('flink:1.20.1'));
    world.act(decideDeployment(world.view()));
    const six = world.resource.status?.jobStatus?.jobId?.slice(0, 6);
    world.vanish('Deployment/app');
    world.process = undefined;
    run(world);
    expect(world.resource.status?.error).toContain(`s3://sp/savepoint-${six}-*`);
    expect(world.resource.status?.conditions?.find(({ type }) => type === 'Stalled')?.reason).toBe('UpgradeFailed');
    expect(world.resource.status?.lifecycleState).toBe('FAILED');
    expect(deedsOf(world, 'create Deployment')).toEqual([]);
    world.edit(job({ savepointRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' }));
    run(world);
    expect(world.job?.startedFrom).toBe('s3://sp/mine');
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
  });
});

describe('rescaling in place', () => {
  it('scales the TaskManagers of a reactive job, and stops nothing', () => {
    const world = new World({ ...application('savepoint', { 'scheduler-mode': 'reactive' }), mode: 'standalone' });
    run(world);
    world.deeds.length = 0;
    const before = world.job?.id;
    world.edit(job({ parallelism: 4 }));
    run(world);
    expect(world.deeds).toEqual(['patch app-taskmanager']);
    expect(world.replicas).toBe(4);
    expect(world.job?.id).toBe(before);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', taskManager: { replicas: 4 } });
  });

  it('upgrades where it cannot be done in place', () => {
    const world = new World({ ...application('savepoint'), mode: 'standalone' });
    run(world);
    world.edit(job({ parallelism: 4 }));
    run(world);
    expect(deedsOf(world, 'stop')).toHaveLength(1);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
  });
});

describe('a rollback', () => {
  it('brings the stable spec back when the new one does not start, and a fix is admitted', () => {
    const world = running('last-state', {
      ...ha,
      'kubernetes.operator.deployment.rollback.enabled': 'true',
      'kubernetes.operator.deployment.readiness.timeout': '20 s',
    });
    world.brokenImage = 'flink:broken';
    world.edit(image('flink:broken'));
    run(world, 60);
    expect(world.resource.status?.lifecycleState).toBe('ROLLED_BACK');
    expect(JSON.stringify(world.objects.get('Deployment/app'))).toContain('"flink:1.20"');
    expect(world.job?.state).toBe('RUNNING');
    expect(world.events).toContain('Rollback: Rolling back failed deployment.');
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
    expect(JSON.stringify(world.objects.get('Deployment/app'))).toContain('flink:1.20.1');
  });
});

describe('a job that is recovered but does not come up', () => {
  it('is not rolled back: there is no other spec to go back to', () => {
    const world = running('last-state', {
      ...ha,
      'kubernetes.operator.deployment.rollback.enabled': 'true',
      'kubernetes.operator.deployment.readiness.timeout': '20 s',
    });
    world.brokenImage = 'flink:1.20';
    world.vanish('Deployment/app');
    run(world, 90);
    expect(deedsOf(world, 'create Deployment')).toHaveLength(1);
    expect(world.resource.status?.lifecycleState).toBe('DEPLOYED');
    world.brokenImage = undefined;
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
  });
});

describe('a rollback that is overtaken by a fix', () => {
  it('deploys the fix', () => {
    const world = running('last-state', {
      ...ha,
      'kubernetes.operator.deployment.rollback.enabled': 'true',
      'kubernetes.operator.deployment.readiness.timeout': '20 s',
    });
    world.brokenImage = 'flink:broken';
    world.edit(image('flink:broken'));
    for (let second = 0; second < 60 && world.resource.status?.lifecycleState !== 'ROLLING_BACK'; second++)
      run(world, 1);
    expect(world.resource.status?.lifecycleState).toBe('ROLLING_BACK');
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(world.resource.status).toMatchObject({ lifecycleState: 'STABLE', observedGeneration: 3 });
    expect(JSON.stringify(world.objects.get('Deployment/app'))).toContain('flink:1.20.1');
    expect(world.job?.startedFrom).toMatch(/chk-/);
  });
});

describe('a last-state upgrade of a job without any checkpoint', () => {
  it('starts over, and says so', () => {
    const world = running('last-state');
    const { job } = world;
    if (job) job.checkpoints = [];
    world.edit(image('flink:1.20.1'));
    world.act(decideDeployment(world.view()));
    if (job) job.checkpoints = [];
    run(world);
    expect(world.job?.startedFrom).toBe('nothing');
    expect(world.events).toContainEqual(expect.stringMatching(/^CheckpointNotFound: /));
  });
});

describe('an upgrade of what never started', () => {
  it('takes the fix up with the state that the broken one would have had', () => {
    const world = running('savepoint');
    world.brokenImage = 'flink:broken';
    world.edit(image('flink:broken'));
    run(world, 20);
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(world.job?.startedFrom).toMatch(/savepoint-/);
    expect(world.resource.status?.lifecycleState).toBe('STABLE');
  });
});
