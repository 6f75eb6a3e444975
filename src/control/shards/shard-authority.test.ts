import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SmallApi } from '../../../test/toy/small-api.ts';
import { seededRandom } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import { Client } from '../../kube/client.ts';
import { KubeError } from '../../kube/error.ts';
import type { Transport } from '../../kube/transport.ts';
import type { Permit } from '../authority.ts';
import { silent } from '../log.ts';
import { Sight } from '../sight.ts';
import { ShardAuthority } from './shard-authority.ts';
import { shardOf } from './shard-of.ts';

/** From a kill to the moment in which somebody else acts. */
const boundMs = 20_000;

/** One process that holds shards. `cut`: it reaches nobody any more, but goes on believing what it knows. */
class Replica {
  readonly authority: ShardAuthority;
  readonly identity: string;
  /** Work that was begun and not ended, by shard: what must never be in two replicas at once. */
  readonly inHand = new Map<number, Permit>();
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();

  constructor(world: World, number: number, shards: number, warm: Promise<void>) {
    const { clock } = world;
    this.identity = `replica-${number}`;
    const client = new Client(this.#wire(world.api.transport()), { clock });
    this.authority = new ShardAuthority({
      ...{ client, clock, random: seededRandom(world.seed + number), log: silent, identity: this.identity },
      ...{ namespace: 'ns', name: 'op', shards },
      sight: new Sight(clock, warm),
      taken: () => {},
      // Work in hand takes three seconds to end.
      letGo: async (shard, _, lost) => {
        if (!lost) await new Promise<void>((resolve) => void clock.after(3_000, resolve));
        this.inHand.delete(shard);
      },
    });
    void this.authority.begin(this.#stop.signal);
  }

  /** What this replica acts on: it begins what it may, and goes on while its permit holds. */
  acting(shards: number): readonly number[] {
    for (let shard = 0; shard < shards; shard++) {
      const permit = this.authority.permit(placeIn(shard, shards));
      if (permit) this.inHand.set(shard, permit);
    }
    return [...this.inHand].filter(([, permit]) => permit()).map(([shard]) => shard);
  }

  /** It was asked to end, and has work in hand. */
  end(): void {
    this.#stop.abort();
  }

  async stop(): Promise<void> {
    this.end();
    await this.authority.end();
  }

  cut(): void {
    this.#cut.abort(new KubeError('unreachable', 'cut off'));
  }

  #wire(transport: Transport): Transport {
    return {
      ...transport,
      request: async (request) => {
        this.#cut.signal.throwIfAborted();
        const answer = await transport.request(request);
        this.#cut.signal.throwIfAborted();
        return answer;
      },
    };
  }
}

/** A place that belongs to this shard. */
function placeIn(shard: number, shards: number): string {
  return places[shards]?.[shard] ?? expect.fail(`no place in shard ${shard} of ${shards}`);
}

const places = Array.from({ length: 9 }, (_, shards) =>
  Array.from({ length: shards }, (_, shard) => {
    const at = Array.from({ length: 200 }, (_, at) => at).find((at) => shardOf(`a/${at}`, shards) === shard);
    return `a/${at}`;
  }),
);

class World {
  readonly clock = new VirtualClock();
  readonly api = new SmallApi(this.clock);
  readonly replicas: Replica[] = [];
  readonly #gone: Replica[] = [];
  readonly seed: number;
  readonly #shards: number;
  #started = 0;

  constructor(shards: number, seed = 0) {
    this.#shards = shards;
    this.seed = seed;
  }

