import { type Clock, sleep } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import type { Client } from '../kube/client.ts';
import { isKubeError } from '../kube/error.ts';
import { kinds } from '../kube/kinds.ts';
import type { Resource } from '../kube/resource.ts';
import { annotations } from './annotations.ts';
import { microTime } from './events.ts';
import { type LeaseObject, LeaseSighting } from './lease-sighting.ts';
import type { Log } from './log.ts';
import type { Sight } from './sight.ts';

export type { LeaseObject };

export interface LeaseOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly namespace: string;
  readonly name: string;
  /**
   * Unique among all who compete, also after a restart: the pod's name and a random part. Several processes with the same
   * identity hold the lease together, each for as long as it renews it itself.
   */
  readonly identity: string;
  /**
   * Whether this process could do the work. As long as it does not see everything it lets others go first, says so on the lease
   * if it holds it, and gives it to whoever sees more and asks. Default: it sees everything.
   */
  readonly sight?: Sight;
  /** Others may hold it under the same identity: that this one does not see everything says nothing of them. Default false. */
  readonly together?: boolean;
  /** Others wait this long without a sign of life before they take over. Default 15 s. */
  readonly durationMs?: number;
  /** The holder stops acting when it could not renew for this long. Must be less than `durationMs`. Default 10 s. */
  readonly renewDeadlineMs?: number;
  /** How often the holder renews. Default 2 s. */
  readonly retryMs?: number;
  /** How often the others look. Default 1 s. */
  readonly lookMs?: number;
}

/**
 * The right to act, held by one process at a time.
 *
 * Kubernetes offers no real fencing: a holder that was paused may wake up after another has taken over. So `held` goes
 * by the monotonic clock and says no before anybody else could say yes, as long as clocks run at about the same speed;
 * every write carries uid and resourceVersion for the rest.
 */
export class LeaderLease {
  /** What we know of it. */
  readonly sighting = new LeaseSighting();
  readonly #options: LeaseOptions;
  readonly #resource: Resource<LeaseObject>;
  readonly #durationMs: number;
  readonly #deadlineMs: number;
  readonly #retryMs: number;
  readonly #lookMs: number;
  readonly #lost = new AbortController();
  readonly #asked = new AbortController();
  readonly #stop = new AbortController();
  /** Monotonic instant until which we may act. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  #renewing: Promise<void> | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#resource = options.client.resource<LeaseObject>(kinds.leases);
    this.#durationMs = options.durationMs ?? 15_000;
    this.#deadlineMs = options.renewDeadlineMs ?? 10_000;
    this.#retryMs = options.retryMs ?? 2_000;
    this.#lookMs = options.lookMs ?? 1_000;
    if (this.#deadlineMs >= this.#durationMs)
      throw new Error('the renew deadline must be less than the lease duration');
  }

  /** Whether this process may act now. */
  held(): boolean {
    return this.#options.clock.monotonic() < this.#heldUntil;
  }

  /** Aborts when the lease was held and is no longer. It is never taken again by this object. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Aborts when it is held and somebody else asks for it. It goes on being held until it is released. */
  get asked(): AbortSignal {
    return this.#asked.signal;
  }

