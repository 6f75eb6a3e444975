import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { PushStage } from './push-stage.ts';

describe('the logs of an app', () => {
  let stage: PushStage;
  let app: string;
  beforeAll(async () => {
    stage = await PushStage.open();
    app = await stage.push('web', 'nginx:1');
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });

  it('say which instance has printed a line, and how it was staged', async () => {
    await stage.send('POST', `/v3/apps/${app}/processes/web/actions/scale`, { instances: 2 });
    await stage.stage.clock.advance(30_000);
    const lines = await stage.logs(app);
    expect(lines).toContainEqual(expect.stringMatching(/^APP\/PROC\/WEB\/0 OUT /));
    expect(lines).toContainEqual(expect.stringMatching(/^APP\/PROC\/WEB\/1 OUT /));
    expect(lines).toContainEqual(expect.stringMatching(/^STG\/0 OUT Staging complete: nginx:1/));
  });

  it('come from the newest or the oldest end, between two instants', async () => {
    const all = (await stage.get(`/api/v1/read/${app}?limit=1000`)).envelopes.batch;
    const times = all.map(({ timestamp }) => BigInt(timestamp));
    expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    const newest = (await stage.get(`/api/v1/read/${app}?limit=2&descending=true`)).envelopes.batch;
    expect(newest).toEqual(all.slice(-2).reverse());
    expect((await stage.get(`/api/v1/read/${app}?limit=2`)).envelopes.batch).toEqual(all.slice(0, 2));
    const after = `/api/v1/read/${app}?limit=1000&start_time=${times[1]}&end_time=${times.at(-1)}`;
    expect((await stage.get(after)).envelopes.batch).toEqual(
      all.filter(({ timestamp }) => BigInt(timestamp) >= (times[1] ?? 0n) && BigInt(timestamp) < (times.at(-1) ?? 0n)),
    );
  });

  it('have no field that a strict reader does not know', async () => {
    const [envelope] = (await stage.get(`/api/v1/read/${app}?descending=true`)).envelopes.batch;
    expect(envelope).toEqual({
      timestamp: expect.stringMatching(/^\d{19}$/),
      source_id: app,
      instance_id: expect.stringMatching(/^\d+$/),
      tags: { source_type: 'APP/PROC/WEB' },
      log: { payload: expect.any(String), type: 'OUT' },
    });
  });

  it('are those of the present revision alone', async () => {
    const before = await stage.get(`/api/v1/read/${app}?limit=1000&envelope_types=LOG`);
    const newestBefore = BigInt(before.envelopes.batch.at(-1)?.timestamp ?? '0');
    await stage.send('POST', '/v3/deployments', { relationships: { app: { data: { guid: app } } } });
    const during = await stage.logs(app);
    expect(during.filter((line) => line.startsWith('APP/PROC'))).toEqual([]);
    await stage.stage.clock.advance(120_000);
    const after = (await stage.get(`/api/v1/read/${app}?limit=1000`)).envelopes.batch;
    const printed = after.filter(({ tags }) => tags.source_type !== 'STG');
    expect(printed.length).toBeGreaterThan(0);
    expect(printed.every(({ timestamp }) => BigInt(timestamp) > newestBefore)).toBe(true);
  });

  it('keep what a container printed before it crashed', async () => {
    const crashing = await stage.push('crash', 'busybox:1');
    const body = { command: 'echo last words; exit 1', health_check: { type: 'process' } };
    const { guid } = await stage.get(`/v3/apps/${crashing}/processes/web`);
    await stage.send('PATCH', `/v3/processes/${guid}`, body);
    await stage.send('POST', `/v3/apps/${crashing}/actions/restart`);
    await stage.stage.clock.advance(60_000);
    const pods = await stage.stage.person.resource(kinds.pods).list({ namespace: stage.space });
    expect(JSON.stringify(pods.items.map(({ status }) => status))).toContain('restartCount');
    const words = (await stage.logs(crashing)).filter((line) => line.endsWith('last words'));
    // Once: while it waits to be started again, the output of the container is that of the one before.
    expect(words).toHaveLength(1);
  });

  it('are not for a person who may see the app, but not its pods', async () => {
    const user = { data: { username: 'system:serviceaccount:cf:nobody' } };
    const space = { data: { guid: stage.space } };
    const { organization } = (await stage.get(`/v3/spaces/${stage.space}`, 'cf-admin')).relationships as {
      organization: object;
    };
    const give = (type: string, where: object) =>
      stage.send('POST', '/v3/roles', { type, relationships: { user, ...where } }, 'cf-admin');
    expect((await give('organization_user', { organization })).status).toBe(201);
    expect((await give('space_auditor', { space })).status).toBe(201);
    await stage.stage.clock.advance(2_000);
    expect((await stage.get(`/v3/apps/${app}`, 'nobody')).guid).toBe(app);
    expect(await stage.send('GET', `/api/v1/read/${app}`, undefined, 'nobody')).toMatchObject({ status: 403 });
  });
});
