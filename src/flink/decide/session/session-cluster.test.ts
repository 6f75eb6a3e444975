import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flaw } from '../../../control/decision.ts';
import { actionDigest, outcomeId } from '../../../control/outcome.ts';
import { deploymentSpecCodec } from '../../resources/recorded-spec.ts';
import { native, ready, running, SessionWorld, sessionSpec, standalone } from './session-world.fixture.ts';

describe('a new session cluster', () => {
  it('is written down before anything is made', () => {
    const world = new SessionWorld();
    expect(world.look().actions).toMatchObject([{ do: 'patch' }]);
    const [status, ...rest] = world.look().actions;
    expect(status).toMatchObject({
      do: 'status',
      status: {
        attempt: 1,
        transition: { id: 'uid-pool-1', cause: 'first-deployment', phase: 'starting', stop: { mode: 'none' } },
        reconciliationStatus: {
          state: 'UPGRADING',
          lastReconciledSpec: expect.stringContaining('"firstDeployment":true'),
        },
        lifecycleState: 'UPGRADING',
      },
    });
    expect(rest.map(({ do: what }) => what)).toEqual(['create']);
  });

  it('gets all its objects, and waits for its JobManager', () => {
    const world = new SessionWorld();
    world.settle();
    expect(world.objects).toEqual(native);
    expect(world.status).toMatchObject({
      lifecycleState: 'DEPLOYED',
      jobManagerDeploymentStatus: 'DEPLOYING',
      observedGeneration: 1,
      reconciliationStatus: { state: 'DEPLOYED' },
    });
    expect(world.status).not.toHaveProperty('transition');
    expect(world.status).not.toHaveProperty('jobStatus');
    expect(world.status.history).toMatchObject([{ cause: 'first-deployment', outcome: 'deployed' }]);
  });

  it('is stable once its REST answers', () => {
    const world = running();
    expect(world.status).toMatchObject({
      lifecycleState: 'STABLE',
      jobManagerDeploymentStatus: 'READY',
      clusterInfo: { 'flink-version': '1.20.5', 'flink-revision': 'abc' },
    });
    expect(world.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Running', status: 'True', reason: 'JobManagerReady' }),
    );
    expect(world.look().actions).toEqual([]);
  });

  it('in standalone mode has TaskManagers, and says how many for whoever scales it', () => {
    const world = running(standalone);
    expect(world.taskManager?.replicas).toBe(3);
    expect(world.status.taskManager).toEqual({ labelSelector: 'component=taskmanager,app=pool', replicas: 3 });
  });

  it('that is refused makes nothing, and says why once', () => {
    const { serviceAccount: _, ...spec } = sessionSpec;
    const world = new SessionWorld(spec);
    world.settle();
    expect(world.created).toEqual([]);
    expect(world.events).toEqual([expect.stringMatching(/ValidationError: .*serviceAccount/)]);
    expect(world.status).toMatchObject({ lifecycleState: 'FAILED' });
    world.edit({ serviceAccount: 'flink' });
    world.settle();
    expect(world.objects).toEqual(native);
    expect(world.status).not.toHaveProperty('error');
  });

  it('waits for a Deployment of its name that belongs to somebody else', () => {
    const world = new SessionWorld();
    world.put({ owners: ['uid-stranger'] });
    world.settle();
    expect(world.created).toEqual([]);
    expect(world.events).toEqual([expect.stringMatching(/NameTaken: Deployment pool belongs to somebody else/)]);
    expect(world.jobManager?.owners).toEqual(['uid-stranger']);
    world.lose();
    world.settle();
    expect(world.objects).toEqual(native);
  });

  it('that the API server refuses is tried again, and a fix is taken up at once', () => {
    const world = new SessionWorld();
    world.look();
    const create = world.look().actions.find(({ do: what }) => what === 'create');
    world.lose();
    const outcome = { result: 'refused', at: world.now, since: world.now, message: 'exceeded quota' } as const;
    if (!create) throw new Error('nothing was created');
    world.outcomes = { [outcomeId(create)]: { ...outcome, of: actionDigest(create) } };
    const refused = world.look();
    expect(world.events).toEqual([expect.stringMatching(/DeploymentRefused: .*exceeded quota/)]);
    expect(refused.wakeAt).toBe(outcome.at + 30_000);
    expect(world.look().actions).toEqual([]);
    world.edit({ image: 'flink:1.20.1' });
    world.settle();
    expect(world.objects).toEqual(native);
    expect(world.jobManager?.id).toBe('uid-pool-2');
  });
});

