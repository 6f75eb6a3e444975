import * as net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/control/metrics.ts';
import type { Page } from '../../src/portrait/wire.ts';
import { withServerMetrics } from '../../src/server/server-metrics.ts';
import { boat, boats } from './boat.ts';
import { DashboardStage } from './dashboard-stage.ts';

const subject = (name: string, namespace = 'north') =>
  expect.objectContaining({ subject: expect.objectContaining({ namespace, name }) });

describe('the stream', () => {
  let stage: DashboardStage;
  beforeAll(async () => {
    stage = await DashboardStage.open();
    await stage.launch(boat('north', 'erik'));
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it('tells the fleet, then what changes, then what is gone', async () => {
    const admin = await stage.login('admin');
    const stream = stage.follow('/api/stream', admin);
    await expect.poll(() => stream.said('fleet')).toEqual([[subject('erik')]]);
    expect(stream.text).toMatch(/^retry: \d+\n/);
    await stage.create(boat('south', 'odin', 3));
    await expect.poll(() => stream.said('changed')).toEqual([subject('odin', 'south')]);
    await stage.person.resource(boats).delete({ namespace: 'south', name: 'odin' });
    await expect.poll(() => stream.said('gone')).toEqual([{ id: 'Boat/south/odin' }]);
    stream.leave();
  });

  it('says nothing when nothing shows, and asks the cluster nothing once the person is known', async () => {
    const admin = await stage.login('admin');
    const stream = stage.follow('/api/stream', admin);
    await expect.poll(() => stream.said('fleet')).toHaveLength(1);
    stage.requests.length = 0;
    const patch = (body: object) =>
      stage.person.resource(boats).patch({ namespace: 'north', name: 'erik' }, { type: 'merge', body });
    await patch({ metadata: { labels: { quiet: 'yes' } } });
    await patch({ spec: { speed: 9 } });
    await expect.poll(() => stream.said('changed')).toEqual([expect.objectContaining({ headline: 'sails at 9' })]);
    expect(stage.requests).toEqual([]);
    stream.leave();
  });

  it('tells the page of a workload whenever it changes, and when it is missing', async () => {
    const admin = await stage.login('admin');
    const stream = stage.follow('/api/stream?watch=Boat/north/knut', admin);
    await expect.poll(() => stream.said('missing')).toEqual([{ id: 'Boat/north/knut' }]);
    await stage.create(boat('north', 'knut'));
    await expect.poll(() => stream.said('page')).toHaveLength(1);
    await stage.person
      .resource(boats)
      .status.patch({ namespace: 'north', name: 'knut' }, { type: 'merge', body: { status: { note: 'halfway' } } });
    await expect.poll(() => (stream.said('page').at(-1) as Page).portrait.answers.progress).toBe('halfway');
    const page = await stage.get('/api/page?id=Boat/north/knut', admin);
    expect(page.body).toEqual(stream.said('page').at(-1));
    expect((page.body as Page).offers).toMatchObject([
      { verb: 'restart', command: expect.any(String) },
      { verb: 'abort', whyNot: 'Nothing is being changed.' },
    ]);
    stream.leave();
  });
});

describe('streams of one person', () => {
  it('are bounded also when many are asked for at once, and leave their place to others', async () => {
    const metrics = withServerMetrics(createMetrics({ process: false }));
    const open = async () => Number(/^cutover_dashboard_streams (\d+)$/m.exec((await metrics.page()).text)?.[1]);
    await using stage = await DashboardStage.open({ metrics });
    await stage.launch(boat('north', 'erik'));
    const { cookie, csrf } = await stage.login('admin');
    const status = async (): Promise<number> => {
      const one = stage.follow('/api/stream', { cookie, csrf });
      await expect.poll(() => one.status).not.toBe(0);
      return one.status;
    };
    const socket = net.connect(stage.port, '127.0.0.1');
    socket.write(`GET /api/stream HTTP/1.1\r\nhost: 127.0.0.1:${stage.port}\r\ncookie: ${cookie}\r\n\r\n`.repeat(140));
    await expect.poll(open).toBeGreaterThan(0);
    expect(await status()).toBe(429);
    expect(await open()).toBe(128);
    socket.destroy();
    await expect.poll(status).toBe(200);
  });
});

describe('a dashboard of some namespaces', () => {
  it('shows those and no others', async () => {
    await using stage = await DashboardStage.open({ namespaces: ['north', 'east'] });
    await stage.create(boat('south', 'odin'));
    await stage.launch(boat('north', 'erik'));
    const admin = await stage.login('admin');
    const stream = stage.follow('/api/stream', admin);
    await expect.poll(() => stream.said('fleet')).toEqual([[subject('erik')]]);
    expect((await stage.get('/api/page?id=Boat/south/odin', admin)).status).toBe(404);
  });
});
