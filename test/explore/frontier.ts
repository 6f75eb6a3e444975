/** What is still to be looked at: by cost, then by depth, the newest first. */
export class Frontier<T> {
  readonly #entries: T[][][] = [];
  #cost = 0;
  #depth = 0;

  /** Neither may be less than that of what was taken last. */
  add(cost: number, depth: number, entry: T): void {
    this.#entries[cost] ??= [];
    const byDepth = this.#entries[cost];
    byDepth[depth] ??= [];
    byDepth[depth].push(entry);
  }

  take(): T | undefined {
    for (; this.#cost < this.#entries.length; this.#cost += 1, this.#depth = 0) {
      const byDepth = this.#entries[this.#cost] ?? [];
      for (; this.#depth < byDepth.length; this.#depth += 1) {
        const entry = byDepth[this.#depth]?.pop();
        if (entry !== undefined) return entry;
      }
    }
    return undefined;
  }
}