describe('a session cluster that is edited', () => {
  it('goes, is seen gone, and is made anew; its HA metadata stays', () => {
    const world = running();
    world.haConfigMaps = ['pool-cluster-config-map'];
    world.edit({ image: 'flink:1.20.1' });
    world.look();
    expect(world.status).toMatchObject({
      lifecycleState: 'UPGRADING',
      transition: { id: 'uid-pool-2', cause: 'spec-change', phase: 'clearing', restore: { mode: 'last-state' } },
    });
    expect(world.status.reconciliationStatus?.lastReconciledSpec).toContain('"image":"flink:1.20"');
    expect(world.objects).toEqual([]);
    expect(world.created).toEqual([]);
    expect(world.look().because).toMatch(/old cluster is going: Pod pool-0/);
    world.settle();
    expect(world.objects).toEqual(native);
    expect(world.jobManager?.id).toBe('uid-pool-2');
    expect(world.haConfigMaps).toEqual(['pool-cluster-config-map']);
    expect(world.status.reconciliationStatus?.lastReconciledSpec).toContain('"image":"flink:1.20.1"');
    expect(world.events).toEqual([
      'SpecChanged: UPGRADE change(s) detected (Diff: FlinkDeploymentSpec[image : flink:1.20 -> flink:1.20.1]), starting reconciliation.',
    ]);
  });

  it('in a way that concerns only the operator goes on as it is', () => {
    const world = running();
    const { lastReconciledSpec } = world.status.reconciliationStatus ?? {};
    world.edit({ flinkConfiguration: { 'kubernetes.operator.reconcile.interval': '20 s' } });
    world.settle();
    expect(world.created).toEqual([]);
    expect(world.status.observedGeneration).toBe(2);
    expect(world.status.reconciliationStatus?.lastReconciledSpec).toBe(lastReconciledSpec);
  });

  it('by its restart nonce is made anew exactly once per value', () => {
    const world = running();
    const restarts = [1, undefined, 1, 2, 1].map((restartNonce) => {
      const { restartNonce: _, ...spec } = world.resource.spec;
      world.resource = { ...world.resource, spec };
      world.edit(restartNonce === undefined ? {} : { restartNonce });
      world.created.length = 0;
      world.settle();
      return world.created.filter((key) => key === 'Deployment/pool').length;
    });
    expect(restarts).toEqual([1, 0, 0, 1, 1]);
  });

  it('by a nonce that went and came back in between is not made anew again', () => {
    const world = running();
    world.edit({ restartNonce: 1 });
    world.settle();
    const { restartNonce: _, ...spec } = world.resource.spec;
    world.resource = { ...world.resource, spec };
    world.edit({ image: 'flink:1.20.1' });
    world.settle();
    world.created.length = 0;
    world.edit({ restartNonce: 1 });
    world.settle();
    expect(world.created).toEqual([]);
  });

  it('in the number of its TaskManagers is scaled in place', () => {
    const world = running(standalone);
    world.edit({ taskManager: { ...standalone.taskManager, replicas: 5 } });
    world.settle();
    expect(world.created).toEqual([]);
    expect(world.taskManager?.replicas).toBe(5);
    expect(world.status.taskManager?.replicas).toBe(5);
    expect(world.status.reconciliationStatus?.lastReconciledSpec).toContain('"replicas":5');
    expect(world.events).toEqual([expect.stringMatching(/^SpecChanged: SCALE change/)]);
    expect(world.status.lifecycleState).toBe('STABLE');
  });

  it('while it is being made anew takes the newest spec', () => {
    const world = running();
    world.edit({ image: 'flink:1.20.1' });
    world.look();
    world.edit({ image: 'flink:1.20.2' });
    world.settle();
    expect(world.status.reconciliationStatus?.lastReconciledSpec).toContain('"image":"flink:1.20.2"');
    expect(world.created.filter((key) => key === 'Deployment/pool')).toHaveLength(1);
  });

  it('after its Deployment was made, but before the rest, begins anew', () => {
    const world = running();
    world.edit({ image: 'flink:1.20.1' });
    while (!world.jobManager || world.jobManager.id === 'uid-pool-1') world.look();
    world.edit({ image: 'flink:1.20.2' });
    world.settle();
    expect(world.jobManager?.id).toBe('uid-pool-3');
    expect(world.objects).toEqual(native);
    expect(world.status.history).toMatchObject([{ generation: 3 }, { generation: 1 }]);
  });

  it('in a refused way goes on as it is', () => {
    const world = running();
    world.edit({ job: { jarURI: 'local:///x.jar', parallelism: 1 } });
    world.settle();
    expect(world.created).toEqual([]);
    expect(world.events).toEqual([
      expect.stringMatching(/^ValidationError: Cannot switch from session to job cluster/),
    ]);
    expect(world.status.observedGeneration).toBe(1);
    expect(ready(world)).toMatchObject({ status: 'True', reason: 'ValidationError' });
  });

  it('without high availability warns that its jobs end with it', () => {
    const world = running();
    world.sessionJobs = [{ name: 'counter', deleting: false }];
    world.edit({ image: 'flink:1.20.1' });
    world.look();
    expect(world.events).toContainEqual(expect.stringMatching(/^StateDropped: .*counter/));
    const safe = running({
      ...sessionSpec,
      flinkConfiguration: { 'high-availability.type': 'kubernetes', 'high-availability.storageDir': 's3://ha' },
    });
    safe.sessionJobs = world.sessionJobs;
    safe.edit({ image: 'flink:1.20.1' });
    safe.look();
    expect(safe.events).toEqual([expect.stringMatching(/^SpecChanged/)]);
  });
});

