import { describe, expect, it } from 'vitest';
import { actWorld, configMap, lamps, owner } from '../../../test/toy/act-world.ts';
import { Client } from '../../kube/client.ts';
import { KubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject, Json } from '../../kube/object.ts';
import type { Request } from '../../kube/transport.ts';
import { annotations } from '../annotations.ts';
import { type Action, noVersion, refTo } from '../decision.ts';
import { outcomeId } from '../outcome.ts';
import { PortError } from '../port.ts';
import { sealer } from '../sealed.ts';

describe('status', () => {
  it('is written with uid and version, seen at once in the cache, and not written again', async () => {
    const { api, caches, lamp, run } = await actWorld();
    const write: Action = { do: 'status', of: refTo(lamp()), status: { phase: 'Dark' } };
    expect(await run([write])).toEqual({ end: 'done', acted: 1, news: false });
    expect(caches.peek(lamps, { namespace: 'a', name: 'l' })?.status).toEqual({ phase: 'Dark' });
    expect(await run([{ ...write, of: refTo(lamp()) }])).toEqual({ end: 'done', acted: 0, news: false });
    expect(api.writes()).toEqual(['PUT /apis/toy.dev/v1/namespaces/a/lamps/l/status?fieldManager=cutover']);
  });

  it('is a conflict when the object changed: by the cache without asking, by the server when the cache lags', async () => {
    const { api, client, clock, hands, lamp, run } = await actWorld();
    const write: Action = { do: 'status', of: refTo(lamp()), status: { phase: 'Dark' } };
    await client.resource(lamps).patch({ namespace: 'a', name: 'l' }, { type: 'merge', body: { spec: { on: true } } });
    await clock.advance(10);
    api.requests.length = 0;
    expect(await run([write])).toMatchObject({ end: 'conflict' });
    expect(api.requests).toEqual([]);
    const lagging = { ...hands, mirror: { ...hands.mirror, peek: () => undefined } };
    expect(await run([write], {}, lagging)).toMatchObject({ end: 'conflict' });
    expect(api.writes()).toHaveLength(1);
    expect(lamp().status).toBeUndefined();
  });

  it('of an object that is gone is a conflict: observe again', async () => {
    const { client, lamp, run } = await actWorld();
    const of = refTo(lamp());
    await client.resource(lamps).delete({ namespace: 'a', name: 'l' });
    expect(await run([{ do: 'status', of, status: {} }], {}, undefined, of)).toMatchObject({ end: 'conflict' });
  });
});

