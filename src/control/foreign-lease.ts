import type { Clock } from '../clock/clock.ts';
import type { Cached } from './caches.ts';
import type { LeaseObject } from './lease.ts';

/**
 * Watches the leader lease of another controller and says whether that controller is alive.
 *
 * As with our own lease, its clock is never compared with ours: it is alive until we have seen no change for as long
 * as its holder promised one. Silence counts only while the watch is well: when we cannot see it, it is not dead. A lease
 * that was given back, or is not there, is nobody's.
 */
export class ForeignLease {
  readonly #cached: Pick<Cached<LeaseObject>, 'changes' | 'trouble'>;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #unsubscribe: () => void;
  /** Calls off the timer that will find the holder dead; absent when nobody holds the lease. */
  #cancel: (() => void) | undefined;

  /** `onChange` is called when the answer of `alive` has changed. */
  constructor(cached: Pick<Cached<LeaseObject>, 'changes' | 'trouble'>, clock: Clock, onChange: () => void) {
    this.#cached = cached;
    this.#clock = clock;
    this.#onChange = onChange;
    this.#unsubscribe = cached.changes(({ after }) => this.#saw(after));
  }

  alive(): boolean {
    return this.#cancel !== undefined;
  }

  close(): void {
    this.#unsubscribe();
    this.#cancel?.();
  }

  #saw(lease: LeaseObject | undefined): void {
    const before = this.alive();
    const { holderIdentity, leaseDurationSeconds = 15 } = lease?.spec ?? {};
    this.#cancel?.();
    this.#cancel = undefined;
    if (holderIdentity) this.#awaitRenewal(leaseDurationSeconds * 1000);
    if (this.alive() !== before) this.#onChange();
  }

  #awaitRenewal(ms: number): void {
    this.#cancel = this.#clock.after(ms, () => {
      if (this.#cached.trouble) return this.#awaitRenewal(ms);
      this.#cancel = undefined;
      this.#onChange();
    });
  }
}
