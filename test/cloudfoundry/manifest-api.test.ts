import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { cfProcess } from '../../src/cloudfoundry/resources/cf-process.ts';
import { cfRoute } from '../../src/cloudfoundry/resources/cf-route.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { PushStage } from './push-stage.ts';

const written = [cfApp, cfProcess, cfRoute, { type: kinds.secrets }];

describe('a manifest', () => {
  let stage: PushStage;
  beforeAll(async () => {
    stage = await PushStage.open();
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });

  const urls = async (app: string): Promise<readonly string[]> =>
    (await stage.get(`/v3/apps/${await stage.app(app)}/routes`)).resources.map(({ url }) => url).sort();

  const full = [
    'applications:',
    '- name: full',
    '  docker: {image: r/app:1}',
    '  memory: 64M',
    '  instances: 2',
    '  env: {K: v}',
    '  routes: [{route: full.apps.example/path}, {route: other.apps.example}]',
    '  metadata: {labels: {team: a}, annotations: {note: n}}',
    '  health-check-type: http',
    '  processes: [{type: worker, command: sleep 9, instances: 1}]',
  ].join('\n');

  it('makes an app with all that it says', async () => {
    const answer = await stage.apply(full);
    expect(answer).toMatchObject({ status: 202, location: expect.stringContaining('/v3/jobs/space.apply_manifest~') });
    const job = await stage.get(new URL(answer.location ?? '').pathname);
    expect(job.state).toBe('COMPLETE');
    const app = await stage.app('full');
    expect((await stage.get(`/v3/apps/${app}/environment_variables`)).var).toEqual({ K: 'v' });
    expect((await stage.get(`/v3/apps/${app}`)).metadata).toMatchObject({
      labels: { team: 'a' },
      annotations: { note: 'n' },
    });
    const web = await stage.get(`/v3/apps/${app}/processes/web`);
    expect(web).toMatchObject({
      instances: 2,
      memory_in_mb: 64,
      health_check: { type: 'http', data: { endpoint: '/' } },
    });
    expect(await stage.get(`/v3/apps/${app}/processes/worker`)).toMatchObject({ instances: 1, command: 'sleep 9' });
    expect(await urls('full')).toEqual(['full.apps.example/path', 'other.apps.example']);
  });

  it('changes nothing when it is applied again, nor when it is made of the app', async () => {
    await stage.stage.clock.advance(10_000);
    const before = await stage.versions(written);
    expect((await stage.apply(full)).status).toBe(202);
    const app = await stage.app('full');
    const answer = await stage.stage.send('dev', 'GET', `/v3/apps/${app}/manifest`);
    expect(answer.headers.get('content-type')).toBe('application/x-yaml');
    expect((await stage.apply(String(answer.body))).status).toBe(202);
    expect(await stage.versions(written)).toBe(before);
    const path = `/v3/spaces/${stage.space}/manifest_diff`;
    const diff = await stage.stage.send('dev', 'POST', path, String(answer.body), {
      'content-type': 'application/x-yaml',
    });
    expect(diff).toMatchObject({ status: 202, body: { diff: [] } });
  });

  it('takes away what it says it does, and leaves alone what it does not speak of', async () => {
    const change = 'applications: [{name: full, env: {K: null, L: w}, metadata: {labels: {team: null}}, instances: 0}]';
    expect((await stage.apply(change)).status).toBe(202);
    const app = await stage.app('full');
    expect((await stage.get(`/v3/apps/${app}/environment_variables`)).var).toEqual({ L: 'w' });
    const { labels } = (await stage.get(`/v3/apps/${app}`)).metadata as { labels: object };
    expect(labels).not.toHaveProperty('team');
    expect(await stage.get(`/v3/apps/${app}/processes/web`)).toMatchObject({ instances: 0, memory_in_mb: 64 });
    expect(await urls('full')).toHaveLength(2);
    await stage.apply('applications: [{name: full, no-route: true}]');
    expect(await urls('full')).toEqual([]);
  });

  it('gives an app without a route one of its own, once', async () => {
    await stage.apply('applications: [{name: own_one, default-route: true}, {name: dice, random-route: true}]');
    expect(await urls('own_one')).toEqual(['own-one.apps.example']);
    const [random] = await urls('dice');
    expect(random).toMatch(/^dice-[a-z0-9]{5}\.apps\.example$/);
    await stage.apply('applications: [{name: own_one, random-route: true}, {name: dice, default-route: true}]');
    expect(await urls('own_one')).toEqual(['own-one.apps.example']);
    expect(await urls('dice')).toEqual([random]);
  });

  it('gives one new route to all of its apps that want it', async () => {
    const routes = '[{route: shared.apps.example}, {route: shared.apps.example}]';
    const both = `applications: [{name: left, routes: ${routes}}, {name: right, routes: ${routes}}]`;
    expect((await stage.apply(both)).status).toBe(202);
    expect([await urls('left'), await urls('right')]).toEqual([['shared.apps.example'], ['shared.apps.example']]);
  });

  it('waits for an app of the same name to be gone', async () => {
    await stage.apply('applications: [{name: leaving}]');
    const at = { namespace: stage.space, name: await stage.app('leaving') };
    const apps = stage.stage.person.resource(cfApp.type);
    await apps.patch(at, { type: 'merge', body: { metadata: { finalizers: ['test/held'] } } });
    await apps.delete(at);
    const answer = await stage.apply('applications: [{name: leaving}]');
    expect(answer.body.errors[0]?.detail).toMatch(/The app is being deleted/);
    await apps.patch(at, { type: 'merge', body: { metadata: { finalizers: null } } });
  });

  it('maps a route of the space that is there already', async () => {
    await stage.apply('applications: [{name: second, routes: [{route: other.apps.example}]}]');
    expect(await urls('second')).toEqual(['other.apps.example']);
  });

  it('tells what has no effect', async () => {
    const { warnings } = await stage.apply('applications: [{name: full, memroy: 1G}]');
    expect(warnings).toBe('applications%5B0%5D.memroy has no effect');
  });

  it.each([
    ['a setting', 'applications: [{name: good}, {name: bad, memory: 64}]', 422, /supported unit/],
    ['a variable', 'applications: [{name: good}, {name: bad, env: {PORT: "1"}}]', 422, /applications\[1\]\.env\.PORT/],
    ['a label', 'applications: [{name: good}, {name: bad, metadata: {labels: {cutover.dev/x: y}}}]', 422, /domain/],
    ['a domain', 'applications: [{name: good}, {name: bad, routes: [{route: a.no.where}]}]', 422, /did not match any/],
    ['a lifecycle', 'applications: [{name: good}, {name: full, buildpacks: [b]}]', 422, /Lifecycle type cannot/],
    ['no YAML', 'applications: [', 400, /parse error/],
  ])('is applied as a whole or not at all: %s', async (_what, manifest, status, why) => {
    const before = await stage.versions(written);
    const answer = await stage.apply(manifest);
    expect(answer.status).toBe(status);
    expect(answer.body.errors[0]?.detail).toMatch(why);
    expect(await stage.versions(written)).toBe(before);
  });

  it('does not take an address of another space', async () => {
    const theirs = 'applications: [{name: theirs, routes: [{route: taken.apps.example}]}]';
    expect((await stage.apply(theirs, stage.other, 'cf-admin')).status).toBe(202);
    const before = await stage.versions(written);
    const answer = await stage.apply('applications: [{name: mine, routes: [{route: taken.apps.example}]}]');
    expect(answer.body.errors[0]?.detail).toBe(
      "For application 'mine': The route 'taken.apps.example' is taken by another space.",
    );
    expect(await stage.versions(written)).toBe(before);
  });

  it('is not for a space of others', async () => {
    for (const path of ['actions/apply_manifest', 'manifest_diff']) {
      const answer = await stage.send('POST', `/v3/spaces/${stage.other}/${path}`, { applications: [{ name: 'x' }] });
      expect(answer.status).toBe(404);
      expect(answer.body.errors[0]?.detail).toMatch(/^Space not found/);
    }
  });
});
