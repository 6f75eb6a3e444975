import type { VirtualClock } from '../../src/clock/virtual.ts';

/** So long may anything take once nothing is in its way: back-offs, leases and starts of pods included. */
export const boundMs = 20 * 60_000;

/** Thrown through what people do when somebody else has put an end to it: see `Patience.abandon`. */
export class Abandoned extends Error {}

/**
 * How people wait, in the time of the run. What does not come within the bound is a violation: that is the oracle of
 * convergence.
 */
export class Patience {
  readonly #clock: VirtualClock;
  #lateMs = 0;
  #abandoned = false;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** Time during which nothing can become of anything, such as an outage, does not count. */
  forgive(ms: number): void {
    this.#lateMs += ms;
  }

  /** What people work on is taken away: they do nothing more. */
  abandon(): void {
    this.#abandoned = true;
  }

  /** Lets time pass until it holds. Tells what was not the case, after the bound, by `late`. */
  async until(holds: () => boolean, late: (minutes: number) => void): Promise<void> {
    const before = this.#lateMs;
    const done = (): boolean => this.#abandoned || holds();
    let came = await this.#clock.runUntil(done, boundMs);
    for (let given = before; !came && given < this.#lateMs; ) {
      const more = this.#lateMs - given;
      given = this.#lateMs;
      came = await this.#clock.runUntil(done, more);
    }
    if (this.#abandoned) throw new Abandoned();
    if (!came) late(boundMs / 60_000);
  }

  async pause(ms: number): Promise<void> {
    await this.#clock.advance(ms);
    if (this.#abandoned) throw new Abandoned();
  }
}
