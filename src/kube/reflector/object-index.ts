import type { Key } from './key.ts';

/** Which objects have which values; an object may have several, or none. `valuesOf` must be pure. */
export class ObjectIndex<T> {
  readonly #valuesOf: (object: T) => readonly string[];
  readonly #keys = new Map<string, Set<Key>>();

  constructor(valuesOf: (object: T) => readonly string[]) {
    this.#valuesOf = valuesOf;
  }

  keys(value: string): Iterable<Key> {
    return this.#keys.get(value) ?? [];
  }

  replace(key: Key, before: T | undefined, after: T | undefined): void {
    if (before !== undefined) for (const value of this.#valuesOf(before)) this.#remove(value, key);
    if (after !== undefined) for (const value of this.#valuesOf(after)) this.#add(value, key);
  }

  #add(value: string, key: Key): void {
    const keys = this.#keys.get(value);
    if (keys) keys.add(key);
    else this.#keys.set(value, new Set([key]));
  }

  #remove(value: string, key: Key): void {
    const keys = this.#keys.get(value);
    keys?.delete(key);
    if (keys?.size === 0) this.#keys.delete(value);
  }
}
