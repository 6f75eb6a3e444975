import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { SmallApi, status } from '../../test/toy/small-api.ts';
import { sleep } from '../clock/clock.ts';
import { seededRandom } from '../clock/random.ts';
import { VirtualClock } from '../clock/virtual.ts';
import { Client } from '../kube/client.ts';
import type { AnyObject } from '../kube/object.ts';
import type { Caches } from './caches.ts';
import type { Controller, Glance, View } from './controller.ts';
import { type Decision, idle, refTo } from './decision.ts';
import type { Fields, Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { type OperatorOptions, runOperator } from './operator.ts';
import { type PortCall, PortError } from './port.ts';
import { openWatched } from './watched.ts';

const lamps = { group: 'toy.dev', version: 'v1', kind: 'Lamp', plural: 'lamps', namespaced: true };

interface LampView extends View {
  readonly lamp: AnyObject;
}

type Part = Partial<Controller<AnyObject, LampView>>;

function logging(): { readonly lines: { readonly message: string; readonly fields: Fields }[]; readonly log: Log } {
  const lines: { message: string; fields: Fields }[] = [];
  const at = (fields: Fields): Log => {
    const write = (more: Fields, message: string): void => void lines.push({ message, fields: { ...fields, ...more } });
    return { debug: write, info: write, warn: write, error: write, child: (more) => at({ ...fields, ...more }) };
  };
  return { lines, log: at({}) };
}

function world() {
  const clock = new VirtualClock();
  const api = new SmallApi(clock);
  const client = new Client(api.transport(), { clock });
  const { lines, log } = logging();
  const metrics = createMetrics({ process: false });
  const stop = new AbortController();
  const start = (part: Part, options: Partial<OperatorOptions> = {}) =>
    runOperator({
      client: new Client(api.transport(), { clock }),
      clock,
      random: seededRandom(1),
      log,
      metrics,
      signal: stop.signal,
      instance: 'i',
      freeze: true,
      controllers: {
        lamp: (caches: Caches) => ({
          name: 'lamp',
          primary: caches.open<AnyObject>({ type: lamps }),
          observe: (_key: string, { object, now, outcomes }: Glance<AnyObject>) => ({ lamp: object, now, outcomes }),
          decide: () => idle('nothing to do'),
          ...part,
        }),
      },
      ...options,
    });
  const create = (name: string, namespace = 'a') =>
    client.resource(lamps).create({ apiVersion: 'toy.dev/v1', kind: 'Lamp', metadata: { name, namespace }, spec: {} });
  const edit = (name: string, spec: object) =>
    client.resource(lamps).patch({ namespace: 'a', name }, { type: 'merge', body: { spec } });
  return { clock, api, client, lines, metrics, start, stop, create, edit };
}

const writePhase = (view: LampView, phase: string): Decision => ({
  actions: [{ do: 'status', of: refTo(view.lamp), status: { phase } }],
  because: 'of a test',
});

describe('the loop', () => {
  it('says on an object which kinds may not be read beside it, and works on it once they may', async () => {
    const { clock, api, client, start, create } = world();
    const pods = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
    const seen: string[] = [];
    api.fault = ({ path }) => (path.includes('/b/pods') ? status(403, 'Forbidden', 'no') : undefined);
    void start(
      {},
      {
        controllers: {
          lamp: (caches) => ({
            name: 'lamp',
            primary: openWatched<AnyObject>(caches, ['a', 'b'], { type: lamps }),
            reads: [openWatched(caches, ['a', 'b'], { type: pods })],
            observe: (key, { now, outcomes }) => {
              seen.push(key);
              return { now, outcomes };
            },
            decide: () => idle('nothing to do'),
          }),
        },
      },
    );
    await create('one');
    await create('two', 'b');
    const conditions = async (): Promise<unknown> => {
      const lamp = await client.resource<AnyObject>(lamps).get({ namespace: 'b', name: 'two' });
      return (lamp.status as { conditions?: unknown } | undefined)?.conditions ?? [];
    };
    await clock.advance(1_000);
    expect(seen).toEqual(['a/one']);
    const said = {
      type: 'NotReadable',
      status: 'True',
      reason: 'Forbidden',
      message: expect.stringContaining('may not list and watch pods in namespace b'),
    };
    expect(await conditions()).toMatchObject([said]);
    const { resourceVersion } = (await client.resource(lamps).get({ namespace: 'b', name: 'two' })).metadata;
    // That nobody answers now says nothing of what may be read.
    api.fault = ({ path }) => (path.includes('/b/pods') ? status(503, 'ServiceUnavailable', 'no') : undefined);
    await clock.advance(120_000);
    expect((await client.resource(lamps).get({ namespace: 'b', name: 'two' })).metadata).toMatchObject({
      resourceVersion,
    });
    expect(seen).toEqual(['a/one']);
    api.fault = undefined;
    await clock.advance(120_000);
    expect(await conditions()).toEqual([]);
    expect(new Set(seen)).toEqual(new Set(['a/one', 'b/two']));
  });

  it('reports what a family throws as a bug with its key, backs off, and leaves other keys alone', async () => {
    const { clock, lines, metrics, start, create } = world();
    const seen: string[] = [];
    void start({
      decide: (view) => {
        seen.push(view.lamp.metadata.name ?? '');
        if (view.lamp.metadata.name === 'bad') throw new TypeError('undefined is not a lamp');
        return idle('fine');
      },
    });
    await create('bad');
    await create('good');
    await clock.advance(1_000);
    expect(seen.filter((name) => name === 'good')).toHaveLength(1);
    // 5, 10, 20 … ms: eight or nine tries in a second.
    expect(seen.filter((name) => name === 'bad').length).toBeGreaterThan(6);
    expect(seen.filter((name) => name === 'bad').length).toBeLessThan(10);
    expect(lines.filter(({ message }) => message.startsWith('a bug'))[0]?.fields).toMatchObject({
      controller: 'lamp',
      key: 'a/bad',
      reconcile: expect.any(String),
      error: expect.any(TypeError),
    });
    expect((await metrics.page()).text).toContain('result="bug"');
  });

  it.each<[string, (view: LampView) => Decision]>([
    [
      'writes status twice',
      (view) => ({ because: 'x', actions: [...writePhase(view, 'a').actions, ...writePhase(view, 'b').actions] }),
    ],
    ['does not say why', () => idle('')],
    ['wakes at no time', () => idle('x', Number.NaN)],
    [
      'acts on an unknown kind',
      () => ({
        because: 'x',
        actions: [{ do: 'apply', object: { apiVersion: 'x/v1', kind: 'Y', metadata: { name: 'y' } } }],
      }),
    ],
  ])('takes a decision that %s for the bug it is', async (_what, decide) => {
    const { clock, api, lines, start, create } = world();
    void start({ decide });
    await create('l');
    await clock.advance(100);
    expect(lines.some(({ message }) => message.startsWith('a bug'))).toBe(true);
    expect(api.writes().filter((request) => !request.startsWith('POST'))).toEqual([]);
  });

  it.each([-3_600_000, 3_600_000])('wakes a key in time although the clock is set by %d ms meanwhile', async (ms) => {
    const { clock, start, create } = world();
    const at: number[] = [];
    void start({
      observe: async (_key, { object, now, outcomes }) => {
        if (at.length === 0) clock.jump(ms);
        return { lamp: object, now, outcomes };
      },
      decide: (view) => {
        at.push(clock.monotonic());
        return at.length > 1 ? idle('done') : idle('later', view.now + 30_000);
      },
    });
    await create('l');
    await clock.advance(60_000);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBe(30_000);
    expect(at).toHaveLength(2);
  });

  it('wakes a key at the time it asked for, and only then', async () => {
    const { clock, start, create } = world();
    const at: number[] = [];
    void start({
      decide: ({ now }) => {
        at.push(now);
        return at.length === 1 ? idle('later', now + 60_000) : idle('done');
      },
    });
    await create('l');
    await clock.advance(10 * 60_000);
    expect(at.map((instant) => instant - (at[0] ?? 0))).toEqual([0, 60_000]);
  });

  it('backs off from a decision that wants to be woken in the past', async () => {
    const { clock, start, create } = world();
    let times = 0;
    void start({
      decide: ({ now }) => {
        times += 1;
        return idle('now!', now);
      },
    });
    await create('l');
    await clock.advance(10_000);
    expect(times).toBeLessThan(15);
  });

  it('ends a reconcile at its deadline and tries again', async () => {
    const { clock, lines, start, create } = world();
    let begun = 0;
    void start({
      deadlineMs: 1_000,
      observe: (_key, { signal, object, now, outcomes }) => {
        begun += 1;
        if (begun > 1) return { lamp: object, now, outcomes };
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    await create('l');
    await clock.advance(5_000);
    expect(begun).toBe(2);
    expect(lines.some(({ fields }) => String(fields.error).includes('not done within 1 s'))).toBe(true);
    expect(lines.filter(({ message }) => message.startsWith('a bug'))).toEqual([]);
  });

  it('gives a worker back from an observation that never ends, and ends in spite of one', async () => {
    const { clock, start, stop, create } = world();
    const seen: string[] = [];
    const ended = start(
      {
        workers: 1,
        deadlineMs: 1_000,
        observe: (key, { object, now, outcomes }) => {
          seen.push(key);
          return key === 'a/stuck' ? new Promise(() => {}) : { lamp: object, now, outcomes };
        },
      },
      { graceMs: 3_000 },
    );
    await create('stuck');
    await clock.advance(500);
    await create('l');
    await clock.advance(900);
    expect(seen).toEqual(['a/stuck', 'a/l', 'a/stuck']);
    stop.abort();
    await clock.advance(5_000);
    expect(await ended).toBe('stopped');
    expect(clock.untilNext).toBeUndefined();
  });

  it('slows down when the same is done again and again without effect', async () => {
    const { clock, api, metrics, start, create } = world();
    api.fault = (request) => (request.method === 'PUT' ? status(422, 'Invalid', 'no') : undefined);
    void start({ decide: (view) => writePhase(view, 'Dark') });
    await create('l');
    await clock.advance(60_000);
    const tries = api.writes().filter((request) => request.startsWith('PUT')).length;
    expect(tries).toBeGreaterThan(4);
    expect(tries).toBeLessThan(12);
    expect((await metrics.page()).text).toMatch(/cutover_repeated_decisions_total\{controller="lamp"\} [1-9]/);
  });

  it('looks again at once when it hears, while it fails to write, of what its view lacked', async () => {
    const { api, client, clock, start, create } = world();
    const turns: number[] = [];
    void start({
      observe: async (_key, { object, now, outcomes }) => {
        turns.push(clock.monotonic());
        if (turns.length === 11) {
          api.fault = undefined;
          const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o' };
          const body = { metadata: { ownerReferences: [owner] } };
          await client.resource(lamps).patch({ namespace: 'a', name: 'x' }, { type: 'merge', body });
          await sleep(clock, 50);
        }
        return { lamp: object, now, outcomes };
      },
      decide: (view) => writePhase(view, 'on'),
    });
    await create('x');
    api.fault = ({ method }) => (method === 'PUT' ? status(409, 'Conflict', 'no') : undefined);
    await clock.advance(20_000);
    expect((turns[10] ?? 0) - (turns[9] ?? 0)).toBeGreaterThan(2_000);
    expect((turns[11] ?? Number.POSITIVE_INFINITY) - (turns[10] ?? 0)).toBeLessThan(200);
    expect(turns.length).toBeLessThan(15);
  });

  it('waits as long as the server asks', async () => {
    const { clock, api, start, create } = world();
    api.fault = (request) =>
      request.method === 'PUT' ? status(429, 'TooManyRequests', 'no', { 'retry-after': '20' }) : undefined;
    void start({ decide: (view) => writePhase(view, 'Dark') });
    await create('l');
    await clock.advance(19_000);
    expect(api.writes().filter((request) => request.startsWith('PUT'))).toHaveLength(1);
    await clock.advance(2_000);
    expect(api.writes().filter((request) => request.startsWith('PUT'))).toHaveLength(2);
  });

  it('waits for a port that fails although the decision writes something new at every try', async () => {
    const { clock, start, create } = world();
    const down = vi.fn(() => Promise.reject(new PortError('unknown', 'down', { retryAfterMs: 60_000 })));
    void start({
      ports: { port: { call: down } },
      decide: ({ lamp }) => {
        const id = `try-${Number((lamp.status as { id?: string } | undefined)?.id?.slice(4) ?? 0) + 1}`;
        return {
          actions: [
            { do: 'status', of: refTo(lamp), status: { id } },
            { do: 'call', port: 'port', verb: 'call', id, args: {} },
          ],
          because: 'of a test',
        };
      },
    });
    await create('l');
    await clock.advance(50_000);
    expect(down).toHaveBeenCalledTimes(1);
    await clock.advance(20_000);
    expect(down).toHaveBeenCalledTimes(2);
  });

  it('asks ever more slowly when it is refused whatever it tries', async () => {
    const { clock, start, create } = world();
    const no = vi.fn(() => Promise.reject(new PortError('refused', 'no')));
    void start({
      ports: { port: { call: no } },
      decide: ({ lamp, outcomes }) => {
        const id = `try-${Object.keys(outcomes).length}-${no.mock.calls.length}`;
        return {
          actions: [
            { do: 'status', of: refTo(lamp), status: { id } },
            { do: 'call', port: 'port', verb: 'call', id, args: {} },
          ],
          because: 'of a test',
        };
      },
    });
    await create('l');
    await clock.advance(10_000);
    expect(no.mock.calls.length).toBeGreaterThan(5);
    expect(no.mock.calls.length).toBeLessThan(15);
  });

  it('remembers nothing of an object for its successor of the same name, however fast that came', async () => {
    const { clock, client, start, create } = world();
    const seen: [string | undefined, number][] = [];
    void start({
      workers: 1,
      observe: async (key, { object, now, outcomes }) => {
        if (key === 'a/slow') await new Promise<void>((resolve) => clock.after(500, resolve));
        return { lamp: object, now, outcomes };
      },
      ports: { port: { call: () => Promise.reject(new PortError('refused', 'no')) } },
      decide: ({ lamp, outcomes }) => {
        if (lamp.metadata.name === 'slow') return idle('fine');
        seen.push([lamp.metadata.uid, Object.keys(outcomes).length]);
        if (Object.keys(outcomes).length > 0) return idle('refused');
        return {
          actions: [
            { do: 'status', of: refTo(lamp), status: { id: 'x' } },
            { do: 'call', port: 'port', verb: 'call', id: 'x', args: {} },
          ],
          because: 'of a test',
        };
      },
    });
    await create('l');
    await clock.advance(1_000);
    const last = seen.at(-1);
    expect(last?.[1]).toBe(1);
    seen.length = 0;
    // The only worker is busy meanwhile.
    await create('slow');
    await clock.advance(100);
    await client.resource(lamps).delete({ namespace: 'a', name: 'l' });
    await create('l');
    await clock.advance(1_000);
    expect(seen[0]?.[0]).not.toBe(last?.[0]);
    expect(seen[0]?.[1]).toBe(0);
  });

  it('looks at every object again within eleven hours though nothing happened', async () => {
    const { clock, start, create } = world();
    let times = 0;
    void start({
      decide: () => {
        times += 1;
        return idle('nothing to do');
      },
    });
    await create('l');
    await clock.advance(1_000);
    expect(times).toBe(1);
    await clock.advance(11 * 60 * 60_000);
    expect(times).toBe(2);
  });

  it('looks at a user’s edit before the rest of a long list', async () => {
    const { clock, client, start, create } = world();
    for (let i = 0; i < 20; i++) await create(`l${String(i).padStart(2, '0')}`);
    const order: string[] = [];
    void start({
      workers: 1,
      observe: async (key, { object, now, outcomes }) => {
        order.push(key);
        if (order.length === 2) {
          const name = { namespace: 'a', name: 'l19' };
          await client.resource(lamps).patch(name, { type: 'merge', body: { spec: { on: true } } });
          await Promise.resolve();
        }
        await new Promise<void>((resolve) => clock.after(10, resolve));
        return { lamp: object, now, outcomes };
      },
    });
    await clock.advance(1_000);
    expect(order[2]).toBe('a/l19');
    expect(order).toHaveLength(20);
  });

  it('finishes what it carries out when it is stopped, and takes nothing new', async () => {
    const { clock, api, start, stop, create } = world();
    let begun = 0;
    const ended = start({
      workers: 1,
      decide: (view) => {
        begun += 1;
        return writePhase(view, 'Dark');
      },
    });
    api.fault = async ({ method }) => {
      if (method === 'PUT') await sleep(clock, 1_300);
      return undefined;
    };
    await create('l1');
    await create('l2');
    await clock.advance(500);
    stop.abort();
    await clock.advance(1_000);
    expect(await ended).toBe('stopped');
    expect(begun).toBe(1);
    expect(api.list('lamps').map(({ status: written }) => written)).toEqual([{ phase: 'Dark' }, undefined]);
    expect(clock.untilNext).toBeUndefined();
  });

  it('calls off at once what it only looks at when it is stopped, and decides nothing on it', async () => {
    const { clock, start, stop, create } = world();
    const decide = vi.fn(() => idle('x'));
    const reasons: unknown[] = [];
    const ended = start({
      observe: async (_key, { object, now, outcomes, signal }) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason));
        await sleep(clock, 500);
        return { lamp: object, now, outcomes };
      },
      decide,
    });
    await create('l');
    await clock.advance(100);
    stop.abort();
    await clock.advance(0);
    expect(await ended).toBe('stopped');
    expect(reasons).toEqual([new Error('shutting down')]);
    await clock.advance(60_000);
    expect(decide).not.toHaveBeenCalled();
  });

  it('calls off what it carries out after the grace period, and begins no other action', async () => {
    const { clock, api, start, stop, create } = world();
    let aborted = false;
    const call = ({ signal }: PortCall): Promise<never> => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise(() => {});
    };
    const ended = start(
      {
        ports: { port: { call } },
        decide: (view) => ({
          because: 'x',
          actions: [
            ...writePhase(view, 'x').actions,
            { do: 'call', port: 'port', verb: 'call', id: 'x', args: {} },
            { do: 'delete', of: refTo(view.lamp) },
          ],
        }),
      },
      { graceMs: 3_000 },
    );
    await create('l');
    await clock.advance(500);
    stop.abort();
    await clock.advance(2_900);
    expect(aborted).toBe(false);
    await clock.advance(200);
    expect(aborted).toBe(true);
    // One that hears nothing keeps nobody waiting for more than another second.
    await clock.advance(1_000);
    expect(await ended).toBe('stopped');
    expect(api.list('lamps')).toHaveLength(1);
  });

  const callDecided = (view: LampView): Decision => ({
    because: 'x',
    actions: [
      ...writePhase(view, view.lamp.metadata.name ?? '').actions,
      { do: 'call', port: 'port', verb: 'call', id: view.lamp.metadata.name ?? '', args: {} },
    ],
  });

  it.each([
    ['in its turn', 60_000],
    ['that outlived its turn', 300],
  ])('begins no further step of a call %s once the lease is given back', async (_what, deadlineMs) => {
    const { clock, api, start, stop, create } = world();
    let steps = 0;
    const call = async ({ revoked }: PortCall): Promise<never> => {
      for (;;) {
        await sleep(clock, 400, revoked);
        steps += 1;
      }
    };
    const lease = { namespace: 'a', name: 'op' };
    const ended = start({ ports: { port: { call } }, decide: callDecided, deadlineMs }, { lease });
    await create('l');
    await clock.advance(1_000);
    const before = steps;
    expect(before).toBeGreaterThan(0);
    stop.abort();
    const holder = (): unknown =>
      (api.list('leases')[0]?.spec as { holderIdentity?: string } | undefined)?.holderIdentity;
    await clock.advance(900);
    expect(holder()).not.toBe('');
    expect(steps).toBe(before + 2);
    await clock.advance(200);
    expect(await ended).toBe('stopped');
    expect(holder()).toBe('');
    await clock.advance(60_000);
    expect(steps).toBe(before + 2);
    expect(clock.untilNext).toBeUndefined();
  });

  it('begins no further step of a call for what another replica looks at since', async () => {
    const { clock, start, stop, create } = world();
    const log: { readonly who: string; readonly id: string }[] = [];
    const replica = (instance: string) => {
      const call = async ({ id, revoked }: PortCall): Promise<never> => {
        for (;;) {
          log.push({ who: instance, id });
          await sleep(clock, 400, revoked);
        }
      };
      const lease = { namespace: 'a', name: 'op', shards: 2 };
      return start({ ports: { port: { call } }, decide: callDecided, workers: 8 }, { lease, instance });
    };
    const first = replica('one');
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await create(name);
    await clock.advance(5_000);
    const second = replica('two');
    await clock.advance(20_000);
    const given = new Set(log.flatMap(({ who, id }) => (who === 'two' ? [id] : [])));
    expect(given.size).toBeGreaterThan(0);
    expect(given.size).toBeLessThan(6);
    for (const id of given) {
      const turns = log.filter((step) => step.id === id).map(({ who }) => who);
      expect(turns.lastIndexOf('one')).toBeLessThan(turns.indexOf('two'));
    }
    stop.abort();
    await clock.advance(20_000);
    expect(await Promise.all([first, second])).toEqual(['stopped', 'stopped']);
  });

  it('does not begin before everything it reads has been seen', async () => {
    const { clock, api, start, create } = world();
    let down = true;
    api.fault = (request) =>
      down && request.path.includes('/pods') ? status(503, 'ServiceUnavailable', 'x') : undefined;
    let looks = 0;
    const pods = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
    const stop = new AbortController();
    void start(
      {},
      {
        signal: stop.signal,
        controllers: {
          lamp: (caches) => ({
            name: 'lamp',
            primary: caches.open<AnyObject>({ type: lamps }),
            reads: [caches.open({ type: pods })],
            observe: (_key: string, { object, now, outcomes }: Glance<AnyObject>) => {
              looks += 1;
              return { lamp: object, now, outcomes };
            },
            decide: () => idle('x'),
          }),
        },
      },
    );
    await create('l');
    await clock.advance(5_000);
    expect(looks).toBe(0);
    down = false;
    await clock.advance(60_000);
    expect(looks).toBe(1);
  });

  it('looks again when the outside world says so, tells it which objects are gone, and stops listening when it stops', async () => {
    const { clock, client, start, stop, create } = world();
    const looks: string[] = [];
    const forgotten: string[] = [];
    let wake: ((key: string) => void) | undefined;
    const outside = {
      listen: (tell: (key: string) => void) => {
        wake = tell;
        return () => {
          wake = undefined;
        };
      },
      forget: (key: string) => void forgotten.push(key),
    };
    const ended = start({
      outside: [outside],
      decide: (view) => {
        looks.push(view.lamp.metadata.name ?? '');
        return idle('nothing to do');
      },
    });
    await create('l');
    await create('m');
    await clock.advance(1_000);
    expect(looks.sort()).toEqual(['l', 'm']);
    wake?.('a/l');
    await clock.advance(1_000);
    expect(looks).toEqual(['l', 'm', 'l']);
    forgotten.length = 0;
    await client.resource(lamps).delete({ namespace: 'a', name: 'l' });
    await clock.advance(1_000);
    expect(forgotten).toEqual(['a/l']);
    stop.abort();
    await clock.advance(20_000);
    await ended;
    expect(wake).toBeUndefined();
  });

  it('leaves nothing running when its health port is taken', async () => {
    const { clock, start } = world();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    await expect(start({}, { health: { host: '127.0.0.1', port } })).rejects.toThrow('EADDRINUSE');
    await clock.advance(10);
    expect(clock.untilNext).toBeUndefined();
    await new Promise((resolve) => taken.close(resolve));
  });

  it('stops acting and ends when the lease is lost', async () => {
    const { clock, api, start, create, edit } = world();
    const ended = start(
      { decide: (view) => writePhase(view, JSON.stringify(view.lamp.spec)) },
      { lease: { namespace: 'a', name: 'op' } },
    );
    await create('l');
    await clock.advance(1_000);
    expect(api.list('lamps')[0]?.status).toEqual({ phase: '{}' });
    api.fault = (request) => (request.path.includes('/leases') ? status(503, 'ServiceUnavailable', 'x') : undefined);
    await clock.advance(11_000);
    await edit('l', { on: true });
    await clock.advance(60_000);
    expect(await ended).toBe('lost');
    expect(api.list('lamps')[0]?.status).toEqual({ phase: '{}' });
  });
});
