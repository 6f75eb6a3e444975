/** Where a heap keeps the position of an item, so that it can be moved or removed without a search. */
export interface HeapItem {
  /** Position in the heap; -1 when it is in none. Only the heap writes it. */
  slot: number;
}

/** A binary heap whose items know their place: the smallest is at hand at once, any item moves or leaves in O(log n). */
export class Heap<T extends HeapItem> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    this.#items.push(item);
    this.#up(item, this.#items.length - 1);
  }

  /** The item's order has changed; it may have become smaller or greater. */
  moved(item: T): void {
    this.#up(item, item.slot);
    this.#down(item, item.slot);
  }

  remove(item: T): void {
    const slot = item.slot;
    const last = this.#items.pop();
    item.slot = -1;
    if (!last || last === item) return;
    this.#place(last, slot);
    this.moved(last);
  }

  #place(item: T, slot: number): void {
    this.#items[slot] = item;
    item.slot = slot;
  }

  #up(item: T, from: number): void {
    let slot = from;
    while (slot > 0) {
      const parent = this.#items[(slot - 1) >> 1] as T;
      if (!this.#before(item, parent)) break;
      this.#place(parent, slot);
      slot = (slot - 1) >> 1;
    }
    this.#place(item, slot);
  }

  #down(item: T, from: number): void {
    let slot = from;
    for (;;) {
      const left = this.#items[2 * slot + 1];
      const right = this.#items[2 * slot + 2];
      const child = left && right && this.#before(right, left) ? right : left;
      if (!child || !this.#before(child, item)) break;
      const next = child.slot;
      this.#place(child, slot);
      slot = next;
    }
    this.#place(item, slot);
  }
}
