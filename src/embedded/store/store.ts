import type { Clock } from '../../clock/clock.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Draft } from '../resource.ts';
import { type Entry, encode, type Key, pathOf } from './entry.ts';
import { defaultRetention, History, type Retention, type StoreEvent } from './history.ts';
import { DataError, type Journal } from './journal.ts';
import { ObjectCache } from './object-cache.ts';
import { SortedMap } from './sorted-map.ts';

/** Someone wrote the object between our reading it and our writing it. Read again and decide again. */
export class StaleWrite extends Error {
  override readonly name = 'StaleWrite';
}

export interface StoreOptions {
  readonly clock: Clock;
  /** Without one, everything is gone with the process. */
  readonly journal?: Journal;
  readonly retention?: Retention;
  /** Hears of listeners that threw. The write has happened by then, and everybody else is still told. */
  readonly trouble?: (what: string, error: unknown) => void;
}

type Bucket = SortedMap<SortedMap<Entry>>;
type Listener = (event: StoreEvent) => void;

/**
 * All objects of the cluster, in memory, with one revision counter for all of them.
 *
 * Guarantees: every write gets the next revision; a write is in the journal before anyone can see it; listeners hear
 * every write of their bucket exactly once, in order of revision, after it can be read. Reads and writes are
 * synchronous: between two awaits the world stands still.
 */
export class Store {
  readonly #clock: Clock;
  readonly #journal: Journal | undefined;
  readonly #buckets = new Map<string, Bucket>();
  readonly #owned = new Map<string, Set<Entry>>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #history: History;
  readonly #cache = new ObjectCache((entry) => this.get(entry) === entry);
  readonly #pending: StoreEvent[] = [];
  readonly #trouble: (what: string, error: unknown) => void;
  #telling = false;
  #revision = 0;

  constructor({ clock, journal, retention = defaultRetention, trouble = () => {} }: StoreOptions) {
    this.#clock = clock;
    this.#journal = journal;
    this.#trouble = trouble;
    const past = journal?.load();
    for (const record of past?.records ?? []) {
      this.#place(entryOf(record, record.revision, metadataOf(record), record.json));
    }
    this.#revision = past?.revision ?? 0;
    this.#history = new History(this.#revision, retention);
  }

  /** The revision of the newest write. */
  get revision(): number {
    return this.#revision;
  }

  /** Watches and consistent reads cannot go back beyond this revision. */
  get compacted(): number {
    return this.#history.compacted;
  }

  get({ bucket, namespace, name }: Key): Entry | undefined {
    return this.#buckets.get(bucket)?.get(`${namespace}/`)?.get(name);
  }

  /** The parsed object of an entry, frozen and shared. */
  object(entry: Entry): AnyObject {
    return this.#cache.get(entry);
  }

  /** The entries of a bucket, or of one namespace of it, in order of namespace and name. */
  list(bucket: string, namespace?: string): Entry[] {
    const all = this.#buckets.get(bucket);
    if (!all) return [];
    if (namespace !== undefined) return [...(all.get(`${namespace}/`)?.values() ?? [])];
    return [...all.values().flatMap((entries) => entries.values())];
  }

