import type { Clock } from '../clock/clock.ts';
import type { Cached } from './caches.ts';
import type { LeaseObject } from './lease.ts';

/**
 * Watches the leader lease of another controller and says whether that controller is alive.
 *
 * As with our own lease, its clock is never compared with ours: it is alive until we have seen no change for as long
 * as its holder promised one. A lease that was given back, or is not there, is nobody's.
 */
export class ForeignLease {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  /** Monotonic instant until which the holder counts as alive. */
  #until = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  readonly #unsubscribe: () => void;

  /** `onChange` is called when the answer of `alive` may have changed. */
  constructor(cached: Cached<LeaseObject>, clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
    this.#unsubscribe = cached.changes(({ after }) => this.#saw(after));
  }

  alive(): boolean {
    return this.#clock.monotonic() < this.#until;
  }

  close(): void {
    this.#unsubscribe();
    this.#cancel?.();
  }

  #saw(lease: LeaseObject | undefined): void {
    const before = this.alive();
    const { holderIdentity, leaseDurationSeconds = 15 } = lease?.spec ?? {};
    this.#cancel?.();
    if (holderIdentity) {
      this.#until = this.#clock.monotonic() + leaseDurationSeconds * 1000;
      this.#cancel = this.#clock.after(leaseDurationSeconds * 1000, this.#onChange);
    } else {
      this.#until = Number.NEGATIVE_INFINITY;
    }
    if (this.alive() !== before) this.#onChange();
  }
}
