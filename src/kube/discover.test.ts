import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realRandom } from '../clock/random.ts';
import { realClock } from '../clock/real.ts';
import { createEmbedded, type Embedded } from '../embedded/embedded.ts';
import { Client } from './client.ts';
import { discover } from './discover.ts';

let cluster: Embedded;
let client: Client;
beforeAll(async () => {
  cluster = await createEmbedded({ clock: realClock, random: realRandom, nodes: { count: 0 } });
  client = new Client(cluster.transport());
});
afterAll(() => cluster?.close());

describe('discover', () => {
  it.each([
    ['v1', 'ConfigMap', { group: '', version: 'v1', plural: 'configmaps', namespaced: true }],
    ['v1', 'Namespace', { group: '', version: 'v1', plural: 'namespaces', namespaced: false }],
    ['apps/v1', 'Deployment', { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true }],
  ])('finds where a server keeps %s %s', async (apiVersion, kind, found) => {
    expect(await discover(client, apiVersion, kind)).toEqual({ kind, ...found });
  });

  it('does not take a part of a kind for the kind', async () => {
    // `pods/eviction` is of this kind, and of another group.
    await expect(discover(client, 'v1', 'Eviction')).rejects.toThrow(
      'the server does not know the kind Eviction of v1',
    );
  });

  it.each([
    ['v1', 'Lamp'],
    ['toys.example.com/v1', 'Lamp'],
    ['apps/v9', 'Deployment'],
  ])('says that a server does not know %s %s', async (apiVersion, kind) => {
    const asked = discover(client, apiVersion, kind);
    await expect(asked).rejects.toMatchObject({ name: 'KubeError', kind: 'not-found' });
  });
});