describe('apply', () => {
  it('is skipped while the live object carries our hash and all we want, whatever others added', async () => {
    const { api, client, clock, run } = await actWorld();
    const apply: Action = { do: 'apply', object: configMap('c', { a: '1' }) };
    await run([apply]);
    await client
      .resource(kinds.configMaps)
      .patch({ namespace: 'a', name: 'c' }, { type: 'merge', body: { data: { theirs: 'x' } } });
    await clock.advance(10);
    api.requests.length = 0;
    expect(await run([apply])).toMatchObject({ end: 'done', acted: 0 });
    expect(api.requests).toEqual([]);
  });

  it('repairs what somebody changed, and removes what we no longer want', async () => {
    const { api, client, clock, run } = await actWorld();
    await run([{ do: 'apply', object: configMap('c', { a: '1', b: '2' }) }]);
    await client
      .resource(kinds.configMaps)
      .patch({ namespace: 'a', name: 'c' }, { type: 'merge', body: { data: { a: 'broken' } } });
    await clock.advance(10);
    expect(await run([{ do: 'apply', object: configMap('c', { a: '1', b: '2' }) }])).toMatchObject({ acted: 1 });
    // All that is wanted now is there, but so is `b`, which only the hash remembers as ours.
    expect(await run([{ do: 'apply', object: configMap('c', { a: '1' }) }])).toMatchObject({ acted: 1 });
    expect(api.list('configmaps')[0]?.data).toEqual({ a: '1' });
  });

  it('never takes an object of the same name from another owner', async () => {
    const { api, client, clock, outcomes, run } = await actWorld();
    await client.resource(kinds.configMaps).create(configMap('c', { a: '0' }, { ownerReferences: [] }));
    await clock.advance(10);
    const apply: Action = { do: 'apply', object: configMap('c', { a: '1' }) };
    expect(await run([apply])).toMatchObject({ end: 'refused' });
    expect(outcomes.of('a/l')[outcomeId(apply)]).toMatchObject({ result: 'refused' });
    expect(api.list('configmaps')[0]?.data).toEqual({ a: '0' });
  });

  it('asks the server who owns what the caches do not show, be they late or blind', async () => {
    const { api, client, run } = await actWorld();
    await client.resource(kinds.configMaps).create(configMap('late', { a: '0' }, { ownerReferences: [] }));
    await client.resource(kinds.secrets).create({ ...configMap('blind', {}, { ownerReferences: [] }), kind: 'Secret' });
    expect(await run([{ do: 'apply', object: configMap('late', { a: '1' }) }])).toMatchObject({ end: 'refused' });
    const blind: Action = { do: 'apply', object: { ...configMap('blind', { a: '1' }), kind: 'Secret' } };
    expect(await run([blind])).toMatchObject({ end: 'refused' });
    expect(api.writes().filter((request) => request.startsWith('PATCH'))).toEqual([]);
  });

  it('of a kind that nobody watches is read before it is written, and not written when it is as it should be', async () => {
    const { api, run } = await actWorld();
    const apply: Action = { do: 'apply', object: { ...configMap('c', { a: '1' }), kind: 'Secret' } };
    expect(await run([apply])).toMatchObject({ acted: 1 });
    expect(await run([apply])).toMatchObject({ acted: 0 });
    expect(api.writes()).toHaveLength(1);
  });

  it('opens sealed values only on the wire and keeps them out of the hash', async () => {
    const { api, run } = await actWorld();
    const seal = sealer();
    const secret = (value: string): Action => ({ do: 'apply', object: configMap('c', { password: seal(value) }) });
    await run([secret('hunter2')]);
    expect(api.list('configmaps')[0]?.data).toEqual({ password: 'hunter2' });
    const hash = api.list('configmaps')[0]?.metadata.annotations?.[annotations.applied];
    expect(await run([secret('hunter2')])).toMatchObject({ acted: 0 });
    expect(await run([secret('hunter3')])).toMatchObject({ acted: 1 });
    expect(api.list('configmaps')[0]?.metadata.annotations?.[annotations.applied]).toBe(hash);
  });

  it('with a version is a conflict on any other', async () => {
    const { run } = await actWorld();
    await run([{ do: 'apply', object: configMap('c', { a: '1' }) }]);
    const apply: Action = { do: 'apply', object: configMap('c', { a: '2' }), resourceVersion: '1' };
    expect(await run([apply])).toMatchObject({ end: 'conflict' });
  });

  it('of what is not there writes over nothing, however late it arrives', async () => {
    const { api, run } = await actWorld();
    let late: Request | undefined;
    api.fault = async (request) => {
      if (request.method !== 'PATCH') return undefined;
      api.fault = undefined;
      const { signal: _left, ...sent } = request;
      late = sent;
      throw new KubeError('unreachable', 'the connection broke');
    };
    const apply = (value: string): Action => ({ do: 'apply', object: configMap('c', { a: value }) });
    expect(await run([apply('1')])).toMatchObject({ end: 'unavailable' });
    expect(await run([apply('2')])).toMatchObject({ end: 'done', acted: 1 });
    expect(await api.transport().request(late as Request)).toMatchObject({ status: 409 });
    expect(api.list('configmaps')[0]?.data).toEqual({ a: '2' });
  });

  it('of what was found not to be there does not ask the caches, which may still show it', async () => {
    const { api, hands, run } = await actWorld();
    const gone = configMap('c', { a: '1' }, { uid: 'u', resourceVersion: '7' });
    const lagging = { ...hands, mirror: { ...hands.mirror, peek: () => gone, wrote: () => {} } };
    const apply: Action = { do: 'apply', object: configMap('c', { a: '1' }), resourceVersion: noVersion };
    expect(await run([apply], {}, lagging)).toMatchObject({ end: 'done', acted: 1 });
    expect(api.list('configmaps')[0]?.data).toEqual({ a: '1' });
  });
});

