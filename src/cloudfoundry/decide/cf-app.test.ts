import { describe, expect, it } from 'vitest';
import { actionDigest, outcomeId } from '../../control/outcome.ts';
import type { KubeObject } from '../../kube/object.ts';
import { markText } from '../deployment-mark.ts';
import { annotations, finalizers, labels } from '../keys.ts';
import { ownedBy } from '../manifests/owned-by.ts';
import { processGuid } from '../names.ts';
import type { CfAppView } from '../observe/cf-app-view.ts';
import { cfApp } from '../resources/cf-app.ts';
import type { CfProcess } from '../resources/cf-process.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import { bumpedAtDeployment, bumpedAtStop, revisionsOf } from '../revision.ts';
import { AppWorld, guid, readyOf, running, space } from './app/app-world.fixture.ts';
import { decideCfApp } from './cf-app.ts';

const web = processGuid(guid, 'web');

describe('a new app', () => {
  it('is given what the platform gives every app, and waits for a droplet', async () => {
    const world = new AppWorld();
    await world.settle();
    expect(world.app.metadata).toMatchObject({
      finalizers: [finalizers.app],
      labels: {
        [labels.guid]: guid,
        [labels.spaceGuid]: space,
        [labels.displayName]: '5f6df8bbab40b49a6dae87fe32cdca69cd13e925709f52881f9d12c4',
        [labels.createdAt]: '2026-01-02T03-04-05',
        [labels.deploymentStatus]: 'ACTIVE',
      },
      annotations: {
        [annotations.appRev]: '0',
        [annotations.lastStopAppRev]: '0',
        [annotations.creationVersion]: 'v0.18.0+cutover.0.1.0',
      },
    });
    expect(readyOf(world)).toMatch(/^False DropletNotAssigned: .*Push the app/);
    expect(world.app.status).toMatchObject({
      actualState: 'STOPPED',
      observedDesiredState: 'STOPPED',
      observedLastStopAppRev: '0',
      observedAppRev: '0',
      observedGeneration: 1,
      vcapApplicationSecretName: `${guid}-vcap-application`,
      vcapServicesSecretName: `${guid}-vcap-services`,
    });
    expect(world.deeds).toHaveLength(5);
  });

  it.each([
    ['no build of that name', () => undefined, /no CFBuild droplet in this space.*left alone/],
    ['one that is staging', (world: AppWorld) => world.build('droplet', { state: 'STAGING' }), /not staged yet/],
    ['one that failed', (world: AppWorld) => world.build('droplet', { state: 'FAILED' }), /failed.*the current one/],
    ['one of another app', (world: AppWorld) => world.build('droplet', { droplet: {} }, 'other'), /of another app/],
  ])('says that its droplet cannot be used: %s', async (_what, prepare, message) => {
    const world = new AppWorld({ desiredState: 'STARTED', currentDropletRef: { name: 'droplet' } });
    prepare(world);
    await world.settle();
    expect(readyOf(world)).toMatch(/^False CannotResolveCurrentDropletRef: /);
    expect(readyOf(world)).toMatch(message);
    expect(world.all('CFProcess')).toEqual([]);
    expect(world.app.status?.revision).toBeUndefined();
  });

  it('keeps what an adopted app has', async () => {
    const world = new AppWorld(
      {},
      { annotations: { [annotations.appRev]: '7', [annotations.creationVersion]: 'v0.18.0' } },
    );
    await world.settle();
    expect(world.app.metadata.annotations).toMatchObject({
      [annotations.appRev]: '7',
      [annotations.lastStopAppRev]: '7',
      [annotations.creationVersion]: 'v0.18.0',
    });
  });
});

