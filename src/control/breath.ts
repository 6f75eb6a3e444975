import type { Clock } from '../clock/clock.ts';

/**
 * Work that waits for nothing but promises keeps the process from reading a single answer until all of it is done: of ten
 * thousand keys, for many seconds. Whoever takes such work in a row asks here before each piece.
 *
 * All who ask share one breath: as long as one of them went on, nobody else would have a turn.
 */
export class Breath {
  readonly #clock: Clock;
  /** The turn of the event loop in which work is being taken: when that began, and its end. */
  #turn: { readonly since: number; readonly over: Promise<void> } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when others had their turn; `undefined` while it is not time for that: work has not followed work for so long. */
  due(longestMs: number): Promise<void> | undefined {
    const now = this.#clock.monotonic();
    if (this.#turn) return now - this.#turn.since <= longestMs ? undefined : this.#turn.over;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = { since: now, over: promise };
    setImmediate(() => {
      this.#turn = undefined;
      resolve();
    });
    return undefined;
  }
}
