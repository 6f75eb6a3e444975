import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../kube/object.ts';
import { labels } from '../../keys.ts';
import { processGuid } from '../../names.ts';
import type { CfProcess } from '../../resources/cf-process.ts';
import { AppWorld, guid, running, space } from './app-world.fixture.ts';

const web = processGuid(guid, 'web');

function valueIn(world: AppWorld, secret: string, key: string): unknown {
  const { data } = world.get<KubeObject & { data: Record<string, string> }>('Secret', secret);
  return JSON.parse(Buffer.from(data[key] ?? '', 'base64').toString());
}

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
