import { expect, it } from 'vitest';
import { lamp } from '../../test/toy/resource.ts';
import { realRandom } from '../clock/random.ts';
import { realClock } from '../clock/real.ts';
import { createEmbedded } from '../embedded/embedded.ts';
import { Client } from '../kube/client.ts';
import type { AnyObject } from '../kube/object.ts';
import { crd } from '../schema/crd.ts';
import { install } from './install.ts';

const definition = crd(lamp) as unknown as AnyObject;

it('brings definitions, waits until their kinds are served, and may be repeated', async () => {
  const cluster = await createEmbedded({ clock: realClock, random: realRandom, nodes: { count: 0 } });
  const client = new Client(cluster.transport());
  const { signal } = new AbortController();
  await install(client, [definition], signal);
  expect((await client.resource(lamp.type).list()).items).toEqual([]);
  await install(client, [definition], signal);
  await cluster.close();
});

it('ends when it is told to', async () => {
  const cluster = await createEmbedded({ clock: realClock, random: realRandom, nodes: { count: 0 } });
  const client = new Client(cluster.transport());
  await expect(install(client, [definition], AbortSignal.abort())).rejects.toThrow(/abort/);
  await cluster.close();
});
