import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';

export interface BackoffOptions {
  /** The first wait is up to this long. Default: 0.8 s. */
  readonly firstMs?: number;
  /** No wait is longer, unless the server asks for it. Default: 30 s. */
  readonly mostMs?: number;
  /** After so long without trouble the next trouble is a first one again. Default: 2 min. */
  readonly healthyMs?: number;
}

/** How long to wait after each failure: twice as long each time, with full jitter so that clients do not march in step. */
export class Backoff {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #firstMs: number;
  readonly #mostMs: number;
  readonly #healthyMs: number;
  #failures = 0;
  #waitsUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, random: Random, options: BackoffOptions = {}) {
    this.#clock = clock;
    this.#random = random;
    this.#firstMs = options.firstMs ?? 800;
    this.#mostMs = options.mostMs ?? 30_000;
    this.#healthyMs = options.healthyMs ?? 120_000;
  }

  /** Something failed now: how many milliseconds to wait. Never less than the server asked for. */
  next(retryAfterMs = 0): number {
    const now = this.#clock.monotonic();
    if (now - this.#waitsUntil >= this.#healthyMs) this.#failures = 0;
    const longest = Math.min(this.#mostMs, this.#firstMs * 2 ** this.#failures);
    this.#failures++;
    const wait = Math.max(retryAfterMs, this.#random.next() * longest);
    this.#waitsUntil = now + wait;
    return wait;
  }
}
