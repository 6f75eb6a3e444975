import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boat, boats } from './boat.ts';
import { type Browser, DashboardStage } from './dashboard-stage.ts';

const erik = { namespace: 'north', name: 'erik' };

describe('what people do', () => {
  let stage: DashboardStage;
  let admin: Browser;
  beforeAll(async () => {
    stage = await DashboardStage.open();
    await stage.launch(boat('north', 'erik'));
    admin = await stage.login('admin');
  });
  afterAll(() => stage[Symbol.asyncDispose]());
  const flag = async () => ((await stage.person.resource(boats).get(erik)).spec as { flag?: string }).flag;

  it('is refused without the token of the session, and from another site', async () => {
    const other = await stage.login('admin');
    const attempts: readonly Browser[] = [
      { ...admin, csrf: '' },
      { ...admin, csrf: other.csrf },
      { ...admin, headers: { origin: 'https://evil.example' } },
      { ...admin, headers: { 'sec-fetch-site': 'cross-site' } },
    ];
    for (const attempt of attempts) {
      expect((await stage.post('/api/do?id=Boat/north/erik', { verb: 'restart' }, attempt)).status).toBe(403);
      expect((await stage.post('/api/logout', {}, attempt)).status).toBe(403);
    }
    const form = { ...admin, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await stage.post('/api/do?id=Boat/north/erik', { verb: 'restart' }, form)).status).toBe(415);
    expect(await flag()).toBeUndefined();
  });

  it('says why when a workload has no such verb, or it cannot be done now', async () => {
    const attempt = async (body: unknown) => stage.post('/api/do?id=Boat/north/erik', body, admin);
    expect(await attempt({ verb: 'abort' })).toMatchObject({
      status: 409,
      body: { error: 'Nothing is being changed.' },
    });
    expect(await attempt({ verb: 'promote' })).toMatchObject({
      status: 422,
      body: { error: 'There is no promote for Boat.' },
    });
    for (const body of [
      { verb: '__proto__' },
      { verb: 1 },
      [],
      'x',
      null,
      { verb: 'restart', wish: { force: 'yes' } },
    ]) {
      expect((await attempt(body)).status).toBe(400);
    }
    expect((await stage.send('POST', '/api/do?id=Boat/north/erik', '{', admin)).status).toBe(400);
  });

  it('is planned by what the cluster would store, and nothing is stored', async () => {
    const attempt = async (patch: string) => stage.post('/api/plan?id=Boat/north/erik', { patch }, admin);
    expect(await attempt('spec:\n  speed: 7')).toMatchObject({
      status: 200,
      body: { risk: 'restart', line: 'goes from 1 to 7' },
    });
    expect(await attempt('{"spec":{"speed":1}}')).toMatchObject({ status: 200, body: { risk: 'none' } });
    expect(await attempt('spec: { speed: -1 }')).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('spec.speed') },
    });
    expect(await attempt('spec: { sped: 3 }')).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('sped') },
    });
    expect((await stage.person.resource(boats).get(erik)).spec).toMatchObject({ speed: 1 });
  });

  it('cannot be planned by somebody who may not change it', async () => {
    await stage.grant('bob', 'north', ['list', 'get'], 'boats.toy.cutover.dev');
    const reply = await stage.post(
      '/api/plan?id=Boat/north/erik',
      { patch: 'spec: { speed: 7 }' },
      await stage.login('bob'),
    );
    expect(reply).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('You may not change Boat erik') },
    });
  });

  it('may be anything: ids, bodies and paths that are none are answered in one line', async () => {
    const ids = [
      '',
      '/',
      '//',
      '..%2f..%2fapi',
      '%00',
      '%zz',
      'Boat%2fnorth%2f__proto__',
      'constructor',
      '💥'.repeat(500),
      'Boat/north/erik/',
      'Boat//erik',
    ];
    for (const id of ids) {
      for (const path of [`/api/page?id=${encodeURI(id)}`, `/api/graph?id=${encodeURI(id)}`]) {
        const reply = await stage.get(path, admin);
        expect([path, reply.status]).toEqual([path, 404]);
        expect(Object.keys(reply.body as object)).toEqual(['error']);
      }
    }
    expect((await stage.get('/api/__proto__', admin)).status).toBe(404);
    expect((await stage.get('/api/../../etc/passwd', admin)).status).toBe(404);
    expect((await stage.send('DELETE', '/api/page', undefined, admin)).status).toBe(404);
    expect((await stage.send('HEAD', '/api/stream', undefined, admin)).status).toBe(404);
    const long = await stage
      .post('/api/plan?id=Boat/north/erik', { patch: 'x'.repeat(2 << 20) }, admin)
      .catch(() => undefined);
    expect(long === undefined || long.status === 413).toBe(true);
    expect((await stage.get('/api/session', admin)).status).toBe(200);
  });
});

describe('a dashboard that only shows', () => {
  it('refuses to do anything, and offers nothing', async () => {
    await using stage = await DashboardStage.open({ readOnly: true });
    await stage.launch(boat('north', 'erik'));
    const admin = await stage.login('admin');
    expect((await stage.get('/api/session', admin)).body).toMatchObject({ readOnly: true });
    expect((await stage.post('/api/do?id=Boat/north/erik', { verb: 'restart' }, admin)).status).toBe(403);
    const page = await stage.get('/api/page?id=Boat/north/erik', admin);
    expect(page.body).toMatchObject({
      offers: [{ verb: 'restart', whyNot: expect.stringContaining('only shows') }, {}],
    });
    expect((await stage.person.resource(boats).get(erik)).spec).toEqual({ speed: 1 });
  });
});
