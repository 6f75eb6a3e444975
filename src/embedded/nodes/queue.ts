/** Values that one side pushes and one other reads, in order, until the first closes it. */
export class Queue<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  push(value: T): void {
    if (this.#closed) return;
    this.#values.push(value);
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for (;;) {
      while (this.#values.length > 0) yield this.#values.shift() as T;
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
