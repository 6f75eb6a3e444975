import { describe, expect, it } from 'vitest';
import { annotations, labels } from '../../src/cloudfoundry/keys.ts';
import type { CfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { cfProcess } from '../../src/cloudfoundry/resources/cf-process.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { type Answer, AppApiStage } from './app-api-stage.ts';

const web = '/v3/apps/web-guid/processes/web';

function refusal({ status, body }: Answer): readonly [number, string] {
  return [status, body.errors[0].detail];
}

async function started(stage: AppApiStage): Promise<CfApp> {
  return await stage.app('web', { desiredState: 'STARTED' }, { annotations: { [annotations.appRev]: '3' } });
}

describe('a process', () => {
  it('is found by its app and type, and by its own GUID', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    const byType = await stage.request('GET', web);
    expect(byType.body).toMatchObject({
      type: 'web',
      instances: 1,
      memory_in_mb: 64,
      disk_in_mb: 128,
      health_check: { type: 'port', data: { timeout: 60, invocation_timeout: null } },
      relationships: { app: { data: { guid: 'web-guid' } } },
    });
    const guid = stage.web(app).metadata.name;
    expect((await stage.request('GET', `/v3/processes/${guid}`)).body).toEqual(byType.body);
    expect(refusal(await stage.request('GET', '/v3/apps/web-guid/processes/worker'))).toEqual([
      404,
      'Process not found',
    ]);
    expect(refusal(await stage.request('GET', `/v3/processes/${guid}`, { as: 'stranger' }))[0]).toBe(404);
    expect((await stage.request('GET', `/v3/processes/${guid}/sidecars`)).body.resources).toEqual([]);
  });

  it('hides its command in lists', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    await stage.process(app, { processType: 'worker', command: 'run --password x' });
    const { body } = await stage.request('GET', '/v3/apps/web-guid/processes');
    expect(body.resources.map(({ command }) => command)).toEqual(Array(2).fill('[PRIVATE DATA HIDDEN IN LISTS]'));
    expect((await stage.request('GET', '/v3/apps/web-guid/processes/worker')).body.command).toBe('run --password x');
  });

  it('is scaled by what the request gives, and by nothing else', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    const scaled = await stage.request('POST', `${web}/actions/scale`, { body: { instances: 3 } });
    expect([scaled.status, scaled.body.instances]).toEqual([200, 3]);
    expect(stage.web(app).spec).toMatchObject({ desiredInstances: 3, memoryMB: 64 });
    const { resourceVersion } = stage.web(app).metadata;
    for (const [body, detail] of [
      [{ instances: -1 }, 'instances must be 0 or greater'],
      [{ instances: 'two' }, 'Instances must be a int32'],
      [{ memory_in_mb: 0 }, 'memory_in_mb must be greater than 0'],
      [{ bogus: 1 }, 'invalid request body: json: unknown field "bogus"'],
    ] as const) {
      expect(refusal(await stage.request('POST', `${web}/actions/scale`, { body }))).toEqual([422, detail]);
    }
    expect((await stage.request('POST', `${web}/actions/scale`, { body: {} })).status).toBe(200);
    expect((await stage.request('POST', `${web}/actions/scale`, { body: '{"instances":' })).status).toBe(400);
    expect(stage.web(app).metadata.resourceVersion).toBe(resourceVersion);
    expect(
      (await stage.request('POST', `${web}/actions/scale`, { body: { instances: 2 }, as: 'manager' })).status,
    ).toBe(403);
  });

  it('takes a health check and a command', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    const data = { endpoint: '/ready', timeout: 90, invocation_timeout: 5 };
    const path = `/v3/processes/${stage.web(app).metadata.name}`;
    const { body } = await stage.request('PATCH', path, {
      body: { command: 'serve', health_check: { type: 'http', data } },
    });
    expect(body).toMatchObject({ command: 'serve', health_check: { type: 'http', data } });
    const back = { command: null, health_check: { type: 'port', data: { endpoint: null } } };
    const { body: again } = await stage.request('PATCH', path, { body: back });
    expect(again).toMatchObject({
      command: '',
      health_check: { type: 'port', data: { timeout: 90, invocation_timeout: 5 } },
    });
    expect(stage.web(app).spec.healthCheck?.data).not.toHaveProperty('httpEndpoint');
  });

  it('is left alone while a deployment is in flight', async () => {
    await using stage = await AppApiStage.open();
    await started(stage);
    await stage.request('POST', '/v3/deployments', {
      body: { relationships: { app: { data: { guid: 'web-guid' } } } },
    });
    expect(refusal(await stage.request('POST', `${web}/actions/scale`, { body: { instances: 2 } }))).toEqual([
      422,
      'Cannot scale this process while a deployment is in flight.',
    ]);
    expect(refusal(await stage.request('PATCH', web, { body: { command: 'x' } }))).toEqual([
      422,
      'Cannot update this process while a deployment is in flight.',
    ]);
    expect((await stage.request('PATCH', web, { body: { metadata: { labels: { a: 'b' } } } })).status).toBe(200);
    await stage.request('POST', '/v3/apps/web-guid/actions/stop');
    expect((await stage.request('POST', `${web}/actions/scale`, { body: { instances: 2 } })).status).toBe(200);
  });
});

