import type { Clock } from '../../src/clock/clock.ts';

/** What befalls all processes of a run alike: whether the server can be reached. */
export class Weather {
  readonly #clock: Clock;
  #until = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Nobody reaches the server from now on, for so long. */
  outage(ms: number): void {
    this.#until = Math.max(this.#until, this.#clock.monotonic() + ms);
  }

  /** For how much longer an outage is felt, if it is for so long after it has ended. */
  feltFor(afterMs: number): number {
    return this.#until === 0 ? 0 : Math.max(0, this.#until + afterMs - this.#clock.monotonic());
  }

  get isOut(): boolean {
    return this.#clock.monotonic() < this.#until;
  }
}
