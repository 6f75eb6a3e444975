import type { Clock, Instant } from './clock.ts';

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/**
 * A clock that stands still until it is told to move, and then runs every timer in order of due time (first armed
 * first among equals).
 *
 * Between two timers it lets all pending promise jobs run, so code under test reacts to one timer before the next
 * fires. That holds as long as the code waits only for promises and for this clock: real I/O has no place under it.
 */
export class VirtualClock implements Clock {
  #elapsed = 0;
  #origin: Instant;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(start: Instant = Date.UTC(2030, 0, 1)) {
    this.#origin = start;
  }

  /** Whole milliseconds, as the real clock's: timers may fall due in between. */
  now(): Instant {
    return Math.floor(this.#origin + this.#elapsed);
  }

  monotonic(): number {
    return this.#elapsed;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { due: this.#elapsed + Math.max(0, ms), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Milliseconds until the next timer is due; undefined when nothing waits. */
  get untilNext(): number | undefined {
    const next = this.#next();
    return next && next.due - this.#elapsed;
  }

  /** The wall clock jumps (an administrator sets the time); monotonic time and timers do not notice. */
  jump(ms: number): void {
    this.#origin += ms;
  }

  /** Moves time forward by `ms`, running what falls due on the way. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await settle();
    for (let next = this.#next(); next && next.due <= end; next = this.#next()) {
      this.#elapsed = Math.max(this.#elapsed, next.due);
      this.#timers.delete(next);
      next.callback();
      await settle();
    }
    this.#elapsed = end;
  }

  /**
   * Moves time forward, timer by timer, until `done()` holds. Resolves to whether it came to hold: `false` when
   * `limit` milliseconds passed, or no timer is left that could change anything.
   */
  async runUntil(done: () => boolean, limit: number): Promise<boolean> {
    const end = this.#elapsed + limit;
    await settle();
    while (!done()) {
      const next = this.#next();
      if (!next || next.due > end) return false;
      await this.advance(Math.max(0, next.due - this.#elapsed));
    }
    return true;
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (!first || timer.due < first.due || (timer.due === first.due && timer.order < first.order)) first = timer;
    }
    return first;
  }
}

/** Lets every promise job that is ready, and those they make ready, run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