describe('stats', () => {
  const states = async (stage: AppApiStage) =>
    (await stage.request('GET', `${web}/stats`)).body.resources.map(({ index, state }) => `${index} ${state}`);

  it('have an entry for every instance that should run, and none is RUNNING because of another revision', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    const scaled = await stage.request('POST', `${web}/actions/scale`, { body: { instances: 3 } });
    expect(scaled.status).toBe(200);
    const running = { state: 'RUNNING', timestamp: '2026-11-01T09:59:00Z' };
    const status = { observedAppRev: '2', instancesStatus: { 0: running, 1: running, 2: running } };
    await stage.setStatus(cfProcess.type, stage.web(app), status);
    expect(await states(stage)).toEqual(['0 STARTING', '1 STARTING', '2 STARTING']);

    await stage.setStatus(cfProcess.type, stage.web(app), {
      observedAppRev: '3',
      instancesStatus: { 1: { state: 'STARTING', timestamp: null, details: 'revision 2 still runs here' }, 2: null },
    });
    const { body } = await stage.request('GET', `${web}/stats`);
    expect(body.resources).toMatchObject([
      { type: 'web', index: 0, state: 'RUNNING', routable: true, mem_quota: 64 << 20, disk_quota: 128 << 20 },
      { index: 1, state: 'STARTING', routable: false, details: 'revision 2 still runs here' },
      { index: 2, state: 'STARTING' },
    ]);
    expect(body.resources[0]?.uptime).toBeGreaterThanOrEqual(60);
    expect(body.resources[0]).not.toHaveProperty('usage');
    const guid = stage.web(app).metadata.name;
    expect((await stage.request('GET', `/v3/processes/${guid}/stats`)).body).toEqual(body);
    const instances = await stage.request('GET', `/v3/processes/${guid}/process_instances`);
    expect(instances.body.resources[1]).toEqual({ index: 1, state: 'STARTING', since: 0 });
  });

  it('are empty for a stopped app', async () => {
    await using stage = await AppApiStage.open();
    await stage.app('web');
    expect((await stage.request('GET', `${web}/stats`)).body).toEqual({ resources: [] });
  });

  it('cost two reads, and no failing request where nothing is measured', async () => {
    await using stage = await AppApiStage.open();
    await started(stage);
    await stage.request('GET', `${web}/stats`);
    stage.asked.length = 0;
    await stage.request('GET', `${web}/stats`);
    expect(stage.asked).toHaveLength(2);
  });

  it('come with the list of processes in one list of each kind', async () => {
    await using stage = await AppApiStage.open();
    for (const name of ['web', 'b', 'c']) await stage.app(name, { desiredState: 'STARTED' });
    stage.asked.length = 0;
    const { body } = await stage.request('GET', '/v3/processes?embed=process_instances&space_guids=space-1');
    expect(body.resources.map(({ process_instances }) => process_instances)).toEqual(
      Array(3).fill([{ index: 0, state: 'STARTING', since: 0 }]),
    );
    expect(stage.asked).toHaveLength(2);
  });
});

describe('restarting an instance', () => {
  async function pod(stage: AppApiStage, name: string, index: string, version: string): Promise<void> {
    const guid =
      stage.find(cfProcess.type, stage.web({ metadata: { name: 'web-guid' } } as CfApp).metadata.name ?? '').metadata
        .name ?? '';
    await stage.person.resource(kinds.pods).create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'space-1',
        labels: {
          [labels.guid]: guid,
          [labels.version]: version,
          [labels.appGuid]: 'web-guid',
          'apps.kubernetes.io/pod-index': index,
        },
      },
      spec: { containers: [{ name: 'application', image: 'i' }] },
    });
  }
  const pods = (stage: AppApiStage) => stage.embedded.world.list(kinds.pods).map(({ metadata }) => metadata.name);

  it('takes the pod with exactly this index, of the revision that is wanted', async () => {
    await using stage = await AppApiStage.open();
    const app = await started(stage);
    await pod(stage, 'new-1', '1', '3');
    await pod(stage, 'new-11', '11', '3');
    await pod(stage, 'old-2', '2', '2');

    expect((await stage.request('DELETE', `${web}/instances/1`)).status).toBe(204);
    expect(pods(stage)).toEqual(['new-11', 'old-2']);
    for (const index of ['1', '2', 'x', '-1', '99999999999999999999']) {
      expect(refusal(await stage.request('DELETE', `${web}/instances/${index}`))).toEqual([404, 'Instance not found']);
    }
    const guid = stage.web(app).metadata.name;
    expect((await stage.request('DELETE', `/v3/processes/${guid}/instances/11`, { as: 'manager' })).status).toBe(403);
    expect((await stage.request('DELETE', `/v3/processes/${guid}/instances/11`)).status).toBe(204);
    expect(pods(stage)).toEqual(['old-2']);
  });
});
