import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import { VirtualClock } from '../../src/clock/virtual.ts';
import type { Caches } from '../../src/control/caches.ts';
import type { Controller, Glance, View } from '../../src/control/controller.ts';
import { type Decision, idle, refTo } from '../../src/control/decision.ts';
import { silent } from '../../src/control/log.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { type OperatorEnd, runOperator } from '../../src/control/operator.ts';
import type { PortCall } from '../../src/control/port.ts';
import { Client } from '../../src/kube/client.ts';
import { KubeError } from '../../src/kube/error.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { SmallApi } from '../toy/small-api.ts';

const lamps = { group: 'toy.dev', version: 'v1', kind: 'Lamp', plural: 'lamps', namespaced: true };
const shards = 4;

interface LampView extends View {
  readonly lamp: AnyObject;
}

type Part = Partial<Controller<AnyObject, LampView>>;

/** One process of several that share the work. It writes to each lamp which colour it shows, and who did that. */
class Replica {
  readonly metrics = createMetrics({ process: false });
  /** What it looked at, in order. */
  readonly looks: string[] = [];
  readonly #stop = new AbortController();
  readonly #death = new AbortController();
  readonly ended: Promise<OperatorEnd>;

  constructor(world: World, instance: string, part: Part) {
    const { clock } = world;
    this.ended = runOperator({
      client: new Client(this.#mortal(world.api.transport()), { clock }),
      clock,
      random: seededRandom(instance.charCodeAt(0)),
      log: silent,
      metrics: this.metrics,
      signal: this.#stop.signal,
      instance,
      freeze: true,
      lease: { namespace: 'ops', name: 'op', shards },
      controllers: {
        lamp: (caches: Caches) => ({
          name: 'lamp',
          primary: caches.open<AnyObject>({ type: lamps }),
          observe: (key: string, { object, now, outcomes }: Glance<AnyObject>) => {
            this.looks.push(key);
            return { lamp: object, now, outcomes };
          },
          decide: ({ lamp }: LampView) => painted(lamp, instance),
          ...part,
        }),
      },
    });
  }

  stop(): void {
    this.#stop.abort();
  }

  /** It dies: nothing of it arrives any more. */
  kill(): void {
    this.#death.abort(new KubeError('unreachable', 'the process has died'));
    this.#stop.abort();
  }

  async gauge(name: string): Promise<number> {
    const { text } = await this.metrics.page();
    const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)$`, 'gm'))].map(([, value]) =>
      Number(value),
    );
    return values.reduce((sum, value) => sum + value, 0);
  }

  #mortal(transport: Transport): Transport {
    return {
      ...transport,
      request: async (request) => {
        this.#death.signal.throwIfAborted();
        const answer = await transport.request(request);
        this.#death.signal.throwIfAborted();
        return answer;
      },
    };
  }
}

function painted(lamp: AnyObject, by: string): Decision {
  const { colour } = lamp.spec as { readonly colour: string };
  const shows = (lamp.status as { readonly colour?: string } | undefined)?.colour;
  if (shows === colour) return idle('it shows its colour');
  return { because: 'of its colour', actions: [{ do: 'status', of: refTo(lamp), status: { colour, by } }] };
}

class World {
  readonly clock = new VirtualClock();
  readonly api = new SmallApi(this.clock);
  readonly #person = new Client(this.api.transport(), { clock: this.clock });

  join(instance: string, part: Part = {}): Replica {
    return new Replica(this, instance, part);
  }

  async create(namespace: string, name: string): Promise<void> {
    const metadata = { namespace, name };
    const lamp = { apiVersion: 'toy.dev/v1', kind: 'Lamp', metadata, spec: { colour: 'white' } };
    await this.#person.resource(lamps).create(lamp);
  }

  async paint(colour: string): Promise<void> {
    const body = { spec: { colour } };
    for (const { metadata } of this.api.list('lamps')) {
      const { namespace = '', name = '' } = metadata;
      await this.#person.resource(lamps).patch({ namespace, name }, { type: 'merge', body });
    }
  }

  /** By lamp: who painted it last, if it shows its colour. */
  painters(): ReadonlyMap<string, string | undefined> {
    const painter = ({ metadata, spec, status }: AnyObject) => {
      const { colour, by } = (status ?? {}) as { readonly colour?: string; readonly by?: string };
      const isDone = colour === (spec as { readonly colour: string }).colour;
      return [`${metadata.namespace}/${metadata.name}`, isDone ? by : undefined] as const;
    };
    return new Map(this.api.list('lamps').map(painter));
  }

  isPainted(): boolean {
    return [...this.painters().values()].every((by) => by !== undefined);
  }

  /** How often statuses were written. */
  writes(): number {
    return this.api.requests.filter((request) => request.startsWith('PUT') && request.includes('/status')).length;
  }
}

/** A world with lamps, and replicas that have shared the work. */
async function shared(instances: readonly string[], part: Part = {}): Promise<[World, ...Replica[]]> {
  const world = new World();
  const replicas = instances.map((instance) => world.join(instance, part));
  await world.clock.advance(30_000);
  for (const namespace of ['x', 'y', 'z']) {
    for (let lamp = 0; lamp < 8; lamp++) await world.create(namespace, `lamp-${lamp}`);
  }
  await world.clock.advance(2_000);
  return [world, ...replicas];
}

describe('operators that share the work by shards', () => {
  it('each act on some, and leave what is another’s alone', async () => {
    const [world, ...replicas] = await shared(['a', 'b', 'c']);
    const by = world.painters();
    expect(world.isPainted()).toBe(true);
    expect(new Set(by.values())).toEqual(new Set(['a', 'b', 'c']));
    expect(world.writes()).toBe(by.size);
    for (const [at, { looks }] of replicas.entries()) {
      for (const key of looks) expect(by.get(key)).toBe(['a', 'b', 'c'][at]);
    }
    const held = await Promise.all(replicas.map((replica) => replica.gauge('cutover_shard_held')));
    expect(held.sort()).toEqual([1, 1, 2]);
    const leading = await Promise.all(replicas.map((replica) => replica.gauge('cutover_leader')));
    expect(leading.sort()).toEqual([0, 0, 1]);
  });

  it('see to what was asked for while its shard was nobody’s, once each', async () => {
    const [world, a, b] = await shared(['a', 'b', 'c']);
    a?.kill();
    await world.paint('red');
    await world.clock.advance(5_000);
    expect(world.isPainted()).toBe(false);
    expect(await world.clock.runUntil(() => world.isPainted(), 15_000)).toBe(true);
    expect(new Set(world.painters().values())).toEqual(new Set(['b', 'c']));
    b?.stop();
    await world.paint('blue');
    expect(await world.clock.runUntil(() => world.isPainted(), 3_000)).toBe(true);
    expect(await b?.ended).toBe('stopped');
    await world.clock.advance(60_000);
    expect(world.writes()).toBe(3 * world.painters().size);
  });

  it('give away what is in hand only when it has ended, and do not go on with it', async () => {
    const running = new Map<string, string>();
    const began: string[] = [];
    const beside: string[] = [];
    const hanging = (instance: string): Part => ({
      ports: {
        press: {
          // Somebody outside who never answers; nobody else may ask before we have stopped waiting.
          push: ({ id, signal }: PortCall) => {
            if (running.has(id)) beside.push(`${instance} ${id}`);
            running.set(id, instance);
            began.push(`${instance} ${id}`);
            signal.addEventListener('abort', () => running.delete(id));
            return new Promise<never>(() => {});
          },
        },
      },
      // Of these a quarter at most works on what was taken over.
      workers: 100,
      deadlineMs: 10 * 60_000,
      decide: ({ lamp }) => {
        const id = `push-${lamp.metadata.namespace}-${lamp.metadata.name}`;
        const actions: Decision['actions'] = [
          { do: 'status', of: refTo(lamp), status: { id } },
          { do: 'call', port: 'press', verb: 'push', id, args: {} },
        ];
        return { because: 'x', actions };
      },
    });
    const [world] = await shared(['a'], hanging('a'));
    const lamps = world.painters().size;
    expect(began).toHaveLength(lamps);
    world.join('b', hanging('b'));
    await world.clock.advance(40_000);
    const second = began.filter((call) => call.startsWith('b '));
    expect(second.length).toBeGreaterThan(0);
    expect(beside).toEqual([]);
    expect(began).toHaveLength(lamps + second.length);
    expect(running.size).toBe(lamps);
    expect(new Set(running.values())).toEqual(new Set(['a', 'b']));
  });

  it('keep a namespace in one hand if its kind wants that', async () => {
    const [world] = await shared(['a', 'b', 'c'], { shardBy: 'namespace' });
    const by = world.painters();
    expect(world.isPainted()).toBe(true);
    const hands = ['x', 'y', 'z'].map((namespace) =>
      [...by].filter(([key]) => key.startsWith(`${namespace}/`)).map(([, who]) => who),
    );
    for (const hand of hands) expect(new Set(hand).size).toBe(1);
    expect(new Set(hands.flat()).size).toBeGreaterThan(1);
  });
});
