import type { AnyObject } from '../../kube/object.ts';
import type { Entry } from './entry.ts';

/** Parsed objects of the present entries that were read lately, frozen. */
export class ObjectCache {
  readonly #isPresent: (entry: Entry) => boolean;
  /** Characters of JSON whose parsed form is kept at most. */
  readonly #budget: number;
  /** What was read since the last turn: half of the budget at most. */
  #recent = new Map<Entry, AnyObject>();
  /** What was read before, and not again. The next turn forgets it: nothing is kept in order, so that a hit costs one look. */
  #earlier = new Map<Entry, AnyObject>();
  #characters = 0;

  /** By default there is room for all that controllers list again and again among thousands of pods: informers would keep it, too. */
  constructor(isPresent: (entry: Entry) => boolean, budget = 128 * 1024 * 1024) {
    this.#isPresent = isPresent;
    this.#budget = budget;
  }

  /** The object of an entry, frozen to the last leaf: it is shared by everyone who asks. */
  get(entry: Entry): AnyObject {
    const known = this.#recent.get(entry);
    if (known) return known;
    const object = this.#earlier.get(entry) ?? (freeze(JSON.parse(entry.json)) as AnyObject);
    this.#earlier.delete(entry);
    if (!this.#isPresent(entry)) return object;
    if (this.#characters + entry.json.length > this.#budget / 2) this.#turn();
    this.#recent.set(entry, object);
    this.#characters += entry.json.length;
    return object;
  }

  /** The entry was replaced; nobody is likely to ask for it again. */
  forget(entry: Entry): void {
    if (this.#recent.delete(entry)) this.#characters -= entry.json.length;
    this.#earlier.delete(entry);
  }

  #turn(): void {
    this.#earlier = this.#recent;
    this.#recent = new Map();
    this.#characters = 0;
  }
}

function freeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) freeze(child);
    Object.freeze(value);
  }
  return value;
}