describe('create', () => {
  const mine = (id = 'id-1'): Action => ({
    do: 'create',
    object: configMap('c', {}, { annotations: { [annotations.id]: id } }),
  });

  it('recognises itself when the answer to the first try was lost', async () => {
    const { api, run } = await actWorld();
    api.fault = async (request) => {
      if (request.method !== 'POST') return undefined;
      api.fault = undefined;
      await new Client(api.transport()).resource(kinds.configMaps).create(JSON.parse(String(request.body)));
      throw new Error('connection reset');
    };
    expect(await run([mine()])).toMatchObject({ end: 'unavailable' });
    expect(await run([mine()])).toMatchObject({ end: 'done' });
    expect(api.list('configmaps')).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['another id', { annotations: { [annotations.id]: 'id-0' } }],
    ['no id', { annotations: {} }],
    ['another owner', { annotations: { [annotations.id]: 'id-1' }, ownerReferences: [{ ...owner, uid: 'uid-0' }] }],
  ])('does not take an object with %s for its own', async (_what, metadata) => {
    const { client, run, outcomes } = await actWorld();
    await client.resource(kinds.configMaps).create(configMap('c', {}, metadata));
    expect(await run([mine()])).toMatchObject({ end: 'refused', message: expect.stringContaining('not the one') });
    expect(outcomes.of('a/l')[outcomeId(mine())]).toMatchObject({ result: 'refused' });
  });

  it('recognises an object without owners by its id alone', async () => {
    const { api, run } = await actWorld();
    const orphan = (id: string): Action => ({
      do: 'create',
      object: configMap('c', {}, { ownerReferences: [], annotations: { [annotations.id]: id } }),
    });
    expect(await run([orphan('uid-1/1')])).toMatchObject({ end: 'done', acted: 1 });
    expect(await run([orphan('uid-1/1')])).toMatchObject({ end: 'done', acted: 0 });
    expect(await run([orphan('uid-1/2')])).toMatchObject({ end: 'refused' });
    expect(api.list('configmaps')).toHaveLength(1);
  });

  it('makes what is to outlive its maker with an owner, and recognises it without', async () => {
    const { api, client, clock, run } = await actWorld();
    const metadata = { ownerReferences: [], annotations: { [annotations.id]: 'uid-1/1' } };
    const create: Action = { do: 'create', object: configMap('c', {}, metadata), bornOf: owner };
    expect(await run([create])).toMatchObject({ end: 'done', acted: 1 });
    expect(api.list('configmaps')[0]?.metadata.ownerReferences).toEqual([owner]);
    await client
      .resource(kinds.configMaps)
      .patch({ namespace: 'a', name: 'c' }, { type: 'merge', body: { metadata: { ownerReferences: null } } });
    await clock.advance(10);
    expect(await run([create])).toMatchObject({ end: 'done', acted: 0 });
  });

  it('without an id never recognises anything', async () => {
    const { run } = await actWorld();
    const nobody: Action = { do: 'create', object: configMap('c', {}, { ownerReferences: [] }) };
    expect(await run([nobody])).toMatchObject({ end: 'done' });
    expect(await run([nobody])).toMatchObject({ end: 'refused' });
  });
});

describe('patch', () => {
  it('applies to this object in this version only', async () => {
    const { api, lamp, run } = await actWorld();
    const of = refTo(lamp());
    const label: Action = { do: 'patch', of, patch: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }] };
    expect(await run([label])).toMatchObject({ end: 'done', acted: 1 });
    expect(lamp().metadata.labels).toEqual({ a: 'b' });
    expect(await run([label])).toMatchObject({ end: 'conflict' });
    expect(await run([{ ...label, of: { ...refTo(lamp()), uid: 'other' } }])).toMatchObject({ end: 'conflict' });
    expect(api.writes()).toHaveLength(3);
  });

  it('of another object is not sent when the one that was decided about has changed since', async () => {
    const { api, client, lamp, run } = await actWorld();
    const old = refTo(lamp());
    const other = await client.resource(kinds.configMaps).create(configMap('c', { a: '1' }) as AnyObject);
    await client.resource(lamps).patch({ namespace: 'a', name: 'l' }, { type: 'merge', body: { spec: { on: true } } });
    const change: Action = { do: 'patch', of: refTo(other), patch: [{ op: 'replace', path: '/data/a', value: '2' }] };
    const before = api.writes().length;
    expect(await run([change], {}, undefined, old)).toMatchObject({ end: 'conflict', acted: 0 });
    expect(api.writes()).toHaveLength(before);
  });
});

