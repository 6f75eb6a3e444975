import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube/object.ts';
import { markText } from '../deployment-mark.ts';
import { annotations, finalizers, labels } from '../keys.ts';
import { processGuid } from '../names.ts';
import type { CfProcess } from '../resources/cf-process.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import { bumpedAtDeployment, bumpedAtStop, returnedTo, revisionsOf } from '../revision.ts';
import { AppWorld, guid, owned, running, space } from './app/app-world.fixture.ts';

const web = processGuid(guid, 'web');

/** `False ProcessesNotReady: …` */
function readyOf(world: AppWorld): string {
  const ready = world.app.status?.conditions?.find(({ type }) => type === 'Ready');
  return `${ready?.status} ${ready?.reason}: ${ready?.message}`;
}

function valueIn(world: AppWorld, secret: string, key: string): unknown {
  const { data } = world.get<KubeObject & { data: Record<string, string> }>('Secret', secret);
  return JSON.parse(Buffer.from(data[key] ?? '', 'base64').toString());
}

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
        [annotations.creationVersion]: 'v0.1.0',
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

describe('a process', () => {
  it('is made for each type of the droplet, and for web', async () => {
    const world = new AppWorld({ currentDropletRef: { name: 'droplet' } });
    world.staged('droplet', [{ type: 'worker', command: 'work' }, { type: 'worker' }]);
    await world.settle();
    const specs = world.all<CfProcess>('CFProcess').map(({ spec }) => spec);
    expect(specs).toEqual([
      {
        appRef: { name: guid },
        processType: 'worker',
        detectedCommand: 'work',
        desiredInstances: 0,
        memoryMB: 1024,
        diskQuotaMB: 1024,
        healthCheck: { type: 'process', data: { invocationTimeoutSeconds: 0, timeoutSeconds: 60 } },
      },
      {
        appRef: { name: guid },
        processType: 'web',
        desiredInstances: 1,
        memoryMB: 1024,
        diskQuotaMB: 1024,
        healthCheck: { type: 'port', data: { invocationTimeoutSeconds: 0, timeoutSeconds: 60 } },
      },
    ]);
    expect(world.get('CFProcess', web).metadata).toMatchObject({
      labels: {
        [labels.guid]: web,
        [labels.appGuid]: guid,
        [labels.processType]: 'web',
        [labels.spaceGuid]: space,
        [labels.createdAt]: '2026-01-02T03-04-05',
      },
      ownerReferences: [{ kind: 'CFApp', name: guid, controller: true, blockOwnerDeletion: true }],
    });
  });

  it('takes the command of a new droplet, and keeps what users set', async () => {
    const world = await running();
    const process = world.get<CfProcess>('CFProcess', web);
    world.put({ ...process, spec: { ...process.spec, command: 'mine', desiredInstances: 3 } } as CfProcess);
    world.staged('next', [{ type: 'web', command: 'found' }]);
    world.edit({ currentDropletRef: { name: 'next' } });
    await world.settle();
    expect(world.get<CfProcess>('CFProcess', web).spec).toMatchObject({
      command: 'mine',
      detectedCommand: 'found',
      desiredInstances: 3,
    });
    world.edit({ currentDropletRef: { name: 'droplet' } });
    await world.settle();
    expect(world.get<CfProcess>('CFProcess', web).spec).not.toHaveProperty('detectedCommand');
  });

  it('of an adopted app is found by its type, whatever its name', async () => {
    const world = new AppWorld({ currentDropletRef: { name: 'droplet' } });
    world.staged('droplet');
    world.put({
      apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
      kind: 'CFProcess',
      metadata: { name: 'older' },
      spec: { appRef: { name: guid }, processType: 'web' },
    } as never);
    await world.settle();
    expect(world.all('CFProcess').map(({ metadata }) => metadata.name)).toEqual(['older']);
  });
});

