import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Client } from '../../kube/client.ts';
import { type Authority, overOf, type Permit } from '../authority.ts';
import { LeaderLease } from '../lease.ts';
import type { Log } from '../log.ts';
import type { Sight } from '../sight.ts';
import { type ShardSeen, shardMoves } from './shard-moves.ts';
import { shardOf } from './shard-of.ts';

export interface ShardOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly namespace: string;
  /** Of the lease that a single leader would have; those of shards are called after it: `cutover-shard-0`. */
  readonly name: string;
  readonly shards: number;
  readonly identity: string;
  /** Whether this replica could act as soon as it may. */
  readonly sight: Sight;
  /** A shard is ours now. */
  readonly taken: (shard: number, isMine: (place: string) => boolean) => void;
  /**
   * There are no more permits for a shard. Resolves when nothing acts on it any more: only then it is given to another.
   * `lost`: it may be another's already.
   */
  readonly letGo: (shard: number, isMine: (place: string) => boolean, lost: boolean) => Promise<void>;
}

/** How often each replica looks at the shards. */
const lookMs = 650;

/**
 * Replicas share the work: each shard has a lease, and each replica acts on the keys of the shards that it holds.
 *
 * All replicas with the same number of shards hold the lease of the single leader together, in the name of their number. So
 * whoever runs without shards, or with another number of them, waits until the last of these is gone: at no time do two
 * replicas disagree about whose a key is.
 */
export class ShardAuthority implements Authority {
  readonly over: AbortSignal;
  readonly #options: ShardOptions;
  readonly #group: LeaderLease;
  /** By number: a lease that may be held. Each is used for one tenure. */
  readonly #leases: LeaderLease[];
  /** Those that are being given away: no permits, but not another's yet. */
  readonly #leaving = new Map<LeaderLease, Promise<void>>();
  readonly #stop = new AbortController();
  #looking: Promise<void> | undefined;

  constructor(options: ShardOptions) {
    const { shards } = options;
    this.#options = options;
    this.#group = new LeaderLease({ ...options, identity: `shards-${shards}`, together: true });
    this.#leases = Array.from({ length: shards }, (_, shard) => this.#leaseOf(shard));
    this.over = overOf(this.#group);
  }

  permit(place: string): Permit | undefined {
    const lease = this.#leases[shardOf(place, this.#options.shards)];
    const may = (): boolean => (lease?.held() ?? false) && this.#group.held();
    return lease && may() && !this.#leaving.has(lease) ? may : undefined;
  }

  async begin(signal: AbortSignal): Promise<boolean> {
    if (!(await this.#group.acquire(signal))) return false;
    // Who is about to end takes nothing more: it would only keep others from it.
    signal.addEventListener('abort', () => this.#stop.abort(), { once: true });
    if (signal.aborted) this.#stop.abort();
    this.#looking = this.#look();
    return true;
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#looking;
    await Promise.all(this.#leaving.values());
    await Promise.all(this.#leases.map((lease) => lease.release()));
    // Others may hold it still: it runs out when the last of them has left.
    await this.#group.leave();
  }

  /** The shards that are held now. */
  held(): readonly number[] {
    return this.#leases.flatMap((lease, shard) => (lease.held() && !this.#leaving.has(lease) ? [shard] : []));
  }

  async #look(): Promise<void> {
    const { random, log, sight } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let againMs = Number.POSITIVE_INFINITY;
      try {
        againMs = await this.#move(signal);
      } catch (error) {
        if (!signal.aborted) log.warn({ error }, 'the leases of shards could not be read');
      }
      await sight.pause(Math.min(againMs, lookMs * (1 + 0.2 * random.next())), signal);
    }
  }

  /** Resolves to when there may be something to take. */
  async #move(signal: AbortSignal): Promise<number> {
    const { clock, identity, sight } = this.#options;
    await Promise.all(this.#leases.map((lease) => lease.look(signal)));
    const now = clock.monotonic();
    const seen = this.#leases.map((lease): ShardSeen => {
      const { askedBy, isBlind } = lease.sighting;
      const asked = askedBy ? { askedBy } : {};
      const holder = lease.held() ? identity : lease.sighting.holder(now);
      // It is as good as theirs: what is given away is not counted as ours.
      if (this.#leaving.has(lease)) return { holder: askedBy ?? holder ?? '' };
      if (holder !== undefined) return { holder, isBlind, ...asked };
      return { freeMs: lease.sighting.freeMs(now) ?? 0, ...asked };
    });
    if (!this.#group.held() || signal.aborted) return Number.POSITIVE_INFINITY;
    const { take, ask, give, againMs } = shardMoves(identity, seen, sight.patienceMs());
    for (const shard of give) this.#give(shard, seen[shard]?.askedBy ?? '');
    await Promise.all([
      ...take.map((shard) => this.#take(shard)),
      ...ask.map((shard) => this.#leases[shard]?.ask(signal)),
    ]);
    return againMs;
  }

  async #take(shard: number): Promise<void> {
    const lease = this.#leases[shard];
    // Not called off half way: a lease that was taken and is not known of keeps others waiting.
    if (!lease || !(await lease.attempt(new AbortController().signal))) return;
    lease.lost.addEventListener('abort', () => void this.#leave(shard, lease, true), { once: true });
    this.#options.taken(shard, this.#isOf(shard));
  }

  #give(shard: number, to: string): void {
    const lease = this.#leases[shard];
    if (!lease || this.#leaving.has(lease)) return;
    this.#options.log.info({ shard, to }, 'giving a shard away');
    void this.#leave(shard, lease, false);
  }

  /** Ends a tenure. The next one, if there is one, is another. */
  #leave(shard: number, lease: LeaderLease, lost: boolean): Promise<void> {
    const left = this.#leaving.get(lease);
    if (left) return left;
    const leaving = (async () => {
      await this.#options.letGo(shard, this.#isOf(shard), lost);
      await lease.release();
      this.#leases[shard] = this.#leaseOf(shard);
      this.#leaving.delete(lease);
    })();
    this.#leaving.set(lease, leaving);
    return leaving;
  }

  #isOf(shard: number): (place: string) => boolean {
    return (place) => shardOf(place, this.#options.shards) === shard;
  }

  #leaseOf(shard: number): LeaderLease {
    const { name } = this.#options;
    return new LeaderLease({ ...this.#options, name: `${name}-shard-${shard}` });
  }
}
