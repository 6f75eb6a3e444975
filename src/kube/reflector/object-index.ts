import type { Key } from './key.ts';

/** Which objects have which values; an object may have several, or none. `valuesOf` must be pure. */
export class ObjectIndex<T> {
  readonly #valuesOf: (object: T) => readonly string[];
  /** Most values of most indexes belong to one object: a set for each would be the larger part of the index. */
  readonly #keys = new Map<string, Key | Set<Key>>();

  constructor(valuesOf: (object: T) => readonly string[]) {
    this.#valuesOf = valuesOf;
  }

  keys(value: string): Iterable<Key> {
    const keys = this.#keys.get(value) ?? [];
    return typeof keys === 'string' ? [keys] : keys;
  }

  replace(key: Key, before: T | undefined, after: T | undefined): void {
    const old = before === undefined ? [] : this.#valuesOf(before);
    const now = after === undefined ? [] : this.#valuesOf(after);
    if (old.length === now.length && old.every((value, index) => value === now[index])) return;
    for (const value of old) this.#remove(value, key);
    for (const value of now) this.#add(value, key);
  }

  #add(value: string, key: Key): void {
    const keys = this.#keys.get(value);
    if (keys === undefined) this.#keys.set(value, key);
    else if (typeof keys !== 'string') keys.add(key);
    else if (keys !== key) this.#keys.set(value, new Set([keys, key]));
  }

  #remove(value: string, key: Key): void {
    const keys = this.#keys.get(value);
    if (keys === key) this.#keys.delete(value);
    else if (keys instanceof Set) {
      keys.delete(key);
      if (keys.size === 0) this.#keys.delete(value);
    }
  }
}
