import type { Clock } from '../clock/clock.ts';

/** Of the time of the process, work that nobody waits for leaves this part free. */
const freePart = 1 / 2;
/** After so long it goes on all the same: what is not urgent must not wait for ever. */
const longestMs = 50;
/** Nobody knows yet what a piece that has just begun will take. */
const shortestMs = 1;

/**
 * The pace of work that nobody waits for, one for the whole process. What one piece sets off (requests, their answers, other
 * looks) comes later and from elsewhere, so it is the process that is asked how busy it was, not the piece how long it took.
 *
 * Who asks first begins first: of many with much to do, all get on.
 */
export class Leisure {
  readonly #clock: Clock;
  #begun: { readonly at: number; readonly busy: number } | undefined;
  /** Who waits to begin, in the order in which they asked. */
  readonly #line = new Set<() => void>();
  #timer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins a piece of work, if it may be now and nobody waits for the same. */
  begin(): boolean {
    if (this.#line.size > 0 || this.#waitMs() > 0) return false;
    this.#begin();
    return true;
  }

  /** Calls back when the next piece has its turn; that has begun then. Returns the way to call it off. */
  wait(turn: () => void): () => void {
    this.#line.add(turn);
    this.#arm();
    return () => {
      this.#line.delete(turn);
      if (this.#line.size > 0) return;
      this.#timer?.();
      this.#timer = undefined;
    };
  }

  #arm(): void {
    this.#timer ??= this.#clock.after(this.#waitMs(), () => {
      this.#timer = undefined;
      const [turn] = this.#line;
      if (turn && this.#waitMs() <= 0) {
        this.#line.delete(turn);
        this.#begin();
        turn();
      }
      if (this.#line.size > 0) this.#arm();
    });
  }

  #begin(): void {
    this.#begun = { at: this.#clock.monotonic(), busy: this.#busy() };
  }

  #waitMs(): number {
    if (!this.#begun || !this.#clock.busy) return 0;
    const passed = this.#clock.monotonic() - this.#begun.at;
    const busy = this.#busy() - this.#begun.busy;
    return Math.max(0, Math.min(Math.max(shortestMs, busy / (1 - freePart)), longestMs) - passed);
  }

  #busy(): number {
    return this.#clock.busy?.() ?? 0;
  }
}