describe('a revision', () => {
  it('is recorded only when all that it consists of is in place, with its environment', async () => {
    const world = new AppWorld({
      desiredState: 'STARTED',
      currentDropletRef: { name: 'droplet' },
      envSecretName: 'env',
    });
    owned(world, 'env', { B: 'Mg==', A: 'MQ==' });
    world.staged('droplet');
    for (let rounds = 0; rounds < 10; rounds++) {
      const { actions } = await world.decision();
      // One action at a time, as if the process died after each.
      world.act(actions.slice(0, 1));
      if (!world.app.status?.revision) continue;
      expect(world.objects.has(`CFProcess ${web}`)).toBe(true);
      expect(world.objects.has(`Secret ${guid}-vcap-application`)).toBe(true);
      expect(world.objects.has(`Secret ${guid}-vcap-services`)).toBe(true);
    }
    await world.settle();
    expect(world.app.status?.revision).toEqual({
      appRev: '0',
      envSecretName: `${guid}-env-0`,
      envNames: ['A', 'B'],
    });
    expect(world.get('Secret', `${guid}-env-0`)).toMatchObject({
      immutable: true,
      data: { A: 'MQ==', B: 'Mg==' },
      metadata: { labels: { [labels.appGuid]: guid }, ownerReferences: [{ uid: world.app.metadata.uid }] },
    });
  });

  it('never shows its environment in what is decided', async () => {
    const world = new AppWorld({ desiredState: 'STARTED', currentDropletRef: { name: 'd' }, envSecretName: 'env' });
    owned(world, 'env', { PASSWORD: Buffer.from('hunter2').toString('base64') });
    world.staged('d');
    world.act((await world.decision()).actions);
    const decision = await world.decision();
    expect(JSON.stringify(decision)).toContain('PASSWORD');
    expect(JSON.stringify([decision, await world.view()])).not.toContain(Buffer.from('hunter2').toString('base64'));
  });

  it('is not touched by a new environment, a route or a new droplet', async () => {
    const world = await running();
    const { revision } = world.app.status ?? {};
    owned(world, 'env', { A: 'MQ==' });
    world.edit({ envSecretName: 'env' });
    world.route('route', 'web1.apps.example', [guid]);
    world.staged('next');
    world.edit({ currentDropletRef: { name: 'next' } });
    await world.settle();
    expect(world.app.status?.revision).toEqual(revision);
    expect(world.deeds.filter((deed) => deed.startsWith('read'))).toEqual([]);
  });

  it('takes the environment of its own start: stop, set-env, start', async () => {
    const world = await running();
    owned(world, 'env', { A: 'MQ==' });
    world.edit({ desiredState: 'STOPPED', envSecretName: 'env' }, bumpedAtStop(world.app));
    world.objects.delete('AppWorkload workload');
    world.processes(0, true);
    await world.settle();
    expect(world.deeds.filter((deed) => deed.startsWith('read'))).toEqual([]);
    owned(world, 'env', { A: 'Mg==', C: 'Mw==' });
    world.edit({ desiredState: 'STARTED' });
    await world.settle();
    expect(world.app.status?.revision).toEqual({ appRev: '1', envSecretName: `${guid}-env-1`, envNames: ['A', 'C'] });
    expect(world.get('Secret', `${guid}-env-1`)).toMatchObject({ data: { A: 'Mg==', C: 'Mw==' } });
  });

  it('waits for a Secret that is named and not there, says so, and looks again', async () => {
    const world = new AppWorld({ desiredState: 'STARTED', currentDropletRef: { name: 'd' }, envSecretName: 'env' });
    world.staged('d');
    const decision = await world.settle();
    expect(decision.wakeAt).toBe(world.now + 10_000);
    expect(readyOf(world)).toMatch(/^False ProcessesNotReady: .*no Secret env.*Create it, or name none/);
    expect(world.app.status?.revision).toBeUndefined();
    owned(world, 'env', {});
    expect((await world.settle()).wakeAt).toBeUndefined();
    expect(world.app.status?.revision?.envNames).toEqual([]);
  });

  it('keeps the environment that was taken first when the process dies before it is recorded', async () => {
    const world = new AppWorld({ desiredState: 'STARTED', currentDropletRef: { name: 'd' }, envSecretName: 'env' });
    owned(world, 'env', { A: 'MQ==' });
    world.staged('d');
    while (!world.objects.has(`Secret ${guid}-env-0`)) world.act((await world.decision()).actions.slice(0, 5));
    owned(world, 'env', { A: 'Mg==', B: '' });
    await world.settle();
    expect(world.get('Secret', `${guid}-env-0`)).toMatchObject({ data: { A: 'MQ==' } });
    expect(world.app.status?.revision?.envNames).toEqual(['A']);
  });

  it('gets its environment again when somebody deletes it', async () => {
    const world = await running();
    world.objects.delete(`Secret ${guid}-env-0`);
    await world.settle();
    expect(world.objects.has(`Secret ${guid}-env-0`)).toBe(true);
    expect(world.app.status?.revision?.appRev).toBe('0');
  });

  it('says what stands in its way when the server refuses', async () => {
    const world = new AppWorld({ desiredState: 'STARTED', currentDropletRef: { name: 'd' } });
    world.staged('d');
    const failure = { at: 0, since: 0, of: '', message: 'Secret x exists and belongs to somebody else' };
    world.outcomes = { x: { result: 'refused', ...failure } };
    world.act((await world.decision()).actions);
    world.act((await world.decision()).actions.slice(0, 1));
    expect(readyOf(world)).toMatch(/being prepared: Secret x exists and belongs to somebody else/);
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
    expect(readyOf(world)).toBe('False ProcessesNotReady: web: Revision 1 is not taken up yet.');
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

  it('tells why instances do not come up, and does not keep the fix away', async () => {
    const world = await running();
    world.processes(0, false);
    await world.settle();
    expect(readyOf(world)).toBe('False DesiredStateNotReached: No instance runs yet. web: Instance 0 crashes.');
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

describe('VCAP_APPLICATION and VCAP_SERVICES', () => {
  function placed(world: AppWorld): void {
    const put = (kind: string, name: string, rest: object): void =>
      world.put({ apiVersion: 'any/v1', kind, metadata: { name }, ...rest } as KubeObject);
    put('Namespace', space, { metadata: { name: space, labels: { [labels.orgGuid]: 'org' } } });
    put('CFSpace', space, { spec: { displayName: 'dev' } });
    put('CFOrg', 'org', { spec: { displayName: 'demo' } });
  }

  it('have the published keys', async () => {
    const world = new AppWorld();
    placed(world);
    world.route('second', 'web1.apps.example/p', [guid, 'other'], '2026-02-01T00:00:00Z');
    world.route('first', 'web1.apps.example', [guid], '2026-01-01T00:00:00Z');
    world.route('third', 'other.apps.example', ['other']);
    await world.settle();
    const uris = ['web1.apps.example', 'web1.apps.example/p'];
    expect(valueIn(world, `${guid}-vcap-application`, 'VCAP_APPLICATION')).toEqual({
      application_id: guid,
      application_name: 'web1',
      application_uris: uris,
      cf_api: 'https://api.example',
      name: 'web1',
      organization_id: 'org',
      organization_name: 'demo',
      space_id: space,
      space_name: 'dev',
      uris,
    });
    expect(valueIn(world, `${guid}-vcap-services`, 'VCAP_SERVICES')).toEqual({});
  });

  it('are written when they change, and only then', async () => {
    const world = await running();
    world.route('route', 'web1.apps.example', [guid]);
    await world.settle();
    expect(world.deeds).toEqual([`apply Secret ${guid}-vcap-application`]);
    world.objects.delete(`Secret ${guid}-vcap-services`);
    await world.settle();
    expect(world.deeds.slice(1)).toEqual([`apply Secret ${guid}-vcap-services`]);
  });
});

describe('environments of earlier revisions', () => {
  const revisions = (world: AppWorld): string[] =>
    world
      .all('Secret')
      .flatMap(({ metadata }) => metadata.name?.match(/-env-(\d+)$/)?.[1] ?? [])
      .sort();

  async function deployed(previous: boolean): Promise<AppWorld> {
    const world = await running();
    const mark = { guid: 'deployment', appRev: 1, ...(previous && { previous: { appRev: 0, droplet: 'droplet' } }) };
    world.edit({}, { ...bumpedAtDeployment(world.app), [annotations.deployment]: markText(mark) });
    await world.settle();
    return world;
  }

  it('stay while the roll is under way, and while a cancel may return to them', async () => {
    const world = await deployed(true);
    world.deployment('deployment', 'ACTIVE');
    world.workload('1', { observedAppRev: '0' });
    await world.settle();
    expect(revisions(world)).toEqual(['0', '1']);
    world.workload('1', { observedAppRev: '1' });
    await world.settle();
    expect(revisions(world)).toEqual(['0', '1']);
    world.deployment('deployment', 'FINALIZED');
    await world.settle();
    expect(revisions(world)).toEqual(['1']);
  });

  it('stay while a deployment has not been seen yet', async () => {
    const world = await deployed(true);
    world.workload('1', { observedAppRev: '1' });
    await world.settle();
    expect(revisions(world)).toEqual(['0', '1']);
  });

  it('stay while a workload keeps them', async () => {
    const world = await deployed(false);
    world.deployment('deployment', 'FINALIZED');
    const snapshot = { GUID: 'p', version: '0', image: 'i' };
    const kept = { [annotations.keptRevisions]: JSON.stringify({ 0: snapshot }) };
    world.workload('1', { observedAppRev: '1' }, kept);
    await world.settle();
    expect(revisions(world)).toEqual(['0', '1']);
    world.workload('1', { observedAppRev: '1' });
    await world.settle();
    expect(revisions(world)).toEqual(['1']);
  });

  it('are found again by a cancel, and the canceled one goes', async () => {
    const world = await deployed(true);
    world.deployment('deployment', 'ACTIVE');
    world.workload('1', { observedAppRev: '0' });
    await world.settle();
    world.deeds.length = 0;
    world.edit({}, returnedTo(world.app, 0));
    await world.settle();
    expect(world.app.status?.revision?.appRev).toBe('0');
    expect(world.deeds.filter((deed) => deed.startsWith('create'))).toEqual([]);
    world.workload('0', { observedAppRev: '0' });
    world.deployment('deployment', 'FINALIZED');
    await world.settle();
    expect(revisions(world)).toEqual(['0']);
  });

  it('are never those of somebody else', async () => {
    const world = await running();
    world.secret(`${guid}-env-9`, {});
    world.put({
      ...world.get('Secret', `${guid}-env-9`),
      metadata: { name: `${guid}-env-9`, labels: { [labels.appGuid]: guid } },
    });
    await world.settle();
    expect(revisions(world)).toEqual(['0', '9']);
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
});
