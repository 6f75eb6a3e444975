import { describe, expect, it } from 'vitest';
import { boat } from './boat.ts';
import { DashboardStage } from './dashboard-stage.ts';

const sessionKey = 'a key that all replicas have, and nobody else';

/** The cookie's name has the port in it, which another process on another machine shares; here it differs. */
const at = (stage: DashboardStage, cookie: string): string => cookie.replace(/^cutover-\d+/, `cutover-${stage.port}`);

describe('a session', () => {
  it('goes on in another process that has the same key, with the page as it is open', async () => {
    await using first = await DashboardStage.open({ sessionKey });
    await using second = await DashboardStage.open({ sessionKey });
    await second.launch(boat('north', 'erik'));
    const ann = await first.login('ann');
    expect(ann.cookie).not.toContain('token-of');
    await second.grant('ann', 'north', ['list', 'get', 'patch'], 'boats.toys.example.com');
    const there = { ...ann, cookie: at(second, ann.cookie) };
    const replies = await Promise.all([1, 2, 3].map(() => second.get('/api/session', there)));
    for (const reply of replies) expect(reply).toMatchObject({ status: 200, body: { user: 'ann', csrf: ann.csrf } });
    // It began once, however many asked at once.
    expect(second.log.filter(({ message }) => message.includes('logged in'))).toHaveLength(2);
    expect((await second.post('/api/logout', {}, there)).status).toBe(204);
    expect((await second.get('/api/session', there)).status).toBe(401);
  });

  it('ends with its process where there is no key, or another one', async () => {
    await using first = await DashboardStage.open({ sessionKey });
    await using other = await DashboardStage.open({ sessionKey: `${sessionKey}, but another` });
    await using without = await DashboardStage.open();
    const { cookie } = await first.login('ann');
    for (const stage of [other, without]) {
      expect((await stage.get('/api/session', { cookie: at(stage, cookie) })).status).toBe(401);
    }
  });
});
