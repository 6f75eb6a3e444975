import type { Clock } from '../../clock/clock.ts';

/** Things to do later, all of which can be called off at once. */
export class Timers {
  readonly #clock: Clock;
  readonly #pending = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  later(ms: number, action: () => void): void {
    const cancel = this.#clock.after(ms, () => {
      this.#pending.delete(cancel);
      action();
    });
    this.#pending.add(cancel);
  }

  clear(): void {
    for (const cancel of this.#pending) cancel();
    this.#pending.clear();
  }
}
