import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boat } from './boat.ts';
import { cookieOf, DashboardStage } from './dashboard-stage.ts';

describe('logging in', () => {
  let stage: DashboardStage;
  beforeAll(async () => {
    stage = await DashboardStage.open();
    await stage.launch(boat('north', 'erik'));
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it('is done with a token of the cluster, and shows who one is', async () => {
    const reply = await stage.post('/api/login', { token: 'token-of-ann' });
    expect(reply).toMatchObject({ status: 200, body: { user: 'ann', readOnly: false, version: '1.2.3' } });
    const [cookie = ''] = reply.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^cutover-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const again = await stage.get('/api/session', { cookie: cookieOf(reply) });
    expect(again.body).toEqual(reply.body);
  });

  it('is refused with a wrong token, and nothing is set', async () => {
    for (const token of ['wrong', '', 'a b', 'é', 'x'.repeat(70_000)]) {
      const reply = await stage.post('/api/login', { token });
      expect([400, 401]).toContain(reply.status);
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
    expect(JSON.stringify(stage.log)).not.toContain('token-of');
  });

  it('is refused from a page of another site', async () => {
    const headers = { origin: 'https://evil.example' };
    expect(await stage.post('/api/login', { token: 'token-of-ann' }, { headers })).toMatchObject({ status: 403 });
  });

  it('is needed for everything that tells something', async () => {
    for (const path of [
      '/api/session',
      '/api/stream',
      '/api/page?id=Boat/north/erik',
      '/api/logs',
      '/api/graph',
      '/api/x',
    ]) {
      expect(await stage.get(path), path).toMatchObject({ status: 401, body: { error: 'You are not logged in.' } });
    }
    expect((await stage.get('/api/session', { cookie: `cutover-${stage.port}=${'A'.repeat(43)}` })).status).toBe(401);
  });

  it('ends by logging out, everywhere at once', async () => {
    const ann = await stage.login('ann');
    const stream = stage.follow('/api/stream', ann);
    await expect.poll(() => stream.said('fleet')).toHaveLength(1);
    expect(await stage.post('/api/logout', {}, ann)).toMatchObject({ status: 204 });
    await expect.poll(() => stream.ended).toBe(true);
    expect((await stage.get('/api/session', ann)).status).toBe(401);
  });

  it('by the one-time link works once, and a new one makes the one before it useless', async () => {
    const path = (): string =>
      new URL(stage.dashboard.onceLink() ?? '').pathname + new URL(stage.dashboard.onceLink() ?? '').search;
    const [old, link] = [path(), path()];
    expect((await stage.get(old)).status).toBe(401);
    const reply = await stage.get(link);
    expect(reply).toMatchObject({ status: 303, headers: { location: '/' } });
    expect((await stage.get('/api/session', { cookie: cookieOf(reply) })).body).toMatchObject({ user: 'root' });
    expect((await stage.get(link)).status).toBe(401);
    // Whoever came by it is led to where they are already.
    expect(await stage.get(link, { cookie: cookieOf(reply) })).toMatchObject({
      status: 303,
      headers: { location: '/' },
    });
  });

  it('by the one-time link is for this machine: a name that merely leads here is refused', async () => {
    const { search } = new URL(stage.dashboard.onceLink() ?? '');
    const headers = { host: `evil.example:${stage.port}` };
    expect((await stage.get(`/open${search}`, { headers })).status).toBe(421);
    expect((await stage.get('/', { headers })).status).toBe(421);
    expect((await stage.get(`/open${search}`)).status).toBe(303);
  });

  it('slows down whoever tries tokens, and lets in meanwhile who has a right one', async () => {
    const tries = await Promise.all(Array.from({ length: 30 }, () => stage.post('/api/login', { token: 'guess' })));
    expect(tries.map(({ status }) => status)).toContain(401);
    const reply = await stage.post('/api/login', { token: 'guess' });
    expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
    expect((await stage.post('/api/login', { token: 'token-of-ann' })).status).toBe(200);
  });
});