  /** The same as it was at an earlier revision. `undefined` when that is no longer known. */
  listAt(revision: number, bucket: string, namespace?: string): Entry[] | undefined {
    if (revision >= this.#revision) return this.list(bucket, namespace);
    const later = this.#history.since(revision);
    if (!later) return undefined;
    const entries = new Map(this.list(bucket, namespace).map((entry) => [pathOf(entry), entry]));
    for (const { before, now } of later.toReversed()) {
      if (now.bucket !== bucket || (namespace !== undefined && now.namespace !== namespace)) continue;
      if (before) entries.set(pathOf(now), before);
      else entries.delete(pathOf(now));
    }
    return [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  }

  /** Everything that names `uid` as an owner, whatever its kind. */
  owned(uid: string): readonly Entry[] {
    return [...(this.#owned.get(uid) ?? [])];
  }

  /**
   * Writes a new version. `expects` is the version it was made from, or nothing for a new object. The draft becomes
   * the object: it gets its resourceVersion, and must not be changed afterwards.
   *
   * @throws StaleWrite when the stored version is another than `expects`
   */
  put(key: Key, expects: Entry | undefined, draft: Draft): Entry {
    if (this.get(key) !== expects) throw new StaleWrite();
    const now = this.#stamp(key, draft);
    this.#journal?.append(now);
    this.#accept({ revision: now.revision, before: expects, now, deleted: false });
    return now;
  }

  /**
   * Removes an object. `last` is its final state as watchers see it. Returns that state with the deletion's revision.
   *
   * @throws StaleWrite when the stored version is another than `expects`
   */
  remove(expects: Entry, last: Draft): Entry {
    if (this.get(expects) !== expects) throw new StaleWrite();
    const now = this.#stamp(expects, last);
    this.#journal?.append({ ...now, json: undefined });
    this.#accept({ revision: now.revision, before: expects, now, deleted: true });
    return now;
  }

  /** What `put` would store, without storing it: the answer to a dry run. */
  pretend(key: Key, draft: Draft): Entry {
    return entryOf(key, this.get(key)?.revision ?? 0, draft.metadata, encode(draft));
  }

  /** The events of a bucket after `revision`, oldest first; `undefined` when some are forgotten. */
  since(revision: number, bucket: string): readonly StoreEvent[] | undefined {
    return this.#history.since(revision)?.filter((event) => event.now.bucket === bucket);
  }

  /** Calls for every write of the bucket from now on. Returns the way to stop. */
  listen(bucket: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(bucket) ?? new Set();
    this.#listeners.set(bucket, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Forgets how the present came to be: no watch can start before now. */
  compact(): void {
    this.#history.compact(this.#revision);
  }

  close(): void {
    this.#journal?.close();
  }

  #stamp(key: Key, draft: Draft): Entry {
    const revision = this.#revision + 1;
    draft.metadata.resourceVersion = String(revision);
    return entryOf(key, revision, draft.metadata, encode(draft));
  }

  #accept(event: StoreEvent): void {
    this.#revision = event.revision;
    if (event.before) this.#displace(event.before, event.deleted);
    if (!event.deleted) this.#place(event.now);
    this.#history.push(event, this.#clock.now());
    this.#pending.push(event);
    // A listener that writes must not make others hear the second write before the first.
    if (this.#telling) return;
    this.#telling = true;
    for (let next = this.#pending.shift(); next; next = this.#pending.shift()) {
      for (const listener of [...(this.#listeners.get(next.now.bucket) ?? [])]) this.#tell(listener, next);
      // Whoever was told has looked at it.
      if (next.before) this.#cache.forget(next.before);
    }
    this.#telling = false;
  }

  #tell(listener: Listener, event: StoreEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.#trouble(`a listener of ${event.now.bucket}`, error);
    }
  }

  #place(entry: Entry): void {
    const bucket = this.#buckets.get(entry.bucket) ?? new SortedMap<SortedMap<Entry>>();
    this.#buckets.set(entry.bucket, bucket);
    // With the slash, namespaces sort as they do in a path: `a-b/…` before `a/…`.
    const entries = bucket.get(`${entry.namespace}/`) ?? new SortedMap<Entry>();
    bucket.set(`${entry.namespace}/`, entries);
    entries.set(entry.name, entry);
    for (const owner of entry.owners) {
      const owned = this.#owned.get(owner) ?? new Set();
      this.#owned.set(owner, owned.add(entry));
    }
  }

  #displace(entry: Entry, forGood: boolean): void {
    for (const owner of entry.owners) {
      const owned = this.#owned.get(owner);
      owned?.delete(entry);
      if (owned?.size === 0) this.#owned.delete(owner);
    }
    if (!forGood) return;
    const bucket = this.#buckets.get(entry.bucket);
    const entries = bucket?.get(`${entry.namespace}/`);
    entries?.delete(entry.name);
    if (entries?.size === 0) bucket?.delete(`${entry.namespace}/`);
  }
}

function metadataOf({ bucket, namespace, name, json }: Key & { readonly json: string }): Draft['metadata'] {
  try {
    return (JSON.parse(json) as Draft).metadata;
  } catch (error) {
    throw new DataError(`the stored ${bucket} ${namespace}/${name} is damaged`, { cause: error });
  }
}

const noOwners: readonly string[] = [];

function entryOf(key: Key, revision: number, metadata: Draft['metadata'], json: string): Entry {
  const { bucket, namespace, name } = key;
  const owners = metadata.ownerReferences?.map((reference: { readonly uid: string }) => reference.uid) ?? noOwners;
  return { bucket, namespace, name, uid: metadata.uid ?? '', revision, owners, json };
}
