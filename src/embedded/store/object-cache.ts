import type { AnyObject } from '../../kube/object.ts';
import type { Entry } from './entry.ts';

/** Characters of JSON whose parsed form is kept: enough for what controllers look at again and again. */
const budget = 4 * 1024 * 1024;

/** Parsed objects of the entries that were read last, frozen. */
export class ObjectCache {
  readonly #objects = new Map<Entry, AnyObject>();
  #characters = 0;

  /** The object of an entry, frozen to the last leaf: it is shared by everyone who asks. */
  get(entry: Entry): AnyObject {
    const known = this.#objects.get(entry);
    if (known) {
      this.#objects.delete(entry);
      this.#objects.set(entry, known);
      return known;
    }
    const object = freeze(JSON.parse(entry.json)) as AnyObject;
    this.#objects.set(entry, object);
    this.#characters += entry.json.length;
    for (const oldest of this.#objects.keys()) {
      if (this.#characters <= budget || oldest === entry) break;
      this.forget(oldest);
    }
    return object;
  }

  /** The entry was replaced; nobody is likely to ask for it again. */
  forget(entry: Entry): void {
    if (this.#objects.delete(entry)) this.#characters -= entry.json.length;
  }
}

function freeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) freeze(child);
    Object.freeze(value);
  }
  return value;
}