  /**
   * Resolves to true when the lease is ours and being renewed, to false when the signal aborts before. Looks at the very
   * moment in which it runs out, so that nobody waits longer than was promised. Who sees everything asks a holder who does not.
   */
  async acquire(signal: AbortSignal, { ask = false }: { readonly ask?: boolean } = {}): Promise<boolean> {
    const { clock } = this.#options;
    // Most often everything is seen before the first look is due.
    if (this.#patienceMs() > 0) await this.#pause(this.#lookMs, signal);
    while (!signal.aborted) {
      if (await this.attempt(signal)) return true;
      if (ask || this.seesMore()) await this.ask(signal);
      const untilFree = this.sighting.untilFree(clock.monotonic());
      await this.#pause(untilFree > 0 ? Math.min(untilFree, this.#jittered()) : this.#jittered(), signal);
    }
    return false;
  }

  /** Whether its holder does not see everything, this process does, and nobody has asked for it. */
  seesMore(): boolean {
    const { sighting } = this;
    return this.#patienceMs() === 0 && sighting.isBlind && sighting.askedBy === undefined;
  }

  /** Takes the lease if it can be taken now. Once. */
  async attempt(signal: AbortSignal): Promise<boolean> {
    if (!(await this.#try(signal))) return false;
    this.#options.log.info({ lease: this.#options.name, identity: this.#options.identity }, 'leading');
    this.#renewing = this.#renew();
    return true;
  }

  /** Sees how it stands, and does nothing. Its holder knows that from renewing it. */
  async look(signal: AbortSignal): Promise<void> {
    if (!this.held()) await this.#read(signal, this.#deadlineMs);
  }

  /** Asks whoever holds it, as last seen, to give way; whether it was heard is seen later. */
  async ask(signal: AbortSignal): Promise<void> {
    const { clock, identity, log, name } = this.#options;
    const { lease, askedBy } = this.sighting;
    if (!lease || askedBy === identity || this.sighting.holder(clock.monotonic()) === undefined) return;
    const metadata = {
      ...lease.metadata,
      annotations: { ...lease.metadata.annotations, [annotations.askedBy]: identity },
    };
    try {
      const asked = await this.#resource.update({ ...lease, metadata }, { signal, timeoutMs: this.#deadlineMs });
      this.sighting.saw(asked, clock.monotonic());
    } catch (error) {
      // It was renewed meanwhile, or cannot be written now: at the next look.
      if (!signal.aborted) log.debug({ lease: name, error }, 'the holder of the lease could not be asked');
    }
  }

  /** Stops renewing and lets the next one take over at once. Call it when nothing acts any more. */
  async release(): Promise<void> {
    const mine = await this.#leaveMine();
    if (!mine) return;
    const spec = { ...mine.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: this.#stamp() };
    // If this fails the others merely wait for the lease to run out.
    await this.#writeLast(mine, spec, this.#retryMs).catch(() => {});
  }

  /** Stops renewing and keeps others waiting for so long: for whoever knows that they, too, are about to go. */
  async linger(ms: number): Promise<void> {
    const mine = await this.#leaveMine();
    if (!mine) return;
    const spec = { ...mine.spec, leaseDurationSeconds: Math.ceil(ms / 1000), renewTime: this.#stamp() };
    await this.#writeLast(mine, spec, this.#deadlineMs);
  }

  /** A renewal that was called off may have arrived all the same: what it wrote is ours, too. */
  async #writeLast(mine: LeaseObject, spec: NonNullable<LeaseObject['spec']>, timeoutMs: number): Promise<void> {
    try {
      await this.#resource.update({ ...mine, spec }, { timeoutMs });
    } catch (error) {
      if (!isKubeError(error, 'conflict')) throw error;
      const { namespace, name, identity } = this.#options;
      const current = await this.#resource.get({ namespace, name }, { timeoutMs });
      if (current.spec?.holderIdentity === identity)
        await this.#resource.update({ ...current, spec: { ...current.spec, ...spec } }, { timeoutMs });
    }
  }

  /** Stops renewing and does not give it back: for one of several who hold it together. Resolves to whether it was held. */
  async leave(): Promise<boolean> {
    this.#stop.abort();
    await this.#renewing;
    const wasHeld = this.held();
    this.#heldUntil = Number.NEGATIVE_INFINITY;
    return wasHeld;
  }

  /** Stops renewing. Resolves to the lease, if it was held: read again, if the end came before that could be done after a conflict. */
  async #leaveMine(): Promise<LeaseObject | undefined> {
    if (!(await this.leave())) return undefined;
    if (this.sighting.lease) return this.sighting.lease;
    const { identity } = this.#options;
    const current = await this.#read(new AbortController().signal, this.#retryMs).catch(() => undefined);
    return current?.spec?.holderIdentity === identity ? current : undefined;
  }

  async #renew(): Promise<void> {
    const { clock, log, name } = this.#options;
    const { signal } = this.#stop;
    for (;;) {
      try {
        await sleep(clock, this.#retryMs, signal);
      } catch {
        return;
      }
      const renewed = this.held() && (await this.#try(signal));
      if (signal.aborted) return;
      if (!renewed && !this.held()) {
        log.error({ lease: name }, 'the leader lease was lost');
        this.#heldUntil = Number.NEGATIVE_INFINITY;
        this.#lost.abort(new Error(`the leader lease ${name} was lost`));
        return;
      }
    }
  }

  /** One attempt to take or to keep the lease. Never throws: what went wrong is logged and tried again. */
  async #try(signal: AbortSignal): Promise<boolean> {
    const { clock, log, name } = this.#options;
    // Counted from before the request: when it arrives, and with it the others' clock, is later than this.
    const started = clock.monotonic();
    try {
      const timeoutMs = this.held() ? Math.max(1, this.#heldUntil - started) : this.#deadlineMs;
      const left = (): number => Math.max(1, started + timeoutMs - clock.monotonic());
      const written = await this.#take(signal, left);
      if (!written) {
        // Somebody else holds it: if we thought it ours, we were too slow.
        this.#heldUntil = Number.NEGATIVE_INFINITY;
        return false;
      }
      this.sighting.saw(written, started);
      this.#heldUntil = started + this.#deadlineMs;
      this.#noticeAsk();
      return true;
    } catch (error) {
      // Somebody wrote in between, or an answer of ours was lost: read before the next try.
      if (isKubeError(error, 'conflict', 'exists')) this.sighting.forget();
      else if (!signal.aborted) {
        log.warn({ lease: name, error }, 'the leader lease could not be renewed or taken');
      }
      return false;
    }
  }

  /** The lease as we wrote it; `undefined` when it is somebody else's. Who holds it reads again at once after a conflict. */
  async #take(signal: AbortSignal, left: () => number): Promise<LeaseObject | undefined> {
    const mine = this.held() ? this.sighting.lease : undefined;
    if (mine) {
      try {
        return await this.#write(mine, signal, left());
      } catch (error) {
        // Somebody asked for it, an answer of ours was lost, or somebody deleted it.
        if (!isKubeError(error, 'conflict', 'not-found')) throw error;
        this.sighting.forget();
      }
    }
    const current = await this.#read(signal, left());
    if (!this.#isOurs(current)) return undefined;
    return await this.#write(current, signal, left());
  }

  #isOurs(current: LeaseObject | undefined): boolean {
    const { identity, clock } = this.#options;
    if (this.held() && (!current || current.spec?.holderIdentity === identity)) return true;
    return this.sighting.mayTake(identity, clock.monotonic(), this.#patienceMs());
  }

  #noticeAsk(): void {
    const { askedBy } = this.sighting;
    if (askedBy !== undefined && askedBy !== this.#options.identity) this.#asked.abort(askedBy);
  }

  async #read(signal: AbortSignal, timeoutMs: number): Promise<LeaseObject | undefined> {
    const { namespace, name, clock } = this.#options;
    try {
      const lease = await this.#resource.get({ namespace, name }, { signal, timeoutMs });
      this.sighting.saw(lease, clock.monotonic());
      return lease;
    } catch (error) {
      if (!isKubeError(error, 'not-found')) throw error;
      this.sighting.saw(undefined, clock.monotonic());
      return undefined;
    }
  }

  #write(current: LeaseObject | undefined, signal: AbortSignal, timeoutMs: number): Promise<LeaseObject> {
    const { namespace, name, identity } = this.#options;
    const now = this.#stamp();
    const mine = current?.spec?.holderIdentity === identity;
    const spec = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(this.#durationMs / 1000),
      acquireTime: (mine && current?.spec?.acquireTime) || now,
      renewTime: now,
      leaseTransitions: (current?.spec?.leaseTransitions ?? 0) + (current && !mine ? 1 : 0),
    };
    if (current) {
      const metadata = this.#annotated(current.metadata);
      return this.#resource.update({ ...current, metadata, spec }, { signal, timeoutMs });
    }
    const metadata = this.#annotated({ namespace, name });
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
    return this.#resource.create(lease, { signal, timeoutMs });
  }

  /** What was asked of the holder before is no longer asked of the next, and each says for itself what it sees. */
  #annotated(metadata: LeaseObject['metadata']): LeaseObject['metadata'] {
    const { identity, sight, together = false } = this.#options;
    const { [annotations.askedBy]: asked, [annotations.blind]: _, ...others } = metadata.annotations ?? {};
    const isBlind = sight !== undefined && !sight.isClear && !together;
    const own = {
      ...others,
      ...(asked !== undefined && this.held() && { [annotations.askedBy]: asked }),
      ...(isBlind && { [annotations.blind]: identity }),
    };
    return metadata.annotations || isBlind ? { ...metadata, annotations: own } : metadata;
  }

  /** How long it must have been free before this process takes it. */
  #patienceMs(): number {
    return this.#options.sight?.patienceMs() ?? 0;
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const { clock, sight } = this.#options;
    await (sight ? sight.pause(ms, signal) : sleep(clock, ms, signal).catch(() => {}));
  }

  #stamp(): string {
    return microTime(this.#options.clock.now());
  }

  /** A little more than the period, different for everybody, so that competitors do not march in step. */
  #jittered(): number {
    return this.#lookMs * (1 + 0.2 * this.#options.random.next());
  }
}
