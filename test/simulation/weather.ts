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

  get isOut(): boolean {
    return this.#clock.monotonic() < this.#until;
  }
}