  /** `warm`: resolves when the replica could act. */
  join(shards = this.#shards, warm = Promise.resolve()): Replica {
    this.#started += 1;
    const replica = new Replica(this, this.#started, shards, warm);
    this.replicas.push(replica);
    return replica;
  }

  /** It dies: nothing of it runs any more. */
  kill(replica: Replica): void {
    replica.cut();
    this.replicas.splice(this.replicas.indexOf(replica), 1);
  }

  /** It is cut off, and does not know: it may still act, as long as it believes that it may. */
  isolate(replica: Replica): void {
    this.kill(replica);
    this.#gone.push(replica);
  }

  async stop(replica: Replica): Promise<void> {
    this.replicas.splice(this.replicas.indexOf(replica), 1);
    this.#gone.push(replica);
    let ended = false;
    void replica.stop().then(() => {
      ended = true;
    });
    await this.clock.runUntil(() => ended, 30_000);
    expect(ended).toBe(true);
    this.#gone.splice(this.#gone.indexOf(replica), 1);
  }

  /** Who acts on each shard. Fails when two do. */
  holders(): readonly (string | undefined)[] {
    const holders: (string | undefined)[] = new Array(this.#shards).fill(undefined);
    for (const replica of [...this.replicas, ...this.#gone]) {
      for (const shard of replica.acting(this.#shards)) {
        expect(holders[shard], `who acts on shard ${shard}, beside ${replica.identity}`).toBeUndefined();
        holders[shard] = replica.identity;
      }
    }
    return holders;
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 400) {
      await this.clock.advance(400);
      this.holders();
    }
  }

  /** How long it takes until every shard is acted on. */
  async untilAllHeld(limitMs: number): Promise<number> {
    for (let passed = 0; passed <= limitMs; passed += 250) {
      if (this.holders().every((holder) => holder !== undefined)) return passed;
      await this.clock.advance(250);
    }
    return expect.fail(`not all shards are held after ${limitMs} ms: ${this.holders()}`);
  }

  /** How many shards each replica acts on, in order. */
  counts(): readonly number[] {
    const holders = this.holders();
    return this.replicas.map(({ identity }) => holders.filter((holder) => holder === identity).length).sort();
  }
}

describe('shards', () => {
  it('are all held by one replica soon after it starts, and shared when others come', async () => {
    const world = new World(6);
    world.join();
    expect(await world.untilAllHeld(5_000)).toBeLessThanOrEqual(5_000);
    world.join();
    world.join();
    await world.pass(40_000);
    expect(world.counts()).toEqual([2, 2, 2]);
  });

  it('leave nobody without while another has two, and let others stand by', async () => {
    const world = new World(3);
    for (let replica = 0; replica < 5; replica++) world.join();
    await world.pass(40_000);
    expect(world.counts()).toEqual([0, 0, 1, 1, 1]);
  });

  it('are acted on again within 20 s of a kill and within 3 s of a stop', async () => {
    const world = new World(6);
    for (let replica = 0; replica < 3; replica++) world.join();
    await world.pass(40_000);
    world.kill(world.replicas[0] as Replica);
    expect(await world.untilAllHeld(boundMs)).toBeGreaterThan(10_000);
    await world.pass(30_000);
    await world.stop(world.replicas[0] as Replica);
    expect(await world.untilAllHeld(3_000)).toBeLessThanOrEqual(3_000);
    expect(world.counts()).toEqual([6]);
  });

  it('are all acted on again within 3 s of a stop, however many there are and whenever replicas look', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const world = new World(8, 100 * seed);
      for (let replica = 0; replica < 3; replica++) world.join();
      await world.pass(30_000 + 20 * seed);
      await world.stop(world.replicas[seed % 3] as Replica);
      await world.untilAllHeld(2_750);
    }
  });

  it('are not taken by a replica that is about to end', async () => {
    const world = new World(4);
    const [first, second] = [world.join(), world.join()];
    await world.pass(30_000);
    expect(world.counts()).toEqual([2, 2]);
    first.end();
    await world.stop(second);
    await world.pass(10_000);
    expect(world.counts()).toEqual([2]);
  });

  it('stay with those who work until a replica that comes could work, too', async () => {
    const world = new World(4);
    const old = world.join();
    await world.untilAllHeld(10_000);
    const { promise: warm, resolve: warmed } = Promise.withResolvers<void>();
    world.join(4, warm);
    await world.pass(60_000);
    expect(world.counts()).toEqual([0, 4]);
    expect(world.replicas[0]).toBe(old);
    warmed();
    await world.pass(40_000);
    expect(world.counts()).toEqual([2, 2]);
  });

  it('are taken by a replica that cannot see everything when nobody else has them', async () => {
    const world = new World(4);
    const old = world.join();
    await world.untilAllHeld(10_000);
    world.join(4, new Promise(() => {}));
    await world.pass(40_000);
    world.kill(old);
    expect(await world.untilAllHeld(boundMs)).toBeLessThanOrEqual(boundMs);
    expect(world.counts()).toEqual([4]);
  });

  it('are left by a replica that cannot see everything to one that can, and taken from it by one that comes', async () => {
    const world = new World(4);
    const old = world.join();
    await world.untilAllHeld(10_000);
    const blind = world.join(4, new Promise(() => {}));
    const second = world.join();
    await world.pass(60_000);
    expect(world.counts()).toEqual([0, 2, 2]);
    await world.stop(old);
    expect(await world.untilAllHeld(3_000)).toBeLessThanOrEqual(3_000);
    expect(new Set(world.holders())).toEqual(new Set([second.identity]));
    world.kill(second);
    await world.untilAllHeld(boundMs);
    expect(new Set(world.holders())).toEqual(new Set([blind.identity]));
    const third = world.join();
    await world.pass(15_000);
    expect(new Set(world.holders())).toEqual(new Set([third.identity]));
  });

  it('keep out whoever counts them otherwise, until the last of those who do not is gone', async () => {
    const world = new World(4);
    const old = world.join(4);
    await world.untilAllHeld(10_000);
    const young = world.join(8);
    await world.pass(60_000);
    expect(young.acting(8)).toEqual([]);
    expect(world.counts()).toEqual([0, 4]);
    await world.stop(old);
    await world.clock.advance(25_000);
    expect(young.acting(8)).toHaveLength(8);
  });

  it('give no new permit for what is given away, and none that was given before is good for the next tenure', async () => {
    const world = new World(2);
    const first = world.join();
    await world.untilAllHeld(10_000);
    const permits = [0, 1].map((shard) => first.authority.permit(placeIn(shard, 2)));
    const second = world.join();
    await world.pass(20_000);
    const given = [0, 1].find((shard) => second.authority.permit(placeIn(shard, 2))) as number;
    expect(permits[given]?.()).toBe(false);
    await world.stop(second);
    await world.untilAllHeld(10_000);
    expect(first.authority.permit(placeIn(given, 2))?.()).toBe(true);
    expect(permits[given]?.()).toBe(false);
  });

  it('are never acted on by two, are all held again in time, and end up shared fairly, whatever happens', async () => {
    const event = fc.record({
      what: fc.constantFrom('join', 'join', 'stop', 'kill', 'isolate'),
      who: fc.nat(10),
      after: fc.integer({ min: 0, max: 25_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 7 }), fc.array(event, { maxLength: 8 }), async (shards, events) => {
        const world = new World(shards);
        world.join();
        for (const { what, who, after } of events) {
          await world.pass(after);
          const replica = world.replicas[who % Math.max(1, world.replicas.length)];
          if (what === 'join' || !replica) world.join();
          else if (what === 'stop') await world.stop(replica);
          else world[what](replica);
        }
        if (world.replicas.length === 0) world.join();
        await world.untilAllHeld(boundMs);
        await world.pass(60_000);
        const counts = world.counts();
        const holders = counts.filter((count) => count > 0);
        expect(holders.reduce((sum, count) => sum + count, 0)).toBe(shards);
        expect(Math.max(...holders) - Math.min(...holders)).toBeLessThanOrEqual(1);
        if (counts.includes(0)) expect(Math.max(...holders)).toBe(1);
      }),
      { numRuns: 15 },
    );
  });
});
