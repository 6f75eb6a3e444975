import { describe, expect, it } from 'vitest';
import { actWorld, configMap, event, lamps } from '../../test/toy/act-world.ts';
import { status } from '../../test/toy/small-api.ts';
import { kinds } from '../kube/kinds.ts';
import { annotations } from './annotations.ts';
import { type Action, refTo } from './decision.ts';

describe('a run', () => {
  it('stops at the first failure, and an event never is one', async () => {
    const { api, lamp, run, said } = await actWorld();
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
    const { lamp, run, said } = await actWorld();
    const write = (): Action => ({ do: 'status', of: refTo(lamp()), status: { phase: 'Dark' } });
    await run([write(), event(refTo(lamp()))]);
    await run([write(), event(refTo(lamp()))]);
    expect(said).toHaveLength(1);
    await run([event(refTo(lamp()))]);
    expect(said).toHaveLength(2);
  });

  it('leaves out what the server does not declare, if it may, and says so', async () => {
    const { api, run, said } = await actWorld();
    const message =
      'failed to create typed patch object (a/c; /v1, Kind=ConfigMap): .dada: field not declared in schema';
    api.fault = ({ method, body }) =>
      method === 'PATCH' && String(body).includes('dada') ? status(500, 'InternalError', message) : undefined;
    const object = { ...configMap('c', { a: '1' }), dada: 1 };
    expect(await run([{ do: 'apply', object }])).toMatchObject({ end: 'unavailable' });
    expect(await run([{ do: 'apply', object, prune: true }])).toMatchObject({ end: 'done', acted: 1 });
    expect(api.list('configmaps')).toMatchObject([{ data: { a: '1' } }]);
    expect(said).toMatchObject([{ reason: 'FieldsLeftOut', note: expect.stringContaining('.dada'), warning: true }]);
  });

  it('asks before every action whether it may still act', async () => {
    const { api, lamp, run } = await actWorld();
    let left = 1;
    const actions: Action[] = [
      { do: 'status', of: refTo(lamp()), status: { phase: 'Dark' } },
      { do: 'apply', object: configMap('c', {}) },
    ];
    const ended = await run(actions, { mayAct: () => left-- > 0 });
    expect(ended).toMatchObject({ end: 'stopped', acted: 1 });
    expect(api.list('configmaps')).toEqual([]);
  });

  it.each<[string, Action]>([
    ['apply', { do: 'apply', object: configMap('c', {}) }],
    ['create', { do: 'create', object: configMap('c', {}, { annotations: { 'cutover.dev/id': 'i' } }) }],
    ['call', { do: 'call', port: 'factory', verb: 'order', id: 'held', args: {} }],
  ])('has no effect by %s when the right to act was lost while the server was asked', async (_, action) => {
    const called: string[] = [];
    const { api, client, clock, lamp, run } = await actWorld({
      order: async ({ id }) => {
        called.push(id);
        return null;
      },
    });
    await client.resource(lamps).status.update({ ...lamp(), status: { transition: 'held' } });
    await clock.advance(10);
    let isHeld = true;
    api.fault = ({ method, path }) => {
      // The process sleeps past its lease before it sees the answer.
      if (method === 'GET' && path.includes('/lamps/')) isHeld = false;
      return undefined;
    };
    expect(await run([action], { mayAct: () => isHeld })).toMatchObject({ end: 'stopped', acted: 0 });
    expect([...api.list('configmaps'), ...called]).toEqual([]);
    isHeld = true;
    api.fault = undefined;
    expect(await run([action])).toMatchObject({ end: 'done', acted: 1 });
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
    const { api, outcomes, run } = await actWorld();
    api.fault = (request) => (request.method === 'PATCH' ? status(code, reason, 'no', headers) : undefined);
    const apply: Action = { do: 'apply', object: configMap('c', {}) };
    expect(await run([apply])).toMatchObject(ended);
    expect(Object.keys(outcomes.of('a/l'))).toHaveLength(code === 409 ? 0 : 1);
    api.fault = undefined;
    expect(await run([apply])).toMatchObject({ end: 'done' });
    expect(outcomes.of('a/l')).toEqual({});
  });

  it('has no effect when it was decided on a view that is out of date, even if the caches still show that view', async () => {
    const { api, client, lamp, hands, run } = await actWorld({ order: async () => null });
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
    const { api, lamp, run } = await actWorld();
    const effects: Action[] = [
      { do: 'apply', object: configMap('c', {}) },
      { do: 'apply', object: configMap('d', {}) },
    ];
    await run(effects);
    expect(api.requests.filter((request) => /^GET .*lamps/.test(request))).toHaveLength(1);
    api.requests.length = 0;
    await run([
      { do: 'status', of: refTo(lamp()), status: { phase: 'Dark' } },
      { do: 'apply', object: configMap('e', {}) },
    ]);
    expect(api.requests.filter((request) => /^GET .*lamps/.test(request))).toEqual([]);
  });

  it('about a kind that nobody declared is a bug', async () => {
    const { run } = await actWorld();
    const object = { apiVersion: 'x/v1', kind: 'Y', metadata: { name: 'y' } };
    await expect(run([{ do: 'apply', object }])).rejects.toThrow('no resource is known for Y');
  });
});
