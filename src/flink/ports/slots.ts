import type { Clock } from '../../clock/clock.ts';

/** A request that has waited this long for its answer costs nothing but a socket. */
const patienceMs = 1_000;

/**
 * Lets so many requests begin at a time; others wait for their turn, first come, first served. One that hangs gives its
 * place back after a second: it must not delay anybody else.
 */
export class Slots {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(most: number, clock: Clock) {
    this.#free = most;
    this.#clock = clock;
  }

  async run<T>(request: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const cancel = this.#clock.after(patienceMs, () => leave());
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      cancel();
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
    try {
      return await request();
    } finally {
      leave();
    }
  }
}
