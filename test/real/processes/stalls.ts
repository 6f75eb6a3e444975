/** How often this process looks whether it was kept from running. */
const tickMs = 50;

/**
 * Measures how long the machine kept processes from running: what is promised to users is promised on a machine that runs. A
 * wait of this process is taken for one of all.
 */
export class Stalls implements Disposable {
  readonly #seen: { readonly at: number; readonly ms: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #last = Date.now();

  constructor() {
    this.#timer = setInterval(() => {
      const now = Date.now();
      this.#seen.push({ at: now, ms: Math.max(0, now - this.#last - tickMs) });
      this.#last = now;
    }, tickMs);
  }

  /** All of it since an instant, in milliseconds. */
  since(instant: number): number {
    return this.#seen.filter(({ at }) => at >= instant).reduce((sum, { ms }) => sum + ms, 0);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
