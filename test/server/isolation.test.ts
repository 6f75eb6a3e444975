import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../src/portrait/wire.ts';
import { boat, boats } from './boat.ts';
import { DashboardStage } from './dashboard-stage.ts';

const nothing = { error: 'There is no such workload, or you may not see it.' };
const names = (fleet: unknown): readonly string[] =>
  (fleet as { subject: { name: string } }[]).map(({ subject }) => subject.name).sort();

describe('two people with rights in different namespaces', () => {
  let stage: DashboardStage;
  beforeAll(async () => {
    stage = await DashboardStage.open();
    await stage.grant('ann', 'north', ['list', 'get', 'patch'], 'boats.toy.cutover.dev');
    await stage.grant('ann', 'north', ['list'], 'pods');
    await stage.grant('bob', 'south', ['list', 'get'], 'boats.toy.cutover.dev');
    await stage.launch(boat('north', 'erik'));
    await stage.launch(boat('south', 'odin'));
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it('see their own namespace, and hear nothing of the other', async () => {
    const [ann, bob, eve] = [await stage.login('ann'), await stage.login('bob'), await stage.login('eve')];
    const streams = [ann, bob, eve].map((person) => stage.follow('/api/stream', person));
    for (const stream of streams) await expect.poll(() => stream.said('fleet')).toHaveLength(1);
    expect(streams.map((stream) => names(stream.said('fleet')[0]))).toEqual([['erik'], ['odin'], []]);
    await stage.launch(boat('north', 'harald'));
    await stage.launch(boat('south', 'olaf'));
    await stage.person.resource(boats).delete({ namespace: 'north', name: 'harald' });
    await stage.person.resource(boats).delete({ namespace: 'south', name: 'olaf' });
    await expect.poll(() => streams[0]?.said('gone')).toEqual([{ id: 'Boat/north/harald' }]);
    await expect.poll(() => streams[1]?.said('gone')).toEqual([{ id: 'Boat/south/olaf' }]);
    expect(streams[0]?.text).not.toContain('south');
    expect(streams[1]?.text).not.toContain('north');
    expect(streams[2]?.messages).toEqual([{ event: 'fleet', data: [] }]);
    for (const stream of streams) stream.leave();
  });

  it('cannot tell what they may not see from what is not there', async () => {
    const bob = await stage.login('bob');
    for (const id of ['Boat/north/erik', 'Boat/north/nobody']) {
      for (const path of ['page', 'graph', 'logs']) {
        expect(await stage.get(`/api/${path}?id=${id}&pod=x`, bob)).toMatchObject({ status: 404, body: nothing });
      }
      expect(await stage.post(`/api/do?id=${id}`, { verb: 'restart' }, bob)).toMatchObject({
        status: 404,
        body: nothing,
      });
      expect(await stage.post(`/api/plan?id=${id}`, { patch: '{}' }, bob)).toMatchObject({
        status: 404,
        body: nothing,
      });
      const stream = stage.follow(`/api/stream?watch=${id}`, bob);
      await expect.poll(() => stream.said('missing')).toEqual([{ id }]);
      expect(stream.said('page')).toEqual([]);
      stream.leave();
    }
  });

  it('see what is beside a workload as far as they may list that', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'north', name: 'erik-0', labels: { boat: 'erik' } },
    };
    await stage.create({ ...pod, spec: { containers: [{ name: 'main', image: 'app:1' }] } } as typeof pod);
    await stage.grant('eve', 'north', ['list'], 'boats.toy.cutover.dev');
    const [ann, eve] = [await stage.login('ann'), await stage.login('eve')];
    const page = async (who: typeof ann) => (await stage.get('/api/page?id=Boat/north/erik', who)).body as Page;
    await expect.poll(async () => (await page(ann)).portrait.pods.map(({ name }) => name)).toEqual(['erik-0']);
    expect((await page(eve)).portrait.answers.serves).toBe('its crew cannot be seen');
    expect(JSON.stringify(await page(eve))).not.toContain('erik-0');
  });

  it('are offered what they may do, and can do no more', async () => {
    const [ann, bob] = [await stage.login('ann'), await stage.login('bob')];
    const offer = async (who: typeof ann, id: string) =>
      ((await stage.get(`/api/page?id=${id}`, who)).body as Page).offers[0];
    expect(await offer(ann, 'Boat/north/erik')).toMatchObject({ verb: 'restart', stake: { what: 'availability' } });
    expect(await offer(ann, 'Boat/north/erik')).not.toHaveProperty('whyNot');
    expect(await offer(bob, 'Boat/south/odin')).toMatchObject({
      whyNot: 'You may not patch boats.toy.cutover.dev in namespace south. Ask for a role that allows it.',
    });
    const done = await stage.post('/api/do?id=Boat/north/erik', { verb: 'restart' }, ann);
    expect(done).toMatchObject({ status: 200, body: { said: 'it turns around' } });
    expect((await stage.person.resource(boats).get({ namespace: 'north', name: 'erik' })).spec).toHaveProperty('flag');
    const refused = await stage.post('/api/do?id=Boat/south/odin', { verb: 'restart' }, bob);
    expect(refused).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('You may not restart Boat odin') },
    });
    expect((await stage.person.resource(boats).get({ namespace: 'south', name: 'odin' })).spec).toEqual({ speed: 1 });
    const audit = stage.log.filter(({ message }) => message === 'a person acted by the dashboard');
    expect(audit.map(({ fields }) => fields)).toMatchObject([
      { user: 'ann', verb: 'restart', subject: 'Boat/north/erik', outcome: 'done' },
      { user: 'bob', verb: 'restart', subject: 'Boat/south/odin', outcome: 'refused by the cluster: 403' },
    ]);
  });
});
