import type { Clock, Instant } from '../../src/clock/clock.ts';

/**
 * The life of one process under test: the clock it sees and the gate that everything from outside comes through.
 *
 * A killed process never runs again: its timers do not fire, its answers do not arrive. A paused one (SIGSTOP, a long
 * garbage collection, a frozen machine) does not notice that time passes until it is resumed; then all that it missed
 * comes at once, late.
 */
export class Process implements Clock {
  readonly #clock: Clock;
  readonly #cancels = new Set<() => void>();
  #dead = false;
  #paused: PromiseWithResolvers<void> | undefined;
  readonly #end = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when it is dead. */
  get death(): Promise<void> {
    return this.#end.promise;
  }

  get dead(): boolean {
    return this.#dead;
  }

  now(): Instant {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  after(ms: number, callback: () => void): () => void {
    if (this.#dead) return () => {};
    let called = false;
    const cancel = this.#clock.after(ms, () => {
      this.#cancels.delete(cancel);
      const run = (): void => {
        if (!this.#dead && !called) callback();
      };
      if (this.#paused) void this.#paused.promise.then(run);
      else run();
    });
    this.#cancels.add(cancel);
    return () => {
      called = true;
      this.#cancels.delete(cancel);
      cancel();
    };
  }

  kill(): void {
    this.#dead = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
    this.#end.resolve();
  }

  pause(ms: number): void {
    if (this.#paused || this.#dead) return;
    const paused = Promise.withResolvers<void>();
    this.#paused = paused;
    this.#clock.after(ms, () => {
      this.#paused = undefined;
      paused.resolve();
    });
  }

  /** What comes from outside reaches the process when it runs, and never when it is dead. */
  async receive<T>(arriving: Promise<T>): Promise<T> {
    try {
      return await arriving;
    } finally {
      while (this.#paused) await this.#paused.promise;
      if (this.#dead) await new Promise<never>(() => {});
    }
  }
}