describe('a session cluster whose JobManager is gone', () => {
  it('is made again', () => {
    const world = running();
    world.lose();
    world.settle();
    expect(world.objects).toEqual(native);
    expect(ready(world)).toMatchObject({ status: 'False', reason: 'JobManagerIsDeploying' });
    expect(world.events).toEqual([
      'Missing: Missing JobManager deployment',
      'RecoverDeployment: Recovering lost deployment',
    ]);
    expect(world.status.history?.[0]).toMatchObject({ cause: 'recovery', outcome: 'deployed' });
  });

  it('stays away when recovery is off, and says so', () => {
    const world = running({
      ...sessionSpec,
      flinkConfiguration: { 'kubernetes.operator.jm-deployment-recovery.enabled': 'false' },
    });
    world.lose();
    world.settle();
    expect(world.objects).toEqual([]);
    expect(world.status).toMatchObject({
      jobManagerDeploymentStatus: 'MISSING',
      error: expect.stringContaining('Missing'),
    });
  });

  it.each(['Service/pool-rest', 'ConfigMap/flink-config-pool'])('not, but its %s, has that made again', (key) => {
    const world = running();
    world.loseDependent(key);
    world.settle();
    expect(world.created).toEqual([key]);
    expect(world.events).toEqual([expect.stringMatching(`DependentRestored: ${key}`)]);
  });
});

describe('what is on its way out', () => {
  it('is not made again before it is gone', () => {
    const world = running();
    world.loseDependent('ConfigMap/flink-config-pool');
    world.terminate('Service/pool-rest');
    world.settle();
    expect(world.created).toEqual([]);
    world.loseDependent('Service/pool-rest');
    world.settle();
    expect(world.objects).toEqual(native);
  });
});

describe('a session cluster of the Java operator', () => {
  const text = deploymentSpecCodec.write({ spec: { ...sessionSpec, restartNonce: 7 }, firstDeployment: false });

  it('is taken over without restarting anything', () => {
    const world = new SessionWorld(
      { ...sessionSpec, restartNonce: 7 },
      {
        jobManagerDeploymentStatus: 'READY',
        jobStatus: { state: 'FINISHED' },
        observedGeneration: 1,
        reconciliationStatus: { state: 'DEPLOYED', lastReconciledSpec: text, lastStableSpec: text },
      },
    );
    world.put({});
    world.ready = true;
    world.settle();
    expect(world.created).toEqual([]);
    expect(world.jobManager?.id).toBeUndefined();
    expect(world.events).toEqual([expect.stringMatching(/^TakenOver/)]);
    expect(world.status).toMatchObject({ lifecycleState: 'STABLE', nonces: { restart: 7 } });
  });

  it.each([
    ['which had made it goes on as it is', { generation: 1 }],
    ['which had not removed the old one yet is made anew', { generation: 0 }],
    ['which had removed it is made', undefined],
  ])('that left in the middle of an upgrade, %s', (_, there) => {
    const world = new SessionWorld(
      { ...sessionSpec, restartNonce: 7 },
      { observedGeneration: 1, reconciliationStatus: { state: 'UPGRADING', lastReconciledSpec: text } },
    );
    if (there) world.put(there);
    world.ready = there !== undefined;
    world.look();
    world.look();
    expect(world.status.reconciliationStatus?.lastStableSpec).toBeUndefined();
    world.settle();
    expect(world.created.includes('Deployment/pool')).toBe(there?.generation !== 1);
    expect(world.status.reconciliationStatus?.state).toBe('DEPLOYED');
  });
});

describe('wherever the process dies', () => {
  const deed = fc.constantFrom('image', 'nonce', 'scale', 'lose', 'ready', 'look');
  const script = fc.array(fc.tuple(deed, fc.nat(4)), { maxLength: 12 });

  it('every decision is sound, and it comes to rest with one whole cluster of the newest spec', () => {
    fc.assert(
      fc.property(script, (deeds) => {
        const world = new SessionWorld(standalone);
        let value = 0;
        for (const [what, most] of deeds) {
          value += 1;
          if (what === 'image') world.edit({ image: `flink:${value}` });
          if (what === 'nonce') world.edit({ restartNonce: value });
          if (what === 'scale') world.edit({ taskManager: { ...standalone.taskManager, replicas: value } });
          if (what === 'lose') world.lose();
          if (what === 'ready') world.ready = true;
          expect(flaw(world.look(most))).toBeUndefined();
        }
        world.settle();
        world.ready = true;
        world.settle();
        const { image, taskManager } = world.resource.spec;
        expect(world.objects).toHaveLength(5);
        expect(world.status.transition).toBeUndefined();
        expect(world.status.reconciliationStatus?.lastReconciledSpec).toContain(`"image":"${image}"`);
        expect(world.taskManager?.replicas).toBe(taskManager?.replicas);
        expect(world.status.lifecycleState).toBe('STABLE');
      }),
    );
  });
});