describe('Ready', () => {
  it('means that the wanted revision runs on all instances; idle costs nothing', async () => {
    const world = await running();
    expect(readyOf(world)).toBe('True Ready: Ready');
    expect(world.app.status?.actualState).toBe('STARTED');
    expect(world.app.metadata.labels?.[labels.deploymentStatus]).toBe('FINALIZED');
    expect(await world.decision()).toEqual({ actions: [], because: 'the app is as it should be' });
  });

  it('is false from the moment a deployment begins, also while the processes still speak of the old one', async () => {
    const world = await running();
    world.edit({}, bumpedAtDeployment(world.app));
    await world.settle();
    expect(readyOf(world)).toBe('False ProcessesNotReady: web: Revision 1 does not run on all instances yet.');
    expect(world.app.metadata.labels?.[labels.deploymentStatus]).toBe('ACTIVE');
    world.processes(1, true);
    await world.settle();
    expect(readyOf(world)).toBe('True Ready: Ready');
  });

  it('is false while a process speaks of an older spec', async () => {
    const world = await running();
    const process = world.get<CfProcess>('CFProcess', web);
    world.put({ ...process, metadata: { ...process.metadata, generation: 2 } });
    await world.settle();
    expect(readyOf(world)).toMatch(/^False ProcessesNotReady/);
  });

  it('is not said of a process that no cache shows', async () => {
    const world = await running();
    world.unseen.add('CFProcess');
    const { actions } = await world.decision();
    expect(actions).toMatchObject([
      { do: 'status', status: { conditions: [{ type: 'Ready', status: 'False', reason: 'ProcessesNotReady' }] } },
      { do: 'create', object: { kind: 'CFProcess' } },
    ]);
  });

  it('tells why there is no process', async () => {
    const world = await running();
    world.unseen.add('CFProcess');
    const message = 'exceeded quota: processes.';
    world.outcomes = { create: { result: 'refused', at: world.now, since: world.now, of: 'create', message } };
    const { actions } = await world.decision();
    const told = { message: 'web: There is no process yet: exceeded quota: processes.' };
    expect(actions[0]).toMatchObject({ do: 'status', status: { conditions: [told] } });
  });

  it('tells why instances do not come up, and does not keep the fix away', async () => {
    const world = await running();
    world.processes(0, false);
    world.workload('0', { error: 'CrashLoopBackOff' });
    await world.settle();
    expect(readyOf(world)).toBe(
      'False DesiredStateNotReached: No instance runs yet. web: Revision 0 does not come up: CrashLoopBackOff',
    );
    world.staged('fix');
    world.edit({ currentDropletRef: { name: 'fix' } }, bumpedAtDeployment(world.app));
    await world.settle();
    expect(world.app.status?.revision?.appRev).toBe('1');
  });

  it('is true of an app without instances', async () => {
    const world = await running();
    world.processes(0, true);
    await world.settle();
    expect(readyOf(world)).toBe('True Ready: Ready');
    expect(world.app.status?.actualState).toBe('STOPPED');
  });

  it('of a stopped app is true when nothing is left', async () => {
    const world = await running();
    world.edit({ desiredState: 'STOPPED' }, bumpedAtStop(world.app));
    await world.settle();
    expect(readyOf(world)).toMatch(/^False DesiredStateNotReached: The app is being stopped/);
    world.processes(0, true);
    await world.settle();
    expect(readyOf(world)).toMatch(/^False DesiredStateNotReached/);
    world.objects.delete('AppWorkload workload');
    await world.settle();
    expect(readyOf(world)).toBe('True Ready: Ready');
  });
});

describe('a stop that nobody bumped', () => {
  it('is bumped once, before it is recorded as seen', async () => {
    const world = await running();
    world.edit({ desiredState: 'STOPPED' });
    const { actions } = await world.decision();
    world.act(actions);
    expect(world.deeds).toEqual([`patch CFApp ${guid}`, 'event StopRecorded']);
    expect(revisionsOf(world.app)).toEqual({ appRev: 1, lastStopAppRev: 1, highest: 1 });
    expect(world.app.status?.observedDesiredState).toBe('STARTED');
    // Whoever looks next, also after a crash, finds it done.
    await world.settle();
    expect(revisionsOf(world.app)).toEqual({ appRev: 1, lastStopAppRev: 1, highest: 1 });
    expect(world.app.status).toMatchObject({ observedDesiredState: 'STOPPED', observedLastStopAppRev: '1' });
  });

  it('is not bumped over a write that came in between', async () => {
    const world = await running();
    world.edit({ desiredState: 'STOPPED' });
    const { actions } = await world.decision();
    world.edit({ desiredState: 'STARTED' });
    world.act(actions);
    expect(revisionsOf(world.app).appRev).toBe(0);
  });

  it('was bumped already when it came through the API', async () => {
    const world = await running();
    world.edit({ desiredState: 'STOPPED' }, bumpedAtStop(world.app));
    await world.settle();
    expect(revisionsOf(world.app).appRev).toBe(1);
  });
});

