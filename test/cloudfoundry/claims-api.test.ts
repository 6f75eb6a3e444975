import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { annotations } from '../../src/cloudfoundry/keys.ts';
import { cfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { cfProcess } from '../../src/cloudfoundry/resources/cf-process.ts';
import { cfRoute } from '../../src/cloudfoundry/resources/cf-route.ts';
import { AppApiStage } from './app-api-stage.ts';
import { PushStage, type Told } from './push-stage.ts';

const written = [cfApp, cfProcess, cfRoute];

/** `dev` develops in one space; names and hosts are also had by others, whom he cannot see. */
describe('a name or an address', () => {
  let stage: PushStage;
  let org: string;
  beforeAll(async () => {
    stage = await PushStage.open();
    org = (await stage.get('/v3/organizations')).resources[0]?.guid ?? expect.fail('there is no organization');
    expect((await route('theirs', '/x', stage.other, 'cf-admin')).status).toBe(201);
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });

  const route = (host: string, path = '', space = stage.space, user = 'dev'): Promise<Told> => {
    const relationships = { domain: { data: { guid: 'default-domain' } }, space: { data: { guid: space } } };
    return stage.send('POST', '/v3/routes', { host, path, relationships }, user);
  };
  const app = (name: string): Promise<Told> => {
    const relationships = { space: { data: { guid: stage.space } } };
    return stage.send('POST', '/v3/apps', { name, lifecycle: { type: 'docker', data: {} }, relationships });
  };
  const detail = ({ body }: Told): string | undefined => body.errors[0]?.detail;

  it.each([
    ['below a host of another space', 'theirs', '/x/login', /^Routes for this host and domain have been reserved/],
    ['above it', 'THEIRS', '', /^Routes for this host and domain have been reserved/],
    ['of another space', 'theirs', '/X', /^Route already exists/],
    ['without a host', '', '', /^Missing host\. Routes in shared domains must have a host defined\.$/],
    ['for all hosts', '*', '', /^Host '\*' stands for all hosts of domain 'apps\.example'/],
    ['that no route can have', 'a_b', '', /^Host must be/],
  ])('is not to be had %s, neither by itself nor by a manifest', async (_what, host, path, why) => {
    const before = await stage.versions(written);
    const answer = await route(host, path);
    expect([answer.status, detail(answer)]).toEqual([422, expect.stringMatching(why)]);
    const url = `${host && `${host}.`}apps.example${path}`;
    const manifest = `applications: [{name: fresh, memory: 1G, routes: [{route: "${url}"}]}]`;
    expect((await stage.apply(manifest)).status).toBe(422);
    expect(await stage.versions(written)).toBe(before);
  });

  it('is to be had below a host of the own space, and for all hosts by an admin', async () => {
    expect((await route('own', '/a')).status).toBe(201);
    expect((await route('own', '/b')).status).toBe(201);
    expect((await route('*', '', stage.other, 'cf-admin')).status).toBe(201);
  });

  it('goes to exactly one of those who ask at the same time', async () => {
    const statuses = async (work: readonly Promise<Told>[]): Promise<readonly number[]> =>
      (await Promise.all(work)).map(({ status }) => status).sort();
    expect(await statuses([app('race'), app('Race'), app('race')])).toEqual([201, 422, 422]);
    expect(await statuses([route('race'), route('race', '/x', stage.other, 'cf-admin')])).toEqual([201, 422]);
    const [one, two] = [(await app('one')).body.guid, (await app('two')).body.guid];
    const named = { name: 'both' };
    const renamed = [one, two].map((guid) => stage.send('PATCH', `/v3/apps/${guid}`, named));
    expect(await statuses(renamed)).toEqual([200, 422]);
    expect((await stage.get('/v3/apps?names=both')).resources).toHaveLength(1);
  });

  it('is not told to be taken to who may not have it', async () => {
    const taken = { name: 'two' };
    const organizations = await stage.send('POST', '/v3/organizations', taken, 'cf-admin');
    expect(organizations.status).toBe(201);
    for (const path of [`/v3/spaces/${stage.space}`, `/v3/organizations/${org}`]) {
      expect({ path, status: (await stage.send('PATCH', path, taken)).status }).toEqual({ path, status: 403 });
      const answer = await stage.send('PATCH', path, taken, 'cf-admin');
      expect([answer.status, detail(answer)]).toEqual([422, expect.stringContaining('already exists')]);
    }
  });

  it('is not told by a manifest of who may not write', async () => {
    const user = { data: { username: 'system:serviceaccount:cf:dev' } };
    const relationships = { user, space: { data: { guid: stage.other } } };
    const role = await stage.send('POST', '/v3/roles', { type: 'space_auditor', relationships }, 'cf-admin');
    expect(role.status).toBe(201);
    await stage.stage.clock.advance(2_000);
    for (const manifest of ['applications: [{name: a, routes: [{route: own.apps.example/a}]}]', 'no: [yaml']) {
      expect((await stage.apply(manifest, stage.other)).status).toBe(403);
    }
  });

  it('of a process must be one that a label can hold, before anything is written', async () => {
    const before = await stage.versions(written);
    const answer = await stage.apply('applications: [{name: half, processes: [{type: web}, {type: "a b"}]}]');
    expect([answer.status, detail(answer)]).toEqual([422, expect.stringContaining('processes[1].type must be')]);
    expect(await stage.versions(written)).toBe(before);
  });
});

describe('a manifest while a deployment is in flight', () => {
  it('leaves the web process alone, and changes what is not the deployment’s', async () => {
    await using stage = await AppApiStage.open();
    const app = await stage.app('web', { desiredState: 'STARTED' }, { annotations: { [annotations.appRev]: '3' } });
    const relationships = { app: { data: { guid: 'web-guid' } } };
    expect((await stage.request('POST', '/v3/deployments', { body: { relationships } })).status).toBe(201);
    const { resourceVersion } = stage.web(app).metadata;
    const apply = (settings: string) =>
      stage.request('POST', '/v3/spaces/space-1/actions/apply_manifest', {
        body: `applications: [{name: web, ${settings}}]`,
      });
    for (const [settings, doing] of [
      ['instances: 3, metadata: {labels: {a: b}}', 'scale'],
      ['instances: 3, command: other', 'update'],
    ] as const) {
      const { status, body } = await apply(settings);
      const why = `For application 'web': Cannot ${doing} this process while a deployment is in flight.`;
      expect([status, body.errors[0].detail]).toEqual([422, why]);
    }
    expect(stage.web(app).metadata.resourceVersion).toBe(resourceVersion);
    expect(stage.get(app).metadata.labels).not.toHaveProperty('a');
    expect((await apply('instances: 1, memory: 64M')).status).toBe(202);
  });
});
