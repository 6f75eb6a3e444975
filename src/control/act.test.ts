import { describe, expect, it } from 'vitest';
import { SmallApi, status } from '../../test/toy/small-api.ts';
import { seededRandom } from '../clock/random.ts';
import { VirtualClock } from '../clock/virtual.ts';
import { Client } from '../kube/client.ts';
import { kinds } from '../kube/kinds.ts';
import type { AnyObject, Json } from '../kube/object.ts';
import { type Acted, act, type Errand } from './act.ts';
import type { Hands } from './actions/hands.ts';
import { Journal } from './actions/journal.ts';
import { annotations } from './annotations.ts';
import { Caches } from './caches.ts';
import { Calls } from './calls.ts';
import { type Action, type EventAction, type Ref, refTo } from './decision.ts';
import { kindTable } from './kinds.ts';
import { silent } from './log.ts';
import { createMetrics } from './metrics.ts';
import { OutcomeBook, outcomeId } from './outcome.ts';
import { PortError, type Verb } from './port.ts';
import { sealer } from './sealed.ts';

const lamps = { group: 'toy.dev', version: 'v1', kind: 'Lamp', plural: 'lamps', namespaced: true };
const owner = { apiVersion: 'toy.dev/v1', kind: 'Lamp', name: 'l', uid: 'uid-1', controller: true };

const configMap = (name: string, data: Record<string, unknown>, metadata: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'a', ownerReferences: [owner], ...metadata },
  data,
});

/** A lamp in a small API, with everything that actions are done with. */
async function world(verbs: Record<string, Verb> = {}) {
  const clock = new VirtualClock();
  const api = new SmallApi(clock);
  const client = new Client(api.transport(), { clock });
  const common = { client, clock, random: seededRandom(1), log: silent, metrics: createMetrics({ process: false }) };
  const caches = new Caches({ ...common, freeze: true });
  for (const type of [lamps, kinds.configMaps, kinds.pods]) caches.open({ type });
  const stop = new AbortController();
  caches.start(stop.signal);
  const outcomes = new OutcomeBook(clock);
  const late: string[] = [];
  const said: EventAction[] = [];
  const hands: Hands = {
    client,
    clock,
    kinds: kindTable([lamps]),
    mirror: caches,
    calls: new Calls({ factory: verbs }, outcomes, (key) => late.push(key)),
    events: { record: (event) => said.push(event) },
    manager: 'cutover',
  };
  const created = await client
    .resource(lamps)
    .create({ apiVersion: 'toy.dev/v1', kind: 'Lamp', metadata: { name: 'l', namespace: 'a' }, spec: {} });
  await clock.advance(10);
  api.requests.length = 0;
  const lamp = (): AnyObject => api.list('lamps')[0] as AnyObject;
  /** The lamp as it was decided on; by default as it is. */
  const run = (
    actions: readonly Action[],
    errand: Partial<Errand> = {},
    tools = hands,
    view = refTo(lamp()),
  ): Promise<Acted> =>
    act({ actions, because: 'of a test' }, tools, {
      key: 'a/l',
      journal: new Journal(lamps, view),
      outcomes,
      mayAct: () => true,
      signal: new AbortController().signal,
      ...errand,
    });
  return { api, client, clock, caches, hands, outcomes, late, said, lamp, run, created };
}

const event = (about: Ref, reason: Capitalize<string> = 'Done'): EventAction => ({
  do: 'event',
  about,
  reason,
  note: 'n',
});

describe('status', () => {
  it('is written with uid and version, seen at once in the cache, and not written again', async () => {
    const { api, caches, lamp, run } = await world();
    const write: Action = { do: 'status', of: refTo(lamp()), status: { phase: 'Dark' } };
    expect(await run([write])).toEqual({ end: 'done', acted: 1, news: false });
    expect(caches.peek(lamps, { namespace: 'a', name: 'l' })?.status).toEqual({ phase: 'Dark' });
    expect(await run([{ ...write, of: refTo(lamp()) }])).toEqual({ end: 'done', acted: 0, news: false });
    expect(api.writes()).toEqual(['PUT /apis/toy.dev/v1/namespaces/a/lamps/l/status?fieldManager=cutover']);
  });

  it('is a conflict when the object changed: by the cache without asking, by the server when the cache lags', async () => {
    const { api, client, clock, hands, lamp, run } = await world();
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
    const { client, lamp, run } = await world();
    const of = refTo(lamp());
    await client.resource(lamps).delete({ namespace: 'a', name: 'l' });
    expect(await run([{ do: 'status', of, status: {} }], {}, undefined, of)).toMatchObject({ end: 'conflict' });
  });
});