describe('delete and evict', () => {
  const pod = (name: string): AnyObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'a' },
    spec: {},
  });

  it.each(['delete', 'evict'] as const)(
    '%s succeeds once and again, and spares a successor of the same name',
    async (verb) => {
      const { api, client, clock, run } = await actWorld();
      const first = await client.resource(kinds.pods).create(pod('p'));
      expect(await run([{ do: verb, of: refTo(first) }])).toMatchObject({ end: 'done', acted: 1 });
      expect(await run([{ do: verb, of: refTo(first) }])).toMatchObject({ end: 'done' });
      await client.resource(kinds.pods).create(pod('p'));
      await clock.advance(10);
      expect(await run([{ do: verb, of: refTo(first) }])).toMatchObject({ end: 'conflict' });
      expect(api.list('pods')).toHaveLength(1);
    },
  );

  it.each(['delete', 'evict'] as const)('%s with a version spares any other', async (verb) => {
    const { api, client, clock, run } = await actWorld();
    const first = await client.resource(kinds.pods).create(pod('p'));
    const body = { metadata: { labels: { in: 'use' } } };
    await client.resource(kinds.pods).patch({ namespace: 'a', name: 'p' }, { type: 'merge', body });
    await clock.advance(10);
    expect(await run([{ do: verb, of: refTo(first) }])).toMatchObject({ end: 'conflict' });
    expect(api.list('pods')).toHaveLength(1);
  });

  it('hides what it deleted from the cache before the watch tells', async () => {
    const { client, caches, clock, run } = await actWorld();
    const first = await client.resource(kinds.pods).create(pod('p'));
    await clock.advance(10);
    expect(caches.peek(kinds.pods, { namespace: 'a', name: 'p' })).toBeDefined();
    const seen = run([{ do: 'delete', of: refTo(first) }]).then(() =>
      caches.peek(kinds.pods, { namespace: 'a', name: 'p' }),
    );
    expect(await seen).toBeUndefined();
  });

  it('takes nothing for gone that a server does not find while it starts, and tries again', async () => {
    const { api, client, caches, clock, run } = await actWorld();
    const name = { namespace: 'a', name: 'p' };
    const first = await client.resource(kinds.pods).create(pod('p'));
    await clock.advance(10);
    const said = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'NotFound', code: 404 };
    api.fault = ({ method }) =>
      method === 'DELETE'
        ? { status: 404, headers: {}, body: ReadableStream.from([Buffer.from(JSON.stringify(said))]) }
        : undefined;
    expect(await run([{ do: 'delete', of: refTo(first) }])).toMatchObject({ end: 'unavailable' });
    expect(caches.peek(kinds.pods, name)).toBeDefined();
    api.fault = undefined;
    expect(await run([{ do: 'delete', of: refTo(first) }])).toMatchObject({ end: 'done', acted: 1 });
    expect(caches.peek(kinds.pods, name)).toBeUndefined();
  });

  it('asks once for an object that outlives its deletion', async () => {
    const { api, client, clock, run } = await actWorld();
    const held = await client
      .resource(kinds.pods)
      .create({ ...pod('p'), metadata: { ...pod('p').metadata, finalizers: ['x'] } });
    await clock.advance(10);
    await run([{ do: 'delete', of: refTo(held) }]);
    const asked = api.writes().length;
    expect(await run([{ do: 'delete', of: refTo(held) }])).toMatchObject({ end: 'done', acted: 0 });
    expect(api.writes()).toHaveLength(asked);
  });

  it('waits out a disruption budget and lets decisions know', async () => {
    const { api, client, outcomes, run } = await actWorld();
    const held = await client.resource(kinds.pods).create(pod('p'));
    api.budgeted.add('p');
    const evict: Action = { do: 'evict', of: refTo(held) };
    expect(await run([evict])).toMatchObject({ end: 'unavailable' });
    expect(outcomes.of('a/l')[outcomeId(evict)]).toMatchObject({ result: 'unavailable' });
    api.budgeted.clear();
    expect(await run([evict])).toMatchObject({ end: 'done' });
    expect(outcomes.of('a/l')).toEqual({});
  });
});

