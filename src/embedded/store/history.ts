import type { Instant } from '../../clock/clock.ts';
import type { Entry } from './entry.ts';

/** One write, as watchers see it. */
export interface StoreEvent {
  readonly revision: number;
  /** The version that was replaced; absent for a new object. */
  readonly before: Entry | undefined;
  /** The new version; for a deletion the last one, stamped with the deletion's revision. */
  readonly now: Entry;
  readonly deleted: boolean;
}

/** How far back a watch may start and a continue token may point. */
export interface Retention {
  /** Events younger than this are kept … */
  readonly ageMs: number;
  /** … unless the replaced versions they hold on to exceed this many characters. */
  readonly characters: number;
}

/** As long as a real cluster lets etcd keep old versions, bounded by a part of the memory we want to live in. */
export const defaultRetention: Retention = { ageMs: 5 * 60_000, characters: 24 * 1024 * 1024 };

/**
 * The last writes, in order. Every revision after `compacted` up to the newest is here, exactly once.
 *
 * Old events go when new ones come: an idle server forgets nothing.
 */
export class History {
  readonly #retention: Retention;
  #events: { readonly event: StoreEvent; readonly at: Instant; readonly weight: number }[] = [];
  /** Events before this index are forgotten and wait to be cut off together. */
  #start = 0;
  #weight = 0;
  #compacted: number;

  constructor(compacted: number, retention: Retention) {
    this.#compacted = compacted;
    this.#retention = retention;
  }

  /** The newest revision whose event is forgotten: nothing can start before it. */
  get compacted(): number {
    return this.#compacted;
  }

  push(event: StoreEvent, at: Instant): void {
    const weight = (event.before?.json.length ?? 0) + (event.deleted ? event.now.json.length : 0);
    this.#events.push({ event, at, weight });
    this.#weight += weight;
    for (let oldest = this.#events[this.#start]; oldest; oldest = this.#events[this.#start]) {
      if (oldest.at >= at - this.#retention.ageMs && this.#weight <= this.#retention.characters) break;
      this.#forget(oldest);
    }
  }

  /** Forgets everything up to and including `revision`. */
  compact(revision: number): void {
    for (let oldest = this.#events[this.#start]; oldest; oldest = this.#events[this.#start]) {
      if (oldest.event.revision > revision) break;
      this.#forget(oldest);
    }
  }

  /** The events after `revision`, oldest first. `undefined` when some of them are forgotten. */
  since(revision: number): readonly StoreEvent[] | undefined {
    if (revision < this.#compacted) return undefined;
    return this.#events.slice(this.#start + (revision - this.#compacted)).map(({ event }) => event);
  }

  #forget(oldest: { readonly event: StoreEvent; readonly weight: number }): void {
    this.#weight -= oldest.weight;
    this.#compacted = oldest.event.revision;
    this.#start++;
    if (this.#start > 1024 && this.#start * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
  }
}
