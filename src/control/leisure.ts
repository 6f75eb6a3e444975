import type { Clock } from '../clock/clock.ts';

/** Of the time of the process, work that nobody waits for leaves this part free. */
const freePart = 1 / 2;
/** After so long it goes on all the same: what is not urgent must not wait for ever. */
const longestMs = 50;

/**
 * The pace of work that nobody waits for. What one piece sets off (requests, their answers, other looks) comes later and from
 * elsewhere, so it is the whole process that is asked how busy it was, not the piece how long it took.
 */
export class Leisure {
  readonly #clock: Clock;
  #begun: { readonly at: number; readonly busy: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long the next piece of work has yet to wait. */
  waitMs(): number {
    if (!this.#begun) return 0;
    const passed = this.#clock.monotonic() - this.#begun.at;
    const busy = this.#busy() - this.#begun.busy;
    return Math.max(0, Math.min(busy / (1 - freePart), longestMs) - passed);
  }

  /** A piece of work begins. */
  begin(): void {
    this.#begun = { at: this.#clock.monotonic(), busy: this.#busy() };
  }

  #busy(): number {
    return this.#clock.busy?.() ?? 0;
  }
}
