import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { boat } from './boat.ts';
import { DashboardStage } from './dashboard-stage.ts';

describe('logs', () => {
  let stage: DashboardStage;
  beforeAll(async () => {
    stage = await DashboardStage.open({
      // A cluster takes a moment to answer.
      clientFor: ({ authorization = '' }) => {
        const name = authorization.replace('Bearer token-of-', '');
        const transport = stage.embedded.transport({ name, groups: ['system:authenticated'] });
        const request: typeof transport.request = async (asked) => {
          await setTimeout(100);
          return transport.request(asked);
        };
        return new Client({ ...transport, request });
      },
    });
    await stage.launch(boat('north', 'erik'));
    for (const [name, labels] of [
      ['erik-0', { boat: 'erik' }],
      ['stranger', {}],
    ] as const) {
      const metadata = { namespace: 'north', name, labels };
      const spec = { containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', 'echo ahoy; sleep 1000'] }] };
      await stage.create({ apiVersion: 'v1', kind: 'Pod', metadata, spec } as KubeObject);
    }
    const phase = async () =>
      (
        (await stage.person.resource(kinds.pods).get({ namespace: 'north', name: 'erik-0' })).status as {
          phase: string;
        }
      ).phase;
    await vi.waitFor(async () => expect(await phase()).toBe('Running'), 10_000);
    await stage.grant('ann', 'north', ['list'], 'boats.toy.cutover.dev');
    await stage.grant('ann', 'north', ['list'], 'pods');
    await stage.grant('ann', 'north', ['get'], 'pods/log');
    await stage.grant('bob', 'north', ['list'], 'boats.toy.cutover.dev');
    await stage.grant('bob', 'north', ['list'], 'pods');
  }, 20_000);
  afterAll(() => stage[Symbol.asyncDispose]());

  it('are followed by whoever may read them, and end when they leave', async () => {
    const ann = await stage.login('ann');
    const log = stage.follow('/api/logs?id=Boat/north/erik&pod=erik-0&container=main', ann);
    await expect.poll(() => log.status).toBe(200);
    expect(log.ended).toBe(false);
    expect((await stage.post('/api/logout', {}, ann)).status).toBe(204);
    await expect.poll(() => log.ended).toBe(true);
  });

  it('are bounded for each person, however many are asked for at once', async () => {
    const ann = await stage.login('ann');
    const ask = () => stage.follow('/api/logs?id=Boat/north/erik&pod=erik-0&container=main', ann);
    const logs = Array.from({ length: 40 }, ask);
    await expect.poll(() => logs.every(({ status }) => status !== 0), { timeout: 5_000 }).toBe(true);
    expect(logs.filter(({ status }) => status === 200)).toHaveLength(16);
    for (const log of logs) log.leave();
    await expect
      .poll(async () => {
        const again = ask();
        await expect.poll(() => again.status).not.toBe(0);
        again.leave();
        return again.status;
      })
      .toBe(200);
  });

  it('are refused to whoever may not, and of pods that are not of the workload', async () => {
    const [ann, bob] = [await stage.login('ann'), await stage.login('bob')];
    const ask = (query: string, who: typeof ann) => stage.get(`/api/logs?id=Boat/north/erik&${query}`, who);
    expect(await ask('pod=erik-0', bob)).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('pods/log') },
    });
    for (const pod of ['stranger', '', '..', 'erik-0%2flog', '%00']) {
      expect((await ask(`pod=${pod}`, ann)).status).toBe(404);
    }
    expect(await ask('pod=erik-0&container=nope', ann)).toMatchObject({ status: 404 });
  });
});