describe('apply', () => {
  it('is skipped while the live object carries our hash and all we want, whatever others added', async () => {
    const { api, client, clock, run } = await world();
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
    const { api, client, clock, run } = await world();
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
    const { api, client, clock, outcomes, run } = await world();
    await client.resource(kinds.configMaps).create(configMap('c', { a: '0' }, { ownerReferences: [] }));
    await clock.advance(10);
    const apply: Action = { do: 'apply', object: configMap('c', { a: '1' }) };
    expect(await run([apply])).toMatchObject({ end: 'refused' });
    expect(outcomes.of('a/l')[outcomeId(apply)]).toMatchObject({ result: 'refused' });
    expect(api.list('configmaps')[0]?.data).toEqual({ a: '0' });
  });

  it('opens sealed values only on the wire and keeps them out of the hash', async () => {
    const { api, run } = await world();
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
    const { run } = await world();
    await run([{ do: 'apply', object: configMap('c', { a: '1' }) }]);
    const apply: Action = { do: 'apply', object: configMap('c', { a: '2' }), resourceVersion: '1' };
    expect(await run([apply])).toMatchObject({ end: 'conflict' });
  });
});

describe('create', () => {
  const mine = (id = 'id-1'): Action => ({
    do: 'create',
    object: configMap('c', {}, { annotations: { [annotations.id]: id } }),
  });

  it('recognises itself when the answer to the first try was lost', async () => {
    const { api, run } = await world();
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
    const { client, run, outcomes } = await world();
    await client.resource(kinds.configMaps).create(configMap('c', {}, metadata));
    expect(await run([mine()])).toMatchObject({ end: 'refused', message: expect.stringContaining('not the one') });
    expect(outcomes.of('a/l')[outcomeId(mine())]).toMatchObject({ result: 'refused' });
  });

  it('without an id or an owner never recognises anything', async () => {
    const { run } = await world();
    const nobody: Action = { do: 'create', object: configMap('c', {}, { ownerReferences: [] }) };
    expect(await run([nobody])).toMatchObject({ end: 'done' });
    expect(await run([nobody])).toMatchObject({ end: 'refused' });
  });
});

