/**
 * A line that serves its groups in turn: first in, first out within a group, one of each group per round.
 * One namespace with ten thousand objects cannot make the others wait for all of them.
 */
export class FairLine<T> {
  /** Both collections iterate in insertion order: the map is the round, each set is a group's line. */
  readonly #groups = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(group: string, item: T): void {
    const line = this.#groups.get(group);
    if (line) line.add(item);
    else this.#groups.set(group, new Set([item]));
    this.#size += 1;
  }

  shift(): T | undefined {
    for (const [group, line] of this.#groups) {
      for (const item of line) {
        this.#groups.delete(group);
        line.delete(item);
        if (line.size > 0) this.#groups.set(group, line);
        this.#size -= 1;
        return item;
      }
    }
    return undefined;
  }

  remove(group: string, item: T): void {
    const line = this.#groups.get(group);
    if (!line?.delete(item)) return;
    this.#size -= 1;
    if (line.size === 0) this.#groups.delete(group);
  }
}
