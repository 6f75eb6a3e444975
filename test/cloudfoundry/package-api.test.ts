import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { PushStage } from './push-stage.ts';

describe('packages, builds and droplets in the API', () => {
  let stage: PushStage;
  let app: string;
  beforeAll(async () => {
    stage = await PushStage.open();
    app = await stage.push('web', 'nginx:1');
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });

  const relationships = (guid: string) => ({ app: { data: { guid } } });

  it('keep the password of a registry in a Secret, and nowhere else', async () => {
    const data = { image: 'registry.example/private:1', username: 'user', password: 'very-secret' };
    const { status, body } = await stage.send('POST', '/v3/packages', {
      type: 'docker',
      relationships: relationships(app),
      data,
    });
    expect({ status, data: body.data }).toEqual({ status: 201, data: { image: data.image } });
    const name = { namespace: stage.space, name: body.guid };
    const secret = await stage.stage.person.resource(kinds.secrets).get(name);
    expect(secret).toMatchObject({
      type: 'kubernetes.io/dockerconfigjson',
      metadata: { ownerReferences: [{ kind: 'CFPackage' }] },
    });
    expect(stage.stage.log.join('\n')).not.toContain('very-secret');
  });

  it('are found the ways cf looks for them', async () => {
    const [newest] = (await stage.get(`/v3/packages?app_guids=${app}&order_by=-created_at&page=1&per_page=1`))
      .resources;
    expect(newest).toMatchObject({ state: 'READY' });
    const all = (await stage.get(`/v3/packages?app_guids=${app}&states=READY`)).resources;
    expect((await stage.get(`/v3/packages?guids=${all[0]?.guid}&app_guids=${app}`)).resources).toHaveLength(1);
    const droplets = await stage.get(`/v3/packages/${all[0]?.guid}/droplets?page=1&per_page=1&states=STAGED`);
    expect(droplets.resources).toMatchObject([{ state: 'STAGED', image: 'nginx:1' }]);
    expect((await stage.get(`/v3/apps/${app}/droplets?current=true`)).resources).toHaveLength(1);
    expect((await stage.get(`/v3/apps/${app}/builds`)).resources).toMatchObject([{ state: 'STAGED', error: null }]);
    expect((await stage.get(`/v3/builds?states=FAILED&app_guids=${app}`)).resources).toEqual([]);
  });

  it('say clearly that files cannot be uploaded', async () => {
    await stage.apply('applications: [{name: source}]');
    const made = await stage.send('POST', '/v3/packages', {
      type: 'bits',
      relationships: relationships(await stage.app('source')),
    });
    expect(made).toMatchObject({ status: 201, body: { state: 'AWAITING_UPLOAD' } });
    const upload = await stage.send('POST', `/v3/packages/${made.body.guid}/upload`);
    expect(upload).toMatchObject({ status: 422 });
    expect(upload.body.errors[0]?.detail).toMatch(/--docker-image/);
    const build = await stage.send('POST', '/v3/builds', { package: { guid: made.body.guid } });
    expect(build.body.errors[0]?.detail).toBe('Cannot stage package whose state is not ready.');
  });

  it.each([
    [{ type: 'docker' }, 'data.image cannot be blank'],
    [{ type: 'docker', data: { image: 'a b' } }, 'data.image must be the reference of an image'],
    [{ type: 'docker', data: { image: 'a', username: 'u' } }, 'data.username and data.password must be given together'],
    [{ type: 'bits' }, 'Cannot create bits package for a docker app.'],
    [{ type: 'docker', data: { image: 'a' }, metadata: { labels: { 'cutover.dev/x': 'y' } } }, /cutover.dev domain/],
  ])('refuse %j', async (body, detail) => {
    const answer = await stage.send('POST', '/v3/packages', { ...body, relationships: relationships(app) });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]?.detail).toMatch(detail);
  });

  it('are nothing to whoever has no role in the space', async () => {
    const [source] = (await stage.get(`/v3/packages?app_guids=${app}`)).resources;
    const [droplet] = (await stage.get(`/v3/apps/${app}/droplets`)).resources;
    for (const path of [`packages/${source?.guid}`, `builds/${droplet?.guid}`, `droplets/${droplet?.guid}`]) {
      expect(await stage.send('GET', `/v3/${path}`, undefined, 'nobody')).toMatchObject({ status: 404 });
    }
    for (const path of ['packages', 'builds', 'droplets']) {
      expect((await stage.get(`/v3/${path}?app_guids=${app}`, 'nobody')).resources).toEqual([]);
    }
    const build = { package: { guid: source?.guid } };
    expect(await stage.send('POST', '/v3/builds', build, 'nobody')).toMatchObject({ status: 422 });
  });
});
