import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labels } from '../../src/cloudfoundry/keys.ts';
import { cfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { cfOrg } from '../../src/cloudfoundry/resources/cf-org.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { Json, KubeObject } from '../../src/kube/object.ts';
import { type Answer, ApiStage } from '../golden/cloudfoundry/api-stage.ts';

type Place = { readonly org: string; readonly space: string; readonly route: string; readonly app: string };

/** Two organizations with a space, a route and an app each. `dev` develops in the first and has no role in the second. */
describe('a user of one space', () => {
  let stage: ApiStage;
  let own: Place;
  let foreign: Place;
  let role: string;

  const made = async (path: string, body: Json): Promise<string> => {
    const answer = await stage.send('cf-admin', 'POST', path, body);
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
    return guidOf(answer);
  };
  const place = async (name: string): Promise<Place> => {
    const org = await made('/v3/organizations', { name });
    const space = await made('/v3/spaces', { name: 'dev', relationships: { organization: { data: { guid: org } } } });
    const domain = { data: { guid: 'default-domain' } };
    const route = await made('/v3/routes', { host: name, relationships: { domain, space: { data: { guid: space } } } });
    const app = stage.platform.random.uuid();
    await stage.person.resource<KubeObject>(cfApp.type).create({
      apiVersion: cfApp.apiVersion,
      kind: 'CFApp',
      metadata: { name: app, namespace: space },
      spec: { displayName: 'web', desiredState: 'STOPPED', lifecycle: { type: 'docker', data: {} } },
    } as KubeObject);
    return { org, space, route, app };
  };

  beforeAll(async () => {
    stage = await ApiStage.open();
    own = await place('one');
    foreign = await place('two');
    const user = { data: { username: 'system:serviceaccount:cf:dev' } };
    await made('/v3/roles', {
      type: 'organization_user',
      relationships: { user, organization: { data: { guid: own.org } } },
    });
    await made('/v3/roles', { type: 'space_developer', relationships: { user, space: { data: { guid: own.space } } } });
    role = await made('/v3/roles', {
      type: 'organization_user',
      relationships: { user: { data: { username: 'alice' } }, organization: { data: { guid: foreign.org } } },
    });
    await stage.clock.advance(1_000);
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });

  it.each(['organizations', 'spaces', 'routes', 'apps'])('finds in the list of %s only what is his', async (kind) => {
    const { status, body } = await stage.send('dev', 'GET', `/v3/${kind}`);
    expect(status).toBe(200);
    const guids = (body as { resources: { guid: string }[] }).resources.map(({ guid }) => guid);
    const mine = { organizations: own.org, spaces: own.space, routes: own.route, apps: own.app }[kind];
    expect(guids).toEqual([mine]);
  });

  it.each([
    ['space_guids', 'routes'],
    ['space_guids', 'apps'],
    ['organization_guids', 'spaces'],
  ])('finds nothing by the GUID of a foreign place: %s of %s', async (key, kind) => {
    const guid = key === 'space_guids' ? foreign.space : foreign.org;
    const { body } = await stage.send('dev', 'GET', `/v3/${kind}?${key}=${guid}`);
    expect(body).toMatchObject({ pagination: { total_results: 0 }, resources: [] });
  });

  it.each([
    ['GET', 'organizations', 'org', ''],
    ['PATCH', 'organizations', 'org', ''],
    ['DELETE', 'organizations', 'org', ''],
    ['GET', 'organizations', 'org', '/domains/default'],
    ['GET', 'spaces', 'space', ''],
    ['PATCH', 'spaces', 'space', ''],
    ['DELETE', 'spaces', 'space', ''],
    ['GET', 'spaces', 'space', '/features/ssh'],
    ['DELETE', 'spaces', 'space', '/routes?unmapped=true'],
    ['GET', 'routes', 'route', ''],
    ['PATCH', 'routes', 'route', ''],
    ['DELETE', 'routes', 'route', ''],
    ['GET', 'routes', 'route', '/destinations'],
    ['GET', 'apps', 'app', ''],
    ['DELETE', 'apps', 'app', ''],
    ['GET', 'apps', 'app', '/routes'],
  ] as const)('is answered to %s of foreign %s as if there were none', async (method, kind, which, rest) => {
    const body = method === 'PATCH' ? {} : undefined;
    const ofForeign = await stage.send('dev', method, `/v3/${kind}/${foreign[which]}${rest}`, body);
    const ofNothing = await stage.send('dev', method, `/v3/${kind}/no-such-thing${rest}`, body);
    expect(ofForeign.status).toBe(404);
    expect(ofForeign.body).toEqual(ofNothing.body);
  });

  it('can use neither a foreign space nor a foreign app', async () => {
    const domain = { data: { guid: 'default-domain' } };
    const inForeign = await stage.send('dev', 'POST', '/v3/routes', {
      host: 'x',
      relationships: { domain, space: { data: { guid: foreign.space } } },
    });
    expect(inForeign.status).toBe(422);
    expect(inForeign.body).toMatchObject({ errors: [{ detail: expect.stringContaining('Invalid space') }] });
    const mapped = await stage.send('dev', 'POST', `/v3/routes/${own.route}/destinations`, {
      destinations: [{ app: { guid: foreign.app } }],
    });
    expect(mapped.status).toBe(422);
    const { body } = await stage.send('dev', 'GET', `/v3/routes/${own.route}/destinations`);
    expect(body).toMatchObject({ destinations: [] });
  });

  it('learns of no foreign role, and gives himself none', async () => {
    const { body } = await stage.send('dev', 'GET', '/v3/roles');
    expect(JSON.stringify(body)).not.toContain(foreign.org);
    expect((await stage.send('dev', 'GET', `/v3/roles/${role}`)).status).toBe(404);
    expect((await stage.send('dev', 'DELETE', `/v3/roles/${role}`)).status).toBe(404);
    const user = { data: { username: 'system:serviceaccount:cf:dev' } };
    const given = await stage.send('dev', 'POST', '/v3/roles', {
      type: 'space_manager',
      relationships: { user, space: { data: { guid: own.space } } },
    });
    expect(given.status).toBe(403);
    const abroad = await stage.send('dev', 'POST', '/v3/roles', {
      type: 'organization_user',
      relationships: { user, organization: { data: { guid: foreign.org } } },
    });
    expect(abroad.status).toBe(422);
  });

  it('does his own work', async () => {
    const mapped = await stage.send('dev', 'POST', `/v3/routes/${own.route}/destinations`, {
      destinations: [{ app: { guid: own.app } }],
    });
    expect(mapped).toMatchObject({ status: 200, body: { destinations: [{ app: { guid: own.app }, port: 8080 }] } });
    const { body } = await stage.send('dev', 'GET', `/v3/apps/${own.app}/routes`);
    expect(body).toMatchObject({ resources: [{ guid: own.route, url: 'one.apps.example' }] });
  });

  it.each([
    ['hosts=one', 1],
    ['hosts=one&paths=', 1],
    ['hosts=one&paths=%2Fx', 0],
    ['hosts=', 0],
    ['paths=', 1],
    ['domain_guids=default-domain', 1],
    ['domain_guids=no-such-domain', 0],
    ['domain_guids=not%20a%20label', 0],
  ])('finds his route by %s: %d', async (query, found) => {
    const { body } = await stage.send('dev', 'GET', `/v3/routes?${query}`);
    expect(body).toMatchObject({ pagination: { total_results: found } });
  });

  it('may send back all that he was shown when he changes something', async () => {
    const { body } = await stage.send('dev', 'GET', `/v3/routes/${own.route}`);
    const { metadata } = body as { readonly metadata: { readonly labels: object; readonly annotations: object } };
    const labels = { ...metadata.labels, team: 'a' };
    const sent = { metadata: { ...metadata, labels } } as unknown as Json;
    const changed = await stage.send('dev', 'PATCH', `/v3/routes/${own.route}`, sent);
    expect(changed).toMatchObject({ status: 200, body: { metadata: { labels } } });
    const taken = { metadata: { labels: { 'korifi.cloudfoundry.org/guid': 'mine' } } };
    expect((await stage.send('dev', 'PATCH', `/v3/routes/${own.route}`, taken)).status).toBe(422);
  });

  it('stays a user of the organization while he has a role in one of its spaces', async () => {
    const user = 'system:serviceaccount:cf:dev';
    const query = `/v3/roles?organization_guids=${own.org}&user_guids=${user}&types=organization_user`;
    const { body } = await stage.send('cf-admin', 'GET', query);
    const [given] = (body as { resources: { guid: string }[] }).resources;
    const kept = await stage.send('cf-admin', 'DELETE', `/v3/roles/${given?.guid}`);
    expect(kept).toMatchObject({
      status: 422,
      body: { errors: [{ detail: expect.stringContaining('Cannot delete') }] },
    });
    expect((await stage.send('cf-admin', 'DELETE', `/v3/roles/${role}`)).status).toBe(202);
  });

  it('has a role of the organization once, and loses it for good, whatever copies of it spaces hold', async () => {
    const user = { data: { username: 'manager' } };
    const organization = { data: { guid: own.org } };
    const given = await made('/v3/roles', { type: 'organization_manager', relationships: { user, organization } });
    const member = await made('/v3/roles', { type: 'organization_user', relationships: { user, organization } });
    await stage.clock.advance(5_000);
    const places = () =>
      stage.embedded.world
        .list<KubeObject>(kinds.roleBindings)
        .filter(({ metadata }) => metadata.labels?.[labels.roleGuid] === given)
        .map(({ metadata }) => metadata.namespace)
        .sort();
    expect(places()).toEqual([own.org, own.space].sort());
    const listed = await stage.send('cf-admin', 'GET', '/v3/roles?user_guids=manager&types=organization_manager');
    expect(listed.body).toMatchObject({ pagination: { total_results: 1 }, resources: [{ guid: given }] });
    const shown = await stage.send('cf-admin', 'GET', `/v3/roles/${given}`);
    expect(shown.body).toMatchObject({ relationships: { organization } });
    expect((await stage.send('cf-admin', 'DELETE', `/v3/roles/${member}`)).status).toBe(202);
    expect((await stage.send('cf-admin', 'DELETE', `/v3/roles/${given}`)).status).toBe(202);
    await stage.clock.advance(5_000);
    expect(places()).toEqual([]);
  });

  it('finds his app, also when somebody gave one in another space its GUID', async () => {
    await stage.person.resource<KubeObject>(cfApp.type).create({
      apiVersion: cfApp.apiVersion,
      kind: 'CFApp',
      metadata: { name: own.app, namespace: foreign.space },
      spec: { displayName: 'trap', desiredState: 'STOPPED', lifecycle: { type: 'docker', data: {} } },
    } as KubeObject);
    await stage.clock.advance(1_000);
    const seen = await stage.send('dev', 'GET', `/v3/apps/${own.app}`);
    expect(seen).toMatchObject({ status: 200, body: { name: 'web' } });
    expect((await stage.send('cf-admin', 'DELETE', `/v3/apps/${own.app}`)).status).toBe(404);
    await stage.person.resource(cfApp.type).delete({ namespace: foreign.space, name: own.app });
    await stage.clock.advance(1_000);
    expect((await stage.send('cf-admin', 'GET', `/v3/apps/${own.app}`)).status).toBe(200);
  });

  it.each(['organizations', 'spaces'] as const)('is among the users of his %s', async (kind) => {
    const guid = kind === 'spaces' ? own.space : own.org;
    const { body } = await stage.send('dev', 'GET', `/v3/${kind}/${guid}/users`);
    expect(body).toMatchObject({ resources: [{ username: 'system:serviceaccount:cf:dev', origin: 'kubernetes' }] });
  });

  it('makes a name once, also when two ask at the same moment', async () => {
    const post = () => stage.send('cf-admin', 'POST', '/v3/organizations', { name: 'Twice' });
    const [a, b] = await Promise.all([post(), post()]);
    expect([a.status, b.status].sort()).toEqual([201, 422]);
    const later = await stage.send('cf-admin', 'POST', '/v3/organizations', { name: 'tWICE' });
    expect(later.body).toMatchObject({ errors: [{ detail: "Organization 'tWICE' already exists." }] });
    await stage.clock.advance(60_000);
    const named = stage.embedded.world
      .list<KubeObject & { spec: { displayName: string } }>(cfOrg.type)
      .filter(({ spec }) => spec.displayName.toLowerCase() === 'twice');
    expect(named).toHaveLength(1);
  });

  it('loses no destination when many are added at once', async () => {
    const add = (port: number) =>
      stage.send('dev', 'POST', `/v3/routes/${own.route}/destinations`, {
        destinations: [{ app: { guid: own.app }, port }],
      });
    const answers = await Promise.all([9001, 9002, 9003, 9004].map(add));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await stage.send('dev', 'GET', `/v3/routes/${own.route}/destinations`);
    const ports = (body as { destinations: { port: number }[] }).destinations.map(({ port }) => port);
    expect(ports.sort()).toEqual([8080, 9001, 9002, 9003, 9004]);
  });

  it('leaves no token in the log', () => {
    expect(stage.log.length).toBeGreaterThan(20);
    expect(stage.log.filter((line) => line.includes('token-of-'))).toEqual([]);
  });
});

function guidOf({ body }: Answer): string {
  return (body as { readonly guid: string }).guid;
}