describe('patch', () => {
  it('applies to this object in this version only', async () => {
    const { api, lamp, run } = await world();
    const of = refTo(lamp());
    const label: Action = { do: 'patch', of, patch: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }] };
    expect(await run([label])).toMatchObject({ end: 'done', acted: 1 });
    expect(lamp().metadata.labels).toEqual({ a: 'b' });
    expect(await run([label])).toMatchObject({ end: 'conflict' });
    expect(await run([{ ...label, of: { ...refTo(lamp()), uid: 'other' } }])).toMatchObject({ end: 'conflict' });
    expect(api.writes()).toHaveLength(3);
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
      const { api, client, clock, run } = await world();
      const first = await client.resource(kinds.pods).create(pod('p'));
      expect(await run([{ do: verb, of: refTo(first) }])).toMatchObject({ end: 'done', acted: 1 });
      expect(await run([{ do: verb, of: refTo(first) }])).toMatchObject({ end: 'done' });
      await client.resource(kinds.pods).create(pod('p'));
      await clock.advance(10);
      expect(await run([{ do: verb, of: refTo(first) }])).toMatchObject({ end: 'conflict' });
      expect(api.list('pods')).toHaveLength(1);
    },
  );

  it('hides what it deleted from the cache before the watch tells', async () => {
    const { client, caches, clock, run } = await world();
    const first = await client.resource(kinds.pods).create(pod('p'));
    await clock.advance(10);
    expect(caches.peek(kinds.pods, { namespace: 'a', name: 'p' })).toBeDefined();
    const seen = run([{ do: 'delete', of: refTo(first) }]).then(() =>
      caches.peek(kinds.pods, { namespace: 'a', name: 'p' }),
    );
    expect(await seen).toBeUndefined();
  });

  it('asks once for an object that outlives its deletion', async () => {
    const { api, client, clock, run } = await world();
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
    const { api, client, outcomes, run } = await world();
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
    const { api, lamp, outcomes, run } = await world({
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
    const { client, lamp, run } = await world({ order: async () => ++calls });
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
    const { lamp, outcomes, run } = await world({ order: () => Promise.reject(answers.shift()) });
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
    const { lamp, late, outcomes, run } = await world({
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
    const { lamp, run } = await world({ order: async ({ args }) => void seen.push(args) as unknown as Json });
    const token = sealer()('hunter2');
    await run([
      { do: 'status', of: refTo(lamp()), status: { id: 'id-1' } },
      { ...order, args: { token } },
    ]);
    expect(seen).toEqual([{ token: 'hunter2' }]);
  });

  it('of a port that nobody registered is a bug, not an outcome', async () => {
    const { lamp, run } = await world();
    await run([{ do: 'status', of: refTo(lamp()), status: { id: 'id-1' } }]);
    await expect(run([{ ...order, port: 'constructor' }])).rejects.toThrow('no port is registered');
  });
});

describe('a run', () => {
  it('stops at the first failure, and an event never is one', async () => {
    const { api, lamp, run, said } = await world();
    const of = refTo(lamp());
    const broken: Action = { do: 'apply', object: configMap('c', {}) };
    api.fault = (request) => (request.method === 'PATCH' ? status(403, 'Forbidden', 'no') : undefined);
    const write: Action = { do: 'status', of, status: { phase: 'Dark' } };
    expect(await run([write, event(of, 'First'), broken, event(of, 'Second')])).toMatchObject({
      end: 'refused',
      acted: 1,
    });
    expect(said.map(({ reason }) => reason)).toEqual(['First']);
  });

  it('says nothing when everything was true already, and speaks when an event stands alone', async () => {
    const { lamp, run, said } = await world();
    const write = (): Action => ({ do: 'status', of: refTo(lamp()), status: { phase: 'Dark' } });
    await run([write(), event(refTo(lamp()))]);
    await run([write(), event(refTo(lamp()))]);
    expect(said).toHaveLength(1);
    await run([event(refTo(lamp()))]);
    expect(said).toHaveLength(2);
  });

  it('asks before every action whether it may still act', async () => {
    const { api, lamp, run } = await world();
    let left = 1;
    const actions: Action[] = [
      { do: 'status', of: refTo(lamp()), status: { phase: 'Dark' } },
      { do: 'apply', object: configMap('c', {}) },
    ];
    const ended = await run(actions, { mayAct: () => left-- > 0 });
    expect(ended).toMatchObject({ end: 'stopped', acted: 1 });
    expect(api.list('configmaps')).toEqual([]);
  });

  it.each<[number, string, Record<string, string>, object]>([
    [401, 'Unauthorized', {}, { end: 'unavailable' }],
    [403, 'Forbidden', {}, { end: 'refused' }],
    [404, 'NotFound', {}, { end: 'refused' }],
    [409, 'Conflict', {}, { end: 'conflict' }],
    [422, 'Invalid', {}, { end: 'refused' }],
    [429, 'TooManyRequests', { 'retry-after': '3' }, { end: 'unavailable', retryAfterMs: 3000 }],
    [500, 'InternalError', {}, { end: 'unavailable' }],
    [503, 'ServiceUnavailable', {}, { end: 'unavailable' }],
  ])('takes a %i %s as it is meant', async (code, reason, headers, ended) => {
    const { api, outcomes, run } = await world();
    api.fault = (request) => (request.method === 'PATCH' ? status(code, reason, 'no', headers) : undefined);
    const apply: Action = { do: 'apply', object: configMap('c', {}) };
    expect(await run([apply])).toMatchObject(ended);
    expect(Object.keys(outcomes.of('a/l'))).toHaveLength(code === 409 ? 0 : 1);
    api.fault = undefined;
    expect(await run([apply])).toMatchObject({ end: 'done' });
    expect(outcomes.of('a/l')).toEqual({});
  });

  it('has no effect when it was decided on a view that is out of date, even if the caches still show that view', async () => {
    const { api, client, lamp, hands, run } = await world({ order: async () => null });
    const pod = await client
      .resource(kinds.pods)
      .create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'a' }, spec: {} });
    await run([{ do: 'status', of: refTo(lamp()), status: { id: 'id-1' } }]);
    const old = refTo(lamp());
    const frozen = { ...hands, mirror: { ...hands.mirror, peek: () => undefined } };
    await client.resource(lamps).patch({ namespace: 'a', name: 'l' }, { type: 'merge', body: { spec: { on: true } } });
    const effects: Action[] = [
      { do: 'apply', object: configMap('c', {}) },
      { do: 'create', object: configMap('c', {}, { annotations: { [annotations.id]: 'x' } }) },
      { do: 'delete', of: refTo(pod) },
      { do: 'evict', of: refTo(pod) },
      { do: 'call', port: 'factory', verb: 'order', id: 'id-1', args: null },
    ];
    api.requests.length = 0;
    for (const effect of effects)
      expect(await run([effect], {}, frozen, old)).toMatchObject({ end: 'conflict', acted: 0 });
    expect(api.writes()).toEqual([]);
  });

  it('asks the server once for all effects of a decision, and not at all after a write that proves the version', async () => {
    const { api, lamp, run } = await world();
    const effects: Action[] = [
      { do: 'apply', object: configMap('c', {}) },
      { do: 'apply', object: configMap('d', {}) },
    ];
    await run(effects);
    expect(api.requests.filter((request) => request.startsWith('GET'))).toHaveLength(1);
    api.requests.length = 0;
    await run([
      { do: 'status', of: refTo(lamp()), status: { phase: 'Dark' } },
      { do: 'apply', object: configMap('e', {}) },
    ]);
    expect(api.requests.filter((request) => request.startsWith('GET'))).toEqual([]);
  });

  it('about a kind that nobody declared is a bug', async () => {
    const { run } = await world();
    const object = { apiVersion: 'x/v1', kind: 'Y', metadata: { name: 'y' } };
    await expect(run([{ do: 'apply', object }])).rejects.toThrow('no resource is known for Y');
  });
});
