import { type Clock, sleep } from '../../clock/clock.ts';
import { Refusal } from '../http/refusal.ts';

/** Such work takes at most one part in so many of the time. */
const share = 4;

/**
 * Does what people ask for and may take long, with rests between: whoever asks for much waits, and what else this process does
 * goes on.
 */
export class Turns {
  readonly #clock: Clock;
  #restUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws Refusal 400 when the person leaves before it is their turn */
  async take<T>(work: () => T, left: AbortSignal): Promise<T> {
    for (let restMs = this.#restMs(); restMs > 0; restMs = this.#restMs()) {
      await sleep(this.#clock, restMs, left).catch(() => {
        throw new Refusal(400, 'The request broke off.');
      });
    }
    const begun = this.#clock.monotonic();
    try {
      return work();
    } finally {
      const ended = this.#clock.monotonic();
      this.#restUntil = ended + (ended - begun) * share;
    }
  }

  #restMs(): number {
    return this.#restUntil - this.#clock.monotonic();
  }
}
