import type { Clock } from '../clock/clock.ts';

/** How much is let through: `burst` at once, `perSecond` in the long run. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** A token bucket that hands out places in the future rather than refusing: everything gets its turn, spread in time. */
export class Bucket {
  readonly #clock: Clock;
  readonly #rate: Rate;
  #tokens: number;
  #filledAt: number;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#filledAt = clock.monotonic();
  }

  /** Takes one token, on credit if there is none. Returns how many milliseconds the caller has to wait for it. */
  reserve(): number {
    this.#fill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens * 1000) / this.#rate.perSecond;
  }

  /** Takes one token if there is one. */
  take(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #fill(): void {
    const now = this.#clock.monotonic();
    const earned = ((now - this.#filledAt) * this.#rate.perSecond) / 1000;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + earned);
    this.#filledAt = now;
  }
}
