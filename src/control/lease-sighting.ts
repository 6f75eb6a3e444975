import type { KubeObject } from '../kube/object.ts';
import { annotations } from './annotations.ts';

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

/** `promisedMs`: how long after `at` it is its holder's, if no more is heard. */
interface Seen {
  readonly lease: LeaseObject | undefined;
  readonly at: number;
  readonly promisedMs: number;
}

/** Whoever asked for a lease has this long to take it before others do. */
const reservedMs = 2_500;

/**
 * What is known of a lease from looking at it. Other processes' clocks are never compared with ours: what counts is how long
 * we have seen no change. All times are monotonic.
 */
export class LeaseSighting {
  /** The lease, or that there is none, and when we first saw it so. */
  #seen: Seen | undefined;
  /** How often its present holder was seen to renew it. */
  #renewals = 0;

  saw(lease: LeaseObject | undefined, at: number): void {
    const before = this.#seen?.lease;
    const isSame = this.#seen && before?.metadata.resourceVersion === lease?.metadata.resourceVersion;
    if (isSame) return;
    const [was, is] = [before?.spec, lease?.spec];
    const isSameHolder = before !== undefined && was?.holderIdentity === is?.holderIdentity;
    const isRenewed = was?.renewTime !== is?.renewTime;
    if (!isSameHolder) this.#renewals = 0;
    else if (isRenewed) this.#renewals += 1;
    // That somebody asks for it is no sign of life of its holder.
    const since = this.#seen && isSameHolder && !isRenewed ? this.#seen.at : at;
    // One that somebody deleted is still believed in by its holder, who makes it anew.
    const promisedMs = lease ? promiseOf(lease) : this.untilFree(at);
    this.#seen = { lease, at: since, promisedMs };
  }

  /** Whatever was seen is out of date: somebody wrote in between. */
  forget(): void {
    this.#seen = undefined;
  }

  get lease(): LeaseObject | undefined {
    return this.#seen?.lease;
  }

  /** Signs of life that its present holder gave while we looked. */
  get renewals(): number {
    return this.#renewals;
  }

  /** Who asks its holder to give way. */
  get askedBy(): string | undefined {
    return this.lease?.metadata.annotations?.[annotations.askedBy] || undefined;
  }

  /** Its holder says of itself that it does not see everything. */
  get isBlind(): boolean {
    const blind = this.lease?.metadata.annotations?.[annotations.blind];
    return blind !== undefined && blind === this.lease?.spec?.holderIdentity;
  }

  /** Whoever holds it and may be alive. */
  holder(now: number): string | undefined {
    return this.freeMs(now) === undefined ? this.lease?.spec?.holderIdentity : undefined;
  }

  /** How long nobody has held it; `undefined` while somebody does, or nobody has looked. */
  freeMs(now: number): number | undefined {
    if (!this.#seen) return undefined;
    const freeMs = now - this.#seen.at - this.#seen.promisedMs;
    return freeMs >= 0 ? freeMs : undefined;
  }

  /** When it will be nobody's if no more is heard of its holder. */
  untilFree(now: number): number {
    return this.#seen ? Math.max(0, this.#seen.at + this.#seen.promisedMs - now) : 0;
  }

  /**
   * Whether `identity` may take it: it is nobody's, for as long as `patienceMs`, or its own already, and nobody else has asked
   * for it. Who asked has a while to come once it has run out, also before a group of which all were to leave.
   */
  mayTake(identity: string, now: number, patienceMs = 0): boolean {
    const free = this.freeMs(now) ?? Number.NEGATIVE_INFINITY;
    const isAsked = this.askedBy !== undefined && this.askedBy !== identity;
    if (isAsked) return free >= Math.max(reservedMs, patienceMs);
    return free >= patienceMs || this.lease?.spec?.holderIdentity === identity;
  }
}

function promiseOf({ spec }: LeaseObject): number {
  return spec?.holderIdentity ? (spec.leaseDurationSeconds ?? 0) * 1000 : 0;
}
