import { type Clock, sleep } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import type { Client } from '../kube/client.ts';
import { isKubeError } from '../kube/error.ts';
import { kinds } from '../kube/kinds.ts';
import type { KubeObject } from '../kube/object.ts';
import type { Resource } from '../kube/resource.ts';
import { microTime } from './events.ts';
import type { Log } from './log.ts';

export interface LeaseOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly namespace: string;
  readonly name: string;
  /** Unique among all who compete, also after a restart: the pod's name and a random part. */
  readonly identity: string;
  /** Others wait this long without a sign of life before they take over. Default 15 s. */
  readonly durationMs?: number;
  /** The holder stops acting when it could not renew for this long. Must be less than `durationMs`. Default 10 s. */
  readonly renewDeadlineMs?: number;
  /** How often the holder renews and the others look. Default 2 s. */
  readonly retryMs?: number;
}

/** `coordination.k8s.io/v1` */
export interface LeaseObject extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

/**
 * The right to act, held by one process at a time.
 *
 * Kubernetes offers no real fencing: a holder that was paused may wake up after another has taken over. So `held` goes
 * by the monotonic clock and says no before anybody else could say yes, as long as clocks run at about the same speed;
 * every write carries uid and resourceVersion for the rest. Other processes' clocks are never compared with ours:
 * what counts is how long we have seen no change.
 */
export class LeaderLease {
  readonly #options: LeaseOptions;
  readonly #resource: Resource<LeaseObject>;
  readonly #durationMs: number;
  readonly #deadlineMs: number;
  readonly #retryMs: number;
  readonly #lost = new AbortController();
  readonly #stop = new AbortController();
  /** The lease as we last saw it, and when (monotonic) we first saw it so. */
  #seen: { readonly lease: LeaseObject; readonly at: number } | undefined;
  /** Monotonic instant until which we may act. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  #renewing: Promise<void> | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#resource = options.client.resource<LeaseObject>(kinds.leases);
    this.#durationMs = options.durationMs ?? 15_000;
    this.#deadlineMs = options.renewDeadlineMs ?? 10_000;
    this.#retryMs = options.retryMs ?? 2_000;
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

  /** Resolves to true when the lease is ours and being renewed, to false when the signal aborts before. */
  async acquire(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (await this.#try(signal)) {
        this.#options.log.info({ lease: this.#options.name, identity: this.#options.identity }, 'leading');
        this.#renewing = this.#renew();
        return true;
      }
      await sleep(this.#options.clock, this.#jittered(), signal).catch(() => {});
    }
    return false;
  }

  /** Stops renewing and lets the next one take over at once. Call it when nothing acts any more. */
  async release(): Promise<void> {
    this.#stop.abort();
    await this.#renewing;
    const mine = this.held() ? this.#seen?.lease : undefined;
    this.#heldUntil = Number.NEGATIVE_INFINITY;
    if (!mine) return;
    const spec = { ...mine.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: this.#stamp() };
    // If this fails the others merely wait for the lease to run out.
    await this.#resource.update({ ...mine, spec }, { timeoutMs: this.#retryMs }).catch(() => {});
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
      const mine = this.held() ? this.#seen?.lease : undefined;
      const current = mine ?? (await this.#read(signal, timeoutMs));
      if (current && !this.#free(current)) {
        // Somebody else holds it: if we thought it ours, we were too slow.
        this.#heldUntil = Number.NEGATIVE_INFINITY;
        return false;
      }
      const written = await this.#write(current, signal, Math.max(1, started + timeoutMs - clock.monotonic()));
      this.#seen = { lease: written, at: started };
      this.#heldUntil = started + this.#deadlineMs;
      return true;
    } catch (error) {
      // Somebody wrote in between, or an answer of ours was lost: read before the next try.
      if (isKubeError(error, 'conflict', 'exists')) this.#seen = undefined;
      else if (!signal.aborted) {
        log.warn({ lease: name, error }, 'the leader lease could not be renewed or taken');
      }
      return false;
    }
  }

  async #read(signal: AbortSignal, timeoutMs: number): Promise<LeaseObject | undefined> {
    const { namespace, name, clock } = this.#options;
    try {
      const lease = await this.#resource.get({ namespace, name }, { signal, timeoutMs });
      if (lease.metadata.resourceVersion !== this.#seen?.lease.metadata.resourceVersion) {
        this.#seen = { lease, at: clock.monotonic() };
      }
      return lease;
    } catch (error) {
      if (isKubeError(error, 'not-found')) return undefined;
      throw error;
    }
  }

  /** Ours, given back, or without a sign of life for as long as its holder promised one. */
  #free(lease: LeaseObject): boolean {
    const holder = lease.spec?.holderIdentity;
    if (!holder || holder === this.#options.identity) return true;
    const promised = (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
    return this.#options.clock.monotonic() - (this.#seen?.at ?? Number.POSITIVE_INFINITY) >= promised;
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
    if (current) return this.#resource.update({ ...current, spec }, { signal, timeoutMs });
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace, name }, spec };
    return this.#resource.create(lease, { signal, timeoutMs });
  }

  #stamp(): string {
    return microTime(this.#options.clock.now());
  }

  /** A little more than the period, different for everybody, so that competitors do not march in step. */
  #jittered(): number {
    return this.#retryMs * (1 + 0.2 * this.#options.random.next());
  }
}