describe('call', () => {
  const order: Action = { do: 'call', port: 'factory', verb: 'order', id: 'id-1', args: { n: 1 } };

  it('runs only when the stored status holds its id, which the same decision may write', async () => {
    const calls: Json[] = [];
    const { api, lamp, outcomes, run } = await actWorld({
      order: async ({ args }) => {
        calls.push(args);
        return { batch: 7 };
      },
    });
    expect(await run([order])).toMatchObject({ end: 'conflict', message: expect.stringContaining('does not hold') });
    expect(calls).toEqual([]);
    const journal: Action = { do: 'status', of: refTo(lamp()), status: { transition: { id: 'id-1' } } };
    api.requests.length = 0;
    expect(await run([journal, order])).toEqual({ end: 'done', acted: 2, news: true });
    expect(api.requests.filter((request) => request.startsWith('GET'))).toEqual([]);
    expect(outcomes.of('a/l')['id-1']).toMatchObject({ result: 'done', value: { batch: 7 } });
    expect(await run([order])).toEqual({ end: 'done', acted: 0, news: false });
    expect(calls).toEqual([{ n: 1 }]);
  });

  it('asks the server, not the cache, whether the id still stands', async () => {
    let calls = 0;
    const { client, lamp, run } = await actWorld({ order: async () => ++calls });
    await run([{ do: 'status', of: refTo(lamp()), status: { id: 'id-1' } }]);
    // Somebody else moved on; our watch has not told yet.
    await client.resource(lamps).status.update({ ...lamp(), status: {} });
    expect(await run([order])).toMatchObject({ end: 'conflict' });
    expect(calls).toBe(0);
  });

  it('is refused for good by a port, or tried again, with an outcome either way', async () => {
    const answers = [
      new PortError('unknown', 'timed out', { retryAfterMs: 700 }),
      new TypeError('oops'),
      new PortError('refused', 'no'),
    ];
    const { lamp, outcomes, run } = await actWorld({ order: () => Promise.reject(answers.shift()) });
    await run([{ do: 'status', of: refTo(lamp()), status: { id: 'id-1' } }]);
    expect(await run([order])).toEqual({ end: 'unavailable', acted: 0, message: 'timed out', retryAfterMs: 700 });
    expect(outcomes.of('a/l')['id-1']).toMatchObject({ result: 'unavailable', message: 'timed out' });
    expect(await run([order])).toMatchObject({ end: 'unavailable', message: 'factory.order: oops' });
    expect(await run([order])).toMatchObject({ end: 'refused', message: 'no' });
    expect(outcomes.of('a/l')['id-1']).toMatchObject({ result: 'refused', message: 'no' });
  });

  it('that outlives its reconcile is joined, not repeated, and its late outcome is told', async () => {
    const gate = Promise.withResolvers<Json>();
    let calls = 0;
    const { lamp, late, outcomes, run } = await actWorld({
      order: () => {
        calls += 1;
        return gate.promise;
      },
    });
    await run([{ do: 'status', of: refTo(lamp()), status: { id: 'id-1' } }]);
    const limit = new AbortController();
    const first = run([order], { signal: limit.signal });
    await new Promise((resolve) => setImmediate(resolve));
    limit.abort(new Error('deadline'));
    expect(await first).toMatchObject({ end: 'stopped' });
    const second = run([order]);
    await new Promise((resolve) => setImmediate(resolve));
    gate.resolve('late');
    expect(await second).toMatchObject({ end: 'done' });
    expect(calls).toBe(1);
    expect(late).toEqual(['a/l']);
    expect(outcomes.of('a/l')['id-1']).toMatchObject({ value: 'late' });
  });

  it('opens sealed arguments for the port alone', async () => {
    const seen: Json[] = [];
    const { lamp, run } = await actWorld({ order: async ({ args }) => void seen.push(args) as unknown as Json });
    const token = sealer()('hunter2');
    await run([
      { do: 'status', of: refTo(lamp()), status: { id: 'id-1' } },
      { ...order, args: { token } },
    ]);
    expect(seen).toEqual([{ token: 'hunter2' }]);
  });

  it('of a port that nobody registered is a bug, not an outcome', async () => {
    const { lamp, run } = await actWorld();
    await run([{ do: 'status', of: refTo(lamp()), status: { id: 'id-1' } }]);
    await expect(run([{ ...order, port: 'constructor' }])).rejects.toThrow('no port is registered');
  });
});
