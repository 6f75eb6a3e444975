import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../clock/random.ts';
import { VirtualClock } from '../clock/virtual.ts';
import { Client } from '../kube/client.ts';
import { kinds } from '../kube/kinds.ts';
import type { Transport } from '../kube/transport.ts';
import { openPki } from './auth/pki.ts';
import { createEmbedded, type Embedded, type EmbeddedOptions } from './embedded.ts';
import { TestServer } from './registry/test-server.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const deployment = (replicas: number, image = 'nginx'): object => ({
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 80 }] }] },
    },
  },
});

it('can be an API server and no more, with nobody behind it', async () => {
  const clock = new VirtualClock();
  const embedded = await createEmbedded({ clock, random: seededRandom(1), controllers: false });
  const server = new Client(embedded.transport(), { clock });
  const where = { namespace: 'default', name: 'web' };
  await server.resource(kinds.deployments).create({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    ...deployment(2),
    metadata: where,
  });
  await clock.advance(60_000);
  expect([kinds.nodes, kinds.pods, kinds.replicaSets].flatMap((type) => embedded.world.list(type))).toEqual([]);
  expect((await server.resource(kinds.deployments).get(where)).status).toEqual({});
  await embedded.close();
});

describe('a cluster', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await TestServer.start();
  });
  afterEach(async () => {
    expect(server.troubles).toEqual([]);
    await server.close();
  });
  const running = (): number =>
    server.embedded.world
      .list(kinds.pods, { namespace: 'default' })
      .filter((pod) => JSON.stringify(pod.status).includes('"Running"')).length;

  it('is born with namespaces, roles, accounts, nodes and its own Service', async () => {
    await server.clock.advance(1000);
    const { world } = server.embedded;
    expect(world.list(kinds.namespaces).map(({ metadata }) => metadata.name)).toEqual([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
    expect(world.get(kinds.clusterRoles, undefined, 'cluster-admin')).toBeDefined();
    expect(world.get(kinds.serviceAccounts, 'kube-public', 'default')).toBeDefined();
    expect(world.get(kinds.services, 'default', 'kubernetes')).toMatchObject({ spec: { clusterIP: '10.96.0.1' } });
    const nodes = await server.ask('GET', '/api/v1/nodes');
    expect(nodes.body.items.length).toBeGreaterThan(0);
    expect(nodes.text).toContain('KubeletReady');
  });

  it('runs pods that can be logged into, read and asked', async () => {
    await server.ask('POST', deployments, deployment(2));
    expect(await server.clock.runUntil(() => running() === 2, 600_000)).toBe(true);
    const [pod] = server.embedded.world.list(kinds.pods, { namespace: 'default' });
    const path = `/api/v1/namespaces/default/pods/${pod?.metadata.name}`;
    expect((await server.ask('GET', `${path}/log`)).status).toBe(200);
    expect((await server.ask('GET', `${path}/log?tailLines=-1`)).body).toMatchObject({ code: 422 });
    expect((await server.ask('GET', `${path}:80/proxy/`)).status).toBe(200);

    const channel = await server.embedded
      .transport()
      .connect({ method: 'GET', path: `${path}/exec?command=echo&command=hello&stdout=true` }, ['v5.channel.k8s.io']);
    const messages: Record<number, string> = {};
    for await (const message of channel.messages) {
      const stream = message[0] as number;
      messages[stream] = (messages[stream] ?? '') + Buffer.from(message.subarray(1)).toString();
    }
    expect(messages[1]).toBe('hello\n');
    expect(JSON.parse(messages[3] ?? '')).toMatchObject({ status: 'Success' });
  });

  it('lets nobody run commands who may only read', async () => {
    await server.ask('POST', '/api/v1/namespaces/default/pods', {
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    });
    await server.clock.advance(60_000);
    const role = (verbs: string[]): object => ({
      metadata: { name: 'visitor' },
      rules: [{ apiGroups: [''], resources: ['pods/exec'], verbs }],
    });
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    await server.ask('POST', `${rbac}/roles`, role(['get']));
    await server.ask('POST', `${rbac}/rolebindings`, {
      metadata: { name: 'visitor' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'visitor' },
      subjects: [{ kind: 'User', name: 'jane' }],
    });
    const jane = server.embedded.transport({ name: 'jane', groups: ['system:authenticated'] });
    const path = '/api/v1/namespaces/default/pods/web/exec?command=ls&stdout=true';
    const exec = () => jane.connect({ method: 'GET', path }, ['v5.channel.k8s.io']);
    await expect(exec()).rejects.toThrow(/User "jane" cannot create resource "pods\/exec"/);
    await server.ask('PUT', `${rbac}/roles/visitor`, role(['get', 'create']));
    (await exec()).close();
    const json = { method: 'GET', path, headers: { accept: 'application/json' } } as const;
    await expect(jane.connect(json, ['v5.channel.k8s.io'])).rejects.toThrow(/406: Not Acceptable/);
  });

  it('leaves nothing running behind when it is closed', async () => {
    await server.ask('POST', deployments, deployment(2));
    await server.clock.advance(60_000);
    const [pod] = server.embedded.world.list(kinds.pods, { namespace: 'default' });
    const transport = server.embedded.transport();
    const watch = server.watch('/api/v1/pods?watch=true&allowWatchBookmarks=true');
    const path = `/api/v1/namespaces/default/pods/${pod?.metadata.name}`;
    await transport.connect({ method: 'GET', path: `${path}/exec?command=sleep&command=3600` }, ['v5.channel.k8s.io']);
    await transport.request({ method: 'GET', path: `${path}/log?follow=true` });
    await server.clock.advance(1000);
    await server.close();
    await watch.over;
    await server.clock.advance(0);
    expect(server.clock.untilNext).toBeUndefined();
  });

  it('does not let a budget be broken by evictions', async () => {
    await server.ask('POST', deployments, deployment(2));
    await server.ask('POST', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      metadata: { name: 'web' },
      spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
    });
    await server.clock.advance(120_000);
    expect(running()).toBe(2);
    const [pod] = server.embedded.world.list(kinds.pods, { namespace: 'default' });
    const name = pod?.metadata.name;
    const evict = (): ReturnType<TestServer['ask']> =>
      server.ask('POST', `/api/v1/namespaces/default/pods/${name}/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name },
      });
    expect((await evict()).body).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [
          { reason: 'DisruptionBudget', message: 'The disruption budget web needs 2 healthy pods and has 2 currently' },
        ],
      },
    });
    const budget = '/apis/policy/v1/namespaces/default/poddisruptionbudgets/web';
    await server.merge(budget, { spec: { minAvailable: 1 } });
    await server.clock.advance(1000);
    expect((await evict()).status).toBe(201);
    expect((await server.ask('GET', budget)).body.status.disruptionsAllowed).toBe(0);
  });
});

describe('the same seed', () => {
  it('gives the same cluster, to the last revision', async () => {
    const clock = new VirtualClock();
    const pki = await openPki({ clock });
    const live = async (): Promise<string> => {
      const own = new VirtualClock();
      const embedded = await createEmbedded({ clock: own, random: seededRandom(7), pki });
      const transport = embedded.transport();
      await send(transport, 'POST', deployments, deployment(3));
      await own.advance(60_000);
      await send(transport, 'PUT', `${deployments}/web`, deployment(3, 'nginx:2'));
      await own.advance(300_000);
      const everything = await Promise.all(
        [
          '/api/v1/pods',
          '/apis/apps/v1/replicasets',
          '/apis/apps/v1/deployments',
          '/api/v1/events',
          '/api/v1/nodes',
        ].map((path) => send(transport, 'GET', path)),
      );
      await embedded.close();
      return everything.join('\n');
    };
    const [one, two] = [await live(), await live()];
    expect(two).toBe(one);
    expect(one).toContain('nginx:2');
  });
});

describe('a cluster with a data directory', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'cutover-data-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const start = (clock: VirtualClock): Promise<Embedded> => {
    const options: EmbeddedOptions = { clock, random: seededRandom(1), data: directory };
    return createEmbedded(options);
  };

  it('is the same after a restart: objects, identities, keys, custom resources and running pods', async () => {
    const clock = new VirtualClock();
    const first = await start(clock);
    const before = first.transport();
    await send(before, 'POST', deployments, deployment(1));
    await clock.advance(120_000);
    const pods = await send(before, 'GET', '/api/v1/namespaces/default/pods');
    const access = await first.listen({ port: 0 });
    await first.close();

    const second = await start(clock);
    const after = second.transport();
    expect(JSON.parse(await send(after, 'GET', '/api/v1/namespaces/default/pods')).items).toEqual(
      JSON.parse(pods).items,
    );
    const again = await second.listen({ port: 0 });
    expect(again.ca).toBe(access.ca);
    await second.close();
  });

  it('can be opened again after a start that failed', async () => {
    writeFileSync(join(directory, 'pki'), 'a file where the directory of keys should be');
    await expect(start(new VirtualClock())).rejects.toThrow(/pki/);
    rmSync(join(directory, 'pki'));
    await (await start(new VirtualClock())).close();
  });

  it('is opened by one server at a time', async () => {
    const clock = new VirtualClock();
    const first = await start(clock);
    await expect(start(clock)).rejects.toThrow(/is in use by another process/);
    await first.close();
  });
});

async function send(
  transport: Transport,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
): Promise<string> {
  const response = await transport.request({
    method,
    path,
    headers: { 'content-type': 'application/json', 'user-agent': 'test/1' },
    ...(body && { body: JSON.stringify(body) }),
  });
  let text = '';
  for await (const chunk of response.body) text += Buffer.from(chunk).toString('utf8');
  if (response.status >= 300) throw new Error(text);
  return text;
}
