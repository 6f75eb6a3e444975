import { describe, expect, it } from 'vitest';
import { seededRandom } from '../clock/random.ts';
import { VirtualClock } from '../clock/virtual.ts';
import { createEmbedded } from '../embedded/embedded.ts';
import { Client } from '../kube/client.ts';
import { kinds } from '../kube/kinds.ts';
import type { AnyObject } from '../kube/object.ts';
import { tellNews } from './news.ts';
import { Spoken } from './spoken.fixture.ts';

const place = { namespace: 'default' };

async function listening() {
  const clock = new VirtualClock();
  const cluster = await createEmbedded({ clock, random: seededRandom(1), nodes: { count: 0 } });
  const client = new Client(cluster.transport(), { clock });
  const { lines, say } = new Spoken();
  const stop = new AbortController();
  const from = 'cutover.dev/operator';
  const state = ({ data }: AnyObject): string | undefined => (data as { is?: string } | undefined)?.is;
  const followed = [{ type: kinds.configMaps, state }];
  const ended = tellNews({ client, clock, from, except: ['Boring'], followed, say, signal: stop.signal });
  await clock.advance(100);
  const event = async (name: string, more: object): Promise<void> => {
    await client.resource(kinds.events).create({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name, ...place },
      regarding: { kind: 'Lamp', name: 'one', ...place },
      reason: 'Shining',
      note: 'it shines\nand shines',
      type: 'Normal',
      action: 'Shining',
      eventTime: '2030-01-01T00:00:00.000000Z',
      reportingController: from,
      reportingInstance: 'x',
      ...more,
    } as AnyObject);
    await clock.advance(100);
  };
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one', ...place } };
  const set = async (data: object): Promise<void> => {
    const object: AnyObject = { ...configMap, data };
    await client.resource(kinds.configMaps).apply(object, { manager: 'test', force: true });
    await clock.advance(100);
  };
  const end = async (): Promise<void> => {
    stop.abort();
    await clock.advance(2_000);
    await ended;
    await cluster.close();
  };
  return { clock, client, lines, event, set, end };
}

describe('news', () => {
  it('are the first lines of what one controller says, with a mark for warnings', async () => {
    const { lines, event, end } = await listening();
    await event('a', {});
    await event('b', { type: 'Warning', reason: 'Dim' });
    await event('c', { reportingController: 'somebody.else/x' });
    await event('d', { reason: 'Boring' });
    expect(lines).toEqual(['Lamp one: Shining: it shines', '! Lamp one: Dim: it shines']);
    await end();
  });

  it('are how objects fare, whenever it reads differently', async () => {
    const { client, clock, lines, set, end } = await listening();
    await set({});
    await set({ is: 'on' });
    await set({ is: 'on', since: 'yesterday' });
    await set({ is: 'off' });
    await client.resource(kinds.configMaps).delete({ ...place, name: 'one' });
    await clock.advance(100);
    expect(lines).toEqual(['ConfigMap one is on', 'ConfigMap one is off', 'ConfigMap one is gone']);
    await end();
  });
});
