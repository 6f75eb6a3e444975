import { type Clock, sleep } from '../clock/clock.ts';

/** A cache that is filled by then is worth waiting for; after that, something cannot be seen: a right or a kind is missing. */
const fillingMs = 30_000;
/** Who sees less leaves those who see everything this long to take what is free: more than they need to notice it. */
const politeMs = 3_000;

/**
 * Whether this process has seen, at least once, all that it must see to act.
 *
 * One that has not could do a part of the work only, or none. So it lets others go first, and acts for what it sees when there
 * is nobody else. What has been seen once stays seen: a watch that breaks later is no reason to let go.
 */
export class Sight {
  readonly #clock: Clock;
  readonly #began: number;
  readonly #wake = new Set<() => void>();
  #isClear = false;

  /** `seen`: resolves when everything has been seen. */
  constructor(clock: Clock, seen: Promise<unknown>) {
    this.#clock = clock;
    this.#began = clock.monotonic();
    void seen.then(() => {
      this.#isClear = true;
      for (const wake of this.#wake) wake();
    });
  }

  get isClear(): boolean {
    return this.#isClear;
  }

  /** How long nobody must have had what this process would take. Not at all its turn: infinite. */
  patienceMs(): number {
    if (this.#isClear) return 0;
    return this.#clock.monotonic() - this.#began < fillingMs ? Number.POSITIVE_INFINITY : politeMs;
  }

  /** Resolves after `ms`, as soon as everything comes to be seen, or when the signal aborts. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    const until = new AbortController();
    const wake = (): void => until.abort();
    signal.addEventListener('abort', wake, { once: true });
    if (signal.aborted) wake();
    this.#wake.add(wake);
    await sleep(this.#clock, ms, until.signal).catch(() => {});
    this.#wake.delete(wake);
    signal.removeEventListener('abort', wake);
  }
}