describe('the end of an app', () => {
  it('comes after no route leads to it any more', async () => {
    const world = await running();
    world.route('only', 'a.example', [guid]);
    world.route('shared', 'b.example', ['other', guid]);
    world.put({ ...world.app, metadata: { ...world.app.metadata, deletionTimestamp: '2026-01-02T03:04:05Z' } });
    world.deeds.length = 0;
    await world.settle();
    expect(world.deeds).toEqual(['patch CFRoute only', 'patch CFRoute shared', `patch CFApp ${guid}`]);
    expect(world.get('CFRoute', 'only').spec).not.toHaveProperty('destinations');
    expect(world.get<CfRoute>('CFRoute', 'shared').spec.destinations).toMatchObject([{ appRef: { name: 'other' } }]);
    expect(world.app.metadata.finalizers).toEqual([]);
  });

  it('leaves no route behind that leads to it, though no cache shows one', async () => {
    const world = await running();
    world.route('only', 'a.example', [guid]);
    world.route('foreign', 'b.example', ['other']);
    world.unseen.add('CFRoute');
    world.put({ ...world.app, metadata: { ...world.app.metadata, deletionTimestamp: '2026-01-02T03:04:05Z' } });
    world.deeds.length = 0;
    await world.settle();
    expect(world.deeds).toEqual(['patch CFRoute only', `patch CFApp ${guid}`]);
  });

  it('takes with it what names it and has no owner yet', async () => {
    const world = await running();
    const deletionTimestamp = '2026-01-02T03:04:05Z';
    const another = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'other', controller: true };
    const naming = (kind: string, name: string, metadata: KubeObject['metadata'] = {}): void =>
      world.put({
        apiVersion: cfApp.apiVersion,
        kind,
        metadata: { name, ...metadata },
        spec: { appRef: { name: guid } },
      } as KubeObject);
    naming('CFPackage', 'package');
    naming('CFPackage', 'leaving', { deletionTimestamp });
    naming('CFPackage', 'paused', { annotations: { 'cutover.dev/paused': 'true' } });
    naming('CFPackage', 'of-another', { ownerReferences: [another] });
    naming('CFTask', 'task');
    world.unseen.add('CFTask');
    world.put({ ...world.app, metadata: { ...world.app.metadata, deletionTimestamp } });
    world.deeds.length = 0;
    await world.settle();
    expect(world.deeds).toEqual(['patch CFPackage package', 'patch CFTask task', `patch CFApp ${guid}`]);
    expect(world.get('CFPackage', 'package').metadata.ownerReferences).toEqual([ownedBy(world.app)]);
  });

  it('goes without what takes no owner, after half a minute of trying, and says what stays', async () => {
    const world = await running();
    world.put({
      apiVersion: cfApp.apiVersion,
      kind: 'CFPackage',
      metadata: { name: 'package' },
      spec: { appRef: { name: guid } },
    } as KubeObject);
    world.put({ ...world.app, metadata: { ...world.app.metadata, deletionTimestamp: '2026-01-02T03:04:05Z' } });
    const view = await world.view();
    const [claim] = decideCfApp(view).actions;
    if (claim?.do !== 'patch') expect.fail('nothing was claimed');
    const refused = (ms: number): CfAppView => ({
      ...view,
      outcomes: {
        [outcomeId(claim)]: {
          ...{ result: 'refused', since: view.now - ms, at: view.now },
          ...{ of: actionDigest(claim), message: 'the policy says no' },
        },
      },
    });
    expect(decideCfApp(refused(20_000)).actions.map((action) => action.do)).toEqual(['patch', 'patch']);
    expect(decideCfApp(refused(40_000)).actions).toMatchObject([
      { do: 'event', about: { kind: 'CFPackage' }, warning: true, note: expect.stringContaining('the policy says no') },
      { do: 'patch', of: { kind: 'CFApp' } },
    ]);
  });
});

describe('a canary that waits', () => {
  const waiting = (world: AppWorld) => world.app.status?.conditions?.find(({ type }) => type === 'CanaryWaiting');

  it('is told of on the app, until somebody continues or cancels it', async () => {
    const world = new AppWorld({ desiredState: 'STARTED', currentDropletRef: { name: 'droplet' } });
    world.staged('droplet');
    world.edit(
      {},
      { ...bumpedAtDeployment(world.app), [annotations.deployment]: markText({ guid: 'one', appRev: 1 }) },
    );
    world.deployment('one', 'ACTIVE', { reason: 'PAUSED', step: 1 });
    await world.settle();
    expect(waiting(world)).toMatchObject({ status: 'True', reason: 'StepReached' });
    expect(waiting(world)?.message).toMatch(/revision 1 waits at step 1: continue or cancel/);

    world.deployment('one', 'ACTIVE', { reason: 'DEPLOYING', step: 2 });
    await world.settle();
    expect(waiting(world)).toBeUndefined();
  });

  it('says nothing of an app whose revision belongs to another deployment', async () => {
    const world = new AppWorld({ desiredState: 'STARTED', currentDropletRef: { name: 'droplet' } });
    world.staged('droplet');
    world.edit({}, { [annotations.deployment]: markText({ guid: 'two', appRev: 1 }) });
    world.deployment('one', 'ACTIVE', { reason: 'PAUSED', step: 1 });
    await world.settle();
    expect(waiting(world)).toBeUndefined();
  });
});
