/** A map whose keys can be walked in order of their text. Reads cost as much as in a `Map`. */
export class SortedMap<V> {
  readonly #values = new Map<string, V>();
  /** Sorted. Lookups never touch it, so it changes only when a key comes or goes. */
  readonly #keys: string[] = [];

  get size(): number {
    return this.#values.size;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: V): void {
    if (!this.#values.has(key)) this.#keys.splice(lowerBound(this.#keys, key), 0, key);
    this.#values.set(key, value);
  }

  delete(key: string): void {
    if (this.#values.delete(key)) this.#keys.splice(lowerBound(this.#keys, key), 1);
  }

  /** The values in order of their keys. */
  *values(): Generator<V> {
    for (const key of this.#keys) yield this.#values.get(key) as V;
  }
}

/** The first index whose key is not less than `key`. Keys mostly arrive in order, so the end is tried first. */
function lowerBound(keys: readonly string[], key: string): number {
  const last = keys.at(-1);
  if (last === undefined || last < key) return keys.length;
  let low = 0;
  let high = keys.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
