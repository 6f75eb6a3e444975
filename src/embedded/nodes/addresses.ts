/** Hands out the pod addresses of one node: 10.244.N.2 and up, the longest unused first. */
export class Addresses {
  readonly #prefix: string;
  readonly #taken = new Set<string>();
  #last = 1;

  constructor(index: number) {
    this.#prefix = `10.244.${index}.`;
  }

  /** An address that a pod already has. */
  mark(address: string): void {
    this.#taken.add(address);
  }

  take(): string {
    for (let tries = 0; tries < 253; tries++) {
      this.#last = this.#last >= 254 ? 2 : this.#last + 1;
      const address = `${this.#prefix}${this.#last}`;
      if (!this.#taken.has(address)) {
        this.#taken.add(address);
        return address;
      }
    }
    // More pods than addresses: the scheduler's limit of pods per node is far below, so only pinned pods get here.
    return `${this.#prefix}254`;
  }

  giveBack(address: string): void {
    this.#taken.delete(address);
  }
}
