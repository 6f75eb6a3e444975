import { describe, expect, it } from 'vitest';
import { decideDeployment } from './deployment.ts';
import { run } from './model/run.fixture.ts';
import { application, ha, image, job } from './model/specs.fixture.ts';
import { World } from './model/world.fixture.ts';

function running(...spec: Parameters<typeof application>): World {
  const world = new World(application(...spec));
  world.storage.files.set('s3://sp/mine', 1000);
  run(world, 12);
  world.events.length = 0;
  world.deeds.length = 0;
  return world;
}

const deedsOf = (world: World, verb: string): string[] => world.deeds.filter((deed) => deed.startsWith(verb));

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
  });
});

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

  it('with both redeploy nonces leaves the job alone', () => {
    const world = running('savepoint');
    world.edit(job({ savepointRedeployNonce: 1, statelessRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' }));
    run(world);
    expect(world.deeds).toEqual([]);
    expect(world.resource.status?.error).toContain('statelessRedeployNonce');
  });
});

describe('statelessRedeployNonce', () => {
  it('starts over, says what is left behind and where, and leaves the upgrade mode to the user', () => {
    const world = running('savepoint', ha);
    const before = world.job;
    world.edit(job({ statelessRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' }));
    run(world);
    expect(world.job?.startedFrom).toBe('nothing');
    expect(world.job?.id).not.toBe(before?.id);
    const { status } = world.resource;
    expect(status?.reconciliationStatus?.lastStableSpec).toBe(status?.reconciliationStatus?.lastReconciledSpec);
    expect(status?.jobStatus?.upgradeSavepointPath).toBeUndefined();
    expect(status?.droppedState).toMatchObject({
      kind: 'checkpoint',
      location: expect.stringContaining(`s3://cp/${before?.id}/chk-`),
    });
    expect(status?.conditions?.find(({ type }) => type === 'StateDropped')?.status).toBe('True');
    expect(world.events).toContainEqual(expect.stringMatching(/^StateDropped: The job starts without state; .*chk-/));
    expect(deedsOf(world, 'stop')).toEqual([]);
    expect(world.resource.spec.job?.upgradeMode).toBe('savepoint');
    world.edit(image('flink:1.20.1'));
    run(world);
    expect(world.job?.startedFrom).toMatch(/savepoint-/);
    expect(world.resource.status?.conditions?.some(({ type }) => type === 'StateDropped')).toBe(false);
  });

  it('acts on every change against the last value acted upon, and never on null', () => {
    const world = running('savepoint');
    const redeploys = (value: number | undefined): number => {
      world.deeds.length = 0;
      world.edit(job({ statelessRedeployNonce: value }));
      run(world);
      return deedsOf(world, 'create Deployment').length;
    };
    expect([1, 2, 1, undefined, 1, 1, undefined, 2].map(redeploys)).toEqual([1, 1, 1, 0, 0, 0, 0, 1]);
  });

  it('does not act when it is there from the start', () => {
    const world = new World(job({ statelessRedeployNonce: 7 })(application('savepoint')));
    run(world);
    expect(deedsOf(world, 'create Deployment')).toHaveLength(1);
    expect(world.resource.status?.nonces).toMatchObject({ statelessRedeploy: 7 });
  });

  it('does not wait for an upgrade that cannot take its savepoint', () => {
    const world = running('savepoint');
    world.stopFails = 'no space left';
    world.edit(image('flink:1.20.1'));
    run(world, 5);
    world.edit(job({ statelessRedeployNonce: 1 }));
    run(world);
    expect(world.job?.startedFrom).toBe('nothing');
    expect(JSON.stringify(world.objects.get('Deployment/app'))).toContain('flink:1.20.1');
    expect(world.resource.status?.history?.map(({ outcome }) => outcome)[1]).toMatch(/^superseded/);
  });

  it('is remembered while the job is suspended, and acts when it is resumed', () => {
    const world = running('savepoint', ha);
    world.edit(job({ state: 'suspended' }));
    run(world);
    world.edit(job({ statelessRedeployNonce: 1 }));
    run(world);
    expect(world.resource.status?.lifecycleState).toBe('SUSPENDED');
    expect(world.events).toContainEqual(expect.stringMatching(/^StateDropped: .*savepoint-/));
    world.edit(job({ state: 'running' }));
    run(world);
    expect(world.job?.startedFrom).toBe('nothing');
  });
});

describe('savepointRedeployNonce', () => {
  it('is remembered while the job is suspended, also of a stateless job', () => {
    const world = running('stateless');
    world.edit(job({ state: 'suspended' }));
    run(world);
    world.edit(job({ savepointRedeployNonce: 1, initialSavepointPath: 's3://sp/mine' }));
    run(world);
    world.edit(job({ state: 'running' }));
    run(world);
    expect(world.job?.startedFrom).toBe('s3://sp/mine');
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

  it('a Service is made again, and nothing else is touched', () => {
    const world = running('savepoint');
    const deployment = world.objects.get('Deployment/app')?.metadata.uid;
    world.vanish('Service/app-rest');
    run(world);
    expect(world.deeds).toEqual(['create Service/app-rest']);
    expect(world.objects.get('Deployment/app')?.metadata.uid).toBe(deployment);
  });
});

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
