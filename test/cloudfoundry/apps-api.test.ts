import { describe, expect, it } from 'vitest';
import { annotations, finalizers, labels } from '../../src/cloudfoundry/keys.ts';
import { labelHash } from '../../src/cloudfoundry/names.ts';
import { type CfApp, cfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { type Answer, AppApiStage } from './app-api-stage.ts';

const inSpace = (guid: string) => ({ relationships: { space: { data: { guid } } } });

function refusal({ status, body }: Answer): readonly [number, string] {
  return [status, body.errors[0].detail];
}

function variables(stage: AppApiStage, app: CfApp): Record<string, string> {
  const secret = stage.find<CfApp & { readonly data?: Record<string, string> }>(
    kinds.secrets,
    app.spec.envSecretName ?? '',
  );
  return Object.fromEntries(
    Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}

describe('an app', () => {
  it('is made whole: stopped, with what finds it and the Secret of its environment', async () => {
    await using stage = await AppApiStage.open();
    const { status, body } = await stage.request('POST', '/v3/apps', {
      body: {
        name: 'web',
        ...inSpace('space-1'),
        lifecycle: { type: 'docker', data: {} },
        environment_variables: { A: '1', N: 2, O: { a: true }, NONE: null },
        metadata: { labels: { x: 'y' }, annotations: { n: 'v' } },
      },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'web',
      state: 'STOPPED',
      lifecycle: { type: 'docker', data: { buildpacks: [] } },
      relationships: { space: { data: { guid: 'space-1' } } },
      metadata: { labels: { x: 'y' }, annotations: { n: 'v', [annotations.appRev]: '0' } },
    });
    const app = stage.find<CfApp>(cfApp.type, body.guid);
    expect(app.metadata).toMatchObject({
      finalizers: [finalizers.app],
      labels: { [labels.guid]: body.guid, [labels.spaceGuid]: 'space-1', [labels.displayName]: labelHash('web') },
    });
    expect(variables(stage, app)).toEqual({ A: '1', N: '2', O: '{"a":true}' });
    const secret = stage.find(kinds.secrets, app.spec.envSecretName ?? '');
    expect(secret.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'CFApp', uid: app.metadata.uid });
  });

  it('has its name to itself in its space, whatever the case', async () => {
    await using stage = await AppApiStage.open();
    await stage.app('web');
    await stage.app('other');
    for (const name of ['web', 'WEB']) {
      const { status, body } = await stage.request('POST', '/v3/apps', { body: { name, ...inSpace('space-1') } });
      expect([status, body.errors[0]]).toEqual([
        422,
        { code: 10016, title: 'CF-UniquenessError', detail: `App with the name '${name}' already exists.` },
      ]);
    }
    expect((await stage.request('PATCH', '/v3/apps/other-guid', { body: { name: 'Web' } })).status).toBe(422);
    expect((await stage.request('PATCH', '/v3/apps/web-guid', { body: { name: 'WEB' } })).body.name).toBe('WEB');
    expect((await stage.request('GET', '/v3/apps?names=WEB')).body.resources).toHaveLength(1);
    const elsewhere = { body: { name: 'web', ...inSpace('space-2') }, as: 'stranger' } as const;
    expect((await stage.request('POST', '/v3/apps', elsewhere)).status).toBe(201);
  });

  it('is made once by many who ask at once', async () => {
    await using stage = await AppApiStage.open();
    const make = () => stage.request('POST', '/v3/apps', { body: { name: 'web', ...inSpace('space-1') } });
    const answers = await Promise.all(Array.from({ length: 5 }, make));
    expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
    const left = stage.embedded.world.list<CfApp>(cfApp.type).filter(({ metadata }) => !metadata.deletionTimestamp);
    expect(left).toHaveLength(1);
  });

  it('is refused with the words of the API', async () => {
    await using stage = await AppApiStage.open();
    const post = (body: unknown) => stage.request('POST', '/v3/apps', { body });
    for (const [body, detail] of [
      [{}, 'name cannot be blank, relationships is required'],
      [{ ...inSpace('space-1') }, 'name cannot be blank'],
      [{ name: 7, ...inSpace('space-1') }, 'Name must be a string'],
      [{ name: 'z', bogus: true, ...inSpace('space-1') }, 'invalid request body: json: unknown field "bogus"'],
      [
        { name: 'z', lifecycle: { type: 'x', data: {} }, ...inSpace('space-1') },
        'lifecycle.type value must be one of: buildpack, docker',
      ],
      [{ name: 'z', ...inSpace('nowhere') }, 'Invalid space. Ensure that the space exists and you have access to it.'],
      [{ name: 'z', ...inSpace('space-2') }, 'Invalid space. Ensure that the space exists and you have access to it.'],
      [
        { name: 'z', ...inSpace('space-1'), environment_variables: { PORT: '1' } },
        'environment_variables.PORT value PORT is not allowed',
      ],
    ] as const) {
      expect(refusal(await post(body))).toEqual([422, detail]);
    }
    expect((await post('{nope')).status).toBe(400);
    expect(
      (await stage.request('POST', '/v3/apps', { body: { name: 'z', ...inSpace('space-1') }, as: 'manager' })).status,
    ).toBe(403);
    expect(stage.embedded.world.list(cfApp.type)).toEqual([]);
  });

  it('changes its lifecycle data and its metadata, never its lifecycle', async () => {
    await using stage = await AppApiStage.open();
    const app = await stage.app('web', { lifecycle: { type: 'buildpack', data: { stack: 'cflinuxfs3' } } });
    const patch = (body: object) => stage.request('PATCH', '/v3/apps/web-guid', { body });
    expect(
      (await patch({ lifecycle: { data: { buildpacks: ['b1'] } }, metadata: { labels: { a: 'b' } } })).body,
    ).toMatchObject({
      lifecycle: { type: 'buildpack', data: { buildpacks: ['b1'], stack: 'cflinuxfs3' } },
      metadata: { labels: { a: 'b' } },
    });
    expect(refusal(await patch({ lifecycle: { type: 'docker', data: {} } }))[0]).toBe(422);
    expect((await patch({ metadata: { labels: { [labels.guid]: 'x' } } })).status).toBe(422);
    expect((await patch({ metadata: { labels: { a: null } } })).status).toBe(200);
    expect(stage.get(app).metadata.labels).not.toHaveProperty('a');
  });

  it('is nobody else’s business', async () => {
    await using stage = await AppApiStage.open();
    await stage.app('web');
    const paths = [
      '',
      '/env',
      '/environment_variables',
      '/processes',
      '/droplets/current',
      '/features',
      '/ssh_enabled',
      '/revisions',
    ];
    for (const path of paths) {
      expect(refusal(await stage.request('GET', `/v3/apps/web-guid${path}`, { as: 'stranger' }))).toEqual([
        404,
        'App not found',
      ]);
    }
    for (const method of ['DELETE', 'PATCH']) {
      expect((await stage.request(method, '/v3/apps/web-guid', { as: 'stranger', body: {} })).status).toBe(404);
    }
    expect((await stage.request('GET', '/v3/apps', { as: 'stranger' })).body.resources).toEqual([]);
    expect((await stage.request('GET', '/v3/apps?space_guids=space-1', { as: 'stranger' })).body.resources).toEqual([]);
    expect((await stage.request('GET', '/v3/apps/web-guid/env', { as: 'manager' })).status).toBe(403);
  });
});

describe('the list of apps', () => {
  it('asks Kubernetes once, whatever the number of apps', async () => {
    await using stage = await AppApiStage.open();
    for (const name of ['c', 'a', 'b']) await stage.app(name);
    stage.asked.length = 0;
    const { body } = await stage.request('GET', '/v3/apps?order_by=name&per_page=5000&space_guids=space-1');
    expect(body.resources.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(stage.asked).toHaveLength(1);
    const names = async (query: string) =>
      (await stage.request('GET', `/v3/apps?${query}`)).body.resources.map(({ name }) => name);
    expect(await names('names=b,c&order_by=-name')).toEqual(['c', 'b']);
    expect(await names('guids=a-guid')).toEqual(['a']);
    expect(await names('organization_guids=org-1&order_by=name&per_page=2&page=2')).toEqual(['c']);
    expect(await names('organization_guids=org-2')).toEqual([]);
    expect((await stage.request('GET', '/v3/apps?order_by=foo')).status).toBe(422);
    expect((await stage.request('GET', '/v3/apps?foo=bar')).status).toBe(400);
  });

  it('includes spaces and organizations, each once', async () => {
    await using stage = await AppApiStage.open();
    for (const name of ['a', 'b']) await stage.app(name);
    const { body } = await stage.request('GET', '/v3/apps?include=space,org');
    expect(body.included).toMatchObject({ spaces: [{ guid: 'space-1' }], organizations: [{ guid: 'org-1' }] });
    expect((await stage.request('GET', '/v3/apps?include=bogus')).status).toBe(400);
  });
});

describe('the environment of an app', () => {
  it('is changed variable by variable, and restarts nothing', async () => {
    await using stage = await AppApiStage.open();
    const app = await stage.app('web', { desiredState: 'STARTED' });
    const { resourceVersion } = stage.get(app).metadata;
    const path = '/v3/apps/web-guid/environment_variables';
    expect((await stage.request('GET', path)).body.var).toEqual({});
    const patch = (variables: object) => stage.request('PATCH', path, { body: { var: variables } });
    expect((await patch({ A: '1', B: 'x', GONE: null })).body.var).toEqual({ A: '1', B: 'x' });
    expect((await patch({ A: null, C: 3 })).body.var).toEqual({ B: 'x', C: '3' });
    expect(refusal(await patch({ VCAP_X: '2' }))).toEqual([422, 'var.VCAP_X prefix VCAP_ is not allowed']);
    expect(refusal(await patch({ PORT: '2' }))).toEqual([422, 'var.PORT value PORT is not allowed']);
    expect((await patch({ 'a b': '2' })).status).toBe(422);
    expect((await stage.request('GET', '/v3/apps/web-guid/env')).body).toEqual({
      environment_variables: { B: 'x', C: '3' },
      staging_env_json: {},
      running_env_json: {},
      system_env_json: {},
      application_env_json: {},
    });
    expect(stage.get(app).metadata.resourceVersion).toBe(resourceVersion);
  });

  it('finds a place where an app has none', async () => {
    await using stage = await AppApiStage.open();
    const app = await stage.app('web');
    const name = { name: 'web-guid', namespace: 'space-1' };
    await stage.person.resource(cfApp.type).patch(name, { type: 'merge', body: { spec: { envSecretName: null } } });
    await stage.request('PATCH', '/v3/apps/web-guid/environment_variables', { body: { var: { A: '1' } } });
    expect(variables(stage, stage.get(app))).toEqual({ A: '1' });
  });
});

describe('the droplet of an app', () => {
  it('is one of its own, and staged', async () => {
    await using stage = await AppApiStage.open();
    const app = await stage.app('web', { desiredState: 'STARTED' });
    await stage.build(app, 'second');
    await stage.build(app, 'failed', 'FAILED');
    const path = '/v3/apps/web-guid/relationships/current_droplet';
    const set = (guid: string) => stage.request('PATCH', path, { body: { data: { guid } } });
    expect((await set('second')).body).toEqual({
      data: { guid: 'second' },
      links: {
        self: { href: `https://api.example${path}` },
        related: { href: 'https://api.example/v3/apps/web-guid/droplets/current' },
      },
    });
    expect((await stage.request('GET', '/v3/apps/web-guid/droplets/current')).body.guid).toBe('second');
    for (const guid of ['failed', 'nothing']) {
      expect(refusal(await set(guid))).toEqual([
        422,
        'Unable to assign current droplet. Ensure the droplet exists and belongs to this app.',
      ]);
    }
    expect(refusal(await stage.request('PATCH', path, { body: {} }))).toEqual([422, 'data is required']);
    expect((await stage.request('GET', path)).body.data).toEqual({ guid: 'second' });
    expect(stage.get(app).metadata.annotations).toBeUndefined();
  });

  it('is not there before one was staged', async () => {
    await using stage = await AppApiStage.open();
    await stage.create<CfApp>({
      apiVersion: cfApp.apiVersion,
      kind: 'CFApp',
      metadata: { name: 'new', namespace: 'space-1' },
      spec: { displayName: 'new', desiredState: 'STOPPED', lifecycle: { type: 'docker', data: {} } },
    });
    expect(refusal(await stage.request('GET', '/v3/apps/new/droplets/current'))).toEqual([404, 'Droplet not found']);
  });
});

describe('what apps do not have here', () => {
  it('is told truthfully', async () => {
    await using stage = await AppApiStage.open();
    await stage.app('web');
    const get = async (path: string) => (await stage.request('GET', `/v3/apps/web-guid/${path}`)).body;
    expect(await get('ssh_enabled')).toEqual({ enabled: false, reason: 'Disabled globally' });
    expect(await get('features/ssh')).toEqual({
      name: 'ssh',
      description: 'Enable SSHing into the app.',
      enabled: false,
    });
    expect((await get('revisions')).resources).toEqual([]);
    expect((await get('revisions/deployed')).resources).toEqual([]);
    const enable = await stage.request('PATCH', '/v3/apps/web-guid/features/ssh', { body: { enabled: true } });
    expect(enable.status).toBe(422);
  });
});
