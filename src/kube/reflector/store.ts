import type { KubeObject } from '../object.ts';
import { deepFreeze } from './deep-freeze.ts';
import { type Key, keyOf } from './key.ts';
import { ObjectIndex } from './object-index.ts';
import { type Overlay, reached, settledBySnapshot, settles } from './overlay.ts';
import type { ReflectorEvent } from './reflect.ts';
import { compareVersions } from './resource-version.ts';
import { share } from './share.ts';
import { slim } from './slim.ts';

/** One change of what the store shows. `before` is absent for a new object, `after` for one that is gone. */
export interface Change<T extends KubeObject> {
  readonly key: Key;
  readonly before?: T;
  readonly after?: T;
  /** Part of the first snapshot, or replayed for a late comer: not news from the cluster. */
  readonly initial: boolean;
}

/** How to find objects by something other than their key: one function per index, each gives an object's values. */
export type Indexes<T extends KubeObject, I extends string> = Readonly<Record<I, (object: T) => readonly string[]>>;

export interface StoreOptions<T extends KubeObject, I extends string> {
  readonly indexes?: Indexes<T, I>;
  /** Freeze objects through and through: for tests, where a reader that changes a cached object must fail. */
  readonly freeze?: boolean;
  /** What to keep of objects handed to `expect`; should be the reflector's. Default: as there. */
  readonly transform?: (object: T) => T;
}

/**
 * The objects of one kind as last seen, kept current by a reflector's events, with our own writes laid over them until
 * the watch has caught up.
 *
 * Guarantees:
 * - What `expect` was given is shown, in indexes too, until the watch or a full snapshot shows an equal or numerically
 *   greater resourceVersion, or the server has been set back. A reader never sees the state before its own write.
 * - What `expectDeleted` was given is hidden until the watch shows it gone, or a full snapshot that was asked for later.
 * - A new snapshot takes effect in one step. Only the very first fills the store bit by bit; `synced` tells.
 * - `changes` tells every change of what `get` returns, exactly once, in order.
 *
 * Objects are shared, not copied: do not change them. Two versions of an object share what is equal in both, so an
 * unchanged part can be told by its reference.
 */
export class Store<T extends KubeObject, I extends string = never> {
  readonly #shown = new Map<Key, T>();
  /** What the watch says of keys that have an overlay; for all others that is what is shown. */
  readonly #beneath = new Map<Key, T | undefined>();
  readonly #overlays = new Map<Key, Overlay<T>>();
  readonly #indexes: ReadonlyMap<string, ObjectIndex<T>>;
  readonly #handlers = new Set<(change: Change<T>) => void>();
  readonly #freeze: boolean;
  readonly #transform: (object: T) => T;
  readonly #firstSync = Promise.withResolvers<void>();
  /** The snapshot that is being read, if what is known must stay meanwhile. */
  #pending: Map<Key, T> | undefined;
  /** The object of the snapshot that came last. */
  #neighbour: T | undefined;
  /** Everything up to this version has been told. */
  #frontier: string | undefined;
  /** Counts snapshots begun. */
  #epoch = 0;
  #synced = false;

  constructor(options: StoreOptions<T, I> = {}) {
    const indexes = Object.entries<(object: T) => readonly string[]>(options.indexes ?? {});
    this.#indexes = new Map(indexes.map(([name, valuesOf]) => [name, new ObjectIndex(valuesOf)]));
    this.#freeze = options.freeze ?? false;
    this.#transform = options.transform ?? slim;
  }

  /** Whether a whole snapshot has been seen. From then on it stays true, however old the store becomes. */
  get synced(): boolean {
    return this.#synced;
  }

  /** Resolves at the first whole snapshot. */
  whenSynced(): Promise<void> {
    return this.#firstSync.promise;
  }

  get size(): number {
    return this.#shown.size;
  }

  get(key: Key): T | undefined {
    return this.#shown.get(key);
  }

  /** All objects, in no particular order. */
  all(): MapIterator<T> {
    return this.#shown.values();
  }

  /** The objects that have this value in the index. */
  by(index: I, value: string): readonly T[] {
    const found: T[] = [];
    for (const key of this.#indexes.get(index)?.keys(value) ?? []) {
      const object = this.#shown.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  /**
   * Calls for every object now (`initial`), and then for every change. Returns the way to stop.
   *
   * A handler that throws does not keep others from hearing; its error comes out of `apply` or `expect` afterwards.
   */
  changes(handler: (change: Change<T>) => void): () => void {
    for (const [key, after] of this.#shown) handler({ key, after, initial: true });
    const own = (change: Change<T>): void => handler(change);
    this.#handlers.add(own);
    return () => void this.#handlers.delete(own);
  }

  /** Lays an object over the store as the server answered it to our write. */
  expect(written: T): void {
    const key = keyOf(written);
    const version = written.metadata.resourceVersion;
    if (!version || this.#isKnown(key, version)) return;
    const overlay = this.#overlays.get(key);
    if (overlay?.type === 'deleted' && overlay.object.metadata.uid === written.metadata.uid) return;
    const order = overlay && compareVersions(version, overlay.version);
    if (order !== undefined && order < 0) return;
    this.#lay(key, { type: 'written', object: this.#keep(this.#transform(written)), version, epoch: this.#epoch });
  }

  /** Hides an object that the server answered to be gone: not merely marked for deletion. */
  expectDeleted(deleted: T): void {
    const key = keyOf(deleted);
    const shown = this.#shown.get(key);
    if (!shown || shown.metadata.uid !== deleted.metadata.uid) return;
    const version = shown.metadata.resourceVersion ?? '';
    this.#lay(key, { type: 'deleted', object: shown, version, epoch: this.#epoch });
  }

  /** Takes in what the reflector tells. */
  apply(event: ReflectorEvent<T>): void {
    switch (event.type) {
      case 'init':
        this.#epoch++;
        this.#pending = this.#synced || this.#shown.size + this.#overlays.size > 0 ? new Map() : undefined;
        return;
      case 'init-apply': {
        const key = keyOf(event.object);
        const object = this.#reuse(key, event.object);
        if (this.#pending) this.#pending.set(key, object);
        else this.#tell([this.#watched(key, object)]);
        return;
      }
      case 'synced':
        this.#sync(event.resourceVersion, event.setBack ?? false);
        return;
      case 'apply':
        this.#event('apply', event.object);
        return;
      case 'delete':
        if (this.#pending) this.#pending.delete(keyOf(event.object));
        else this.#event('delete', event.object);
        return;
      case 'bookmark':
        this.#tell(this.#advance(event.resourceVersion));
        return;
      case 'trouble':
        return;
    }
  }

  #event(type: 'apply' | 'delete', object: T): void {
    const key = keyOf(object);
    const kept = type === 'apply' ? this.#keep(share(this.#shown.get(key), object)) : undefined;
    const overlay = this.#overlays.get(key);
    if (overlay && settles(overlay, type, object)) this.#lift(key);
    const change = this.#watched(key, kept);
    this.#tell([change, ...this.#advance(object.metadata.resourceVersion)]);
  }

  #sync(version: string, setBack: boolean): void {
    const initial = !this.#synced;
    const pending = this.#pending;
    this.#pending = undefined;
    this.#neighbour = undefined;
    this.#synced = true;
    this.#frontier = version;
    const changes: (Change<T> | undefined)[] = [];
    if (pending) {
      for (const key of this.#shown.keys()) if (!pending.has(key)) changes.push(this.#watched(key, undefined, initial));
      for (const key of this.#beneath.keys()) if (!pending.has(key)) this.#beneath.set(key, undefined);
      for (const [key, object] of pending) changes.push(this.#watched(key, object, initial));
    }
    for (const [key, overlay] of this.#overlays) {
      const settled = setBack || settledBySnapshot(overlay, this.#epoch, version, this.#beneath.get(key));
      if (settled) changes.push(this.#uncover(key));
    }
    this.#firstSync.resolve();
    this.#tell(changes);
  }

  /** Everything up to `version` has been told: overlays of what we wrote until then have had their time. */
  #advance(version: string | undefined): (Change<T> | undefined)[] {
    if (version === undefined) return [];
    const order = this.#frontier === undefined ? undefined : compareVersions(version, this.#frontier);
    if (order !== undefined && order <= 0) return [];
    this.#frontier = version;
    const changes: (Change<T> | undefined)[] = [];
    for (const [key, overlay] of this.#overlays) if (reached(overlay, version)) changes.push(this.#uncover(key));
    return changes;
  }

  /** Whether the watch has already told of this version of the object, even if it has told of its end since. */
  #isKnown(key: Key, version: string): boolean {
    const order = this.#frontier === undefined ? undefined : compareVersions(version, this.#frontier);
    if (order !== undefined && order <= 0) return true;
    return this.#shown.get(key)?.metadata.resourceVersion === version;
  }

  #lay(key: Key, overlay: Overlay<T>): void {
    if (!this.#overlays.has(key)) this.#beneath.set(key, this.#shown.get(key));
    this.#overlays.set(key, overlay);
    this.#tell([this.#show(key, overlay.type === 'written' ? overlay.object : undefined)]);
  }

  /** Takes an overlay away without showing what is beneath: the caller shows something newer at once. */
  #lift(key: Key): void {
    this.#overlays.delete(key);
    this.#beneath.delete(key);
  }

  /** Takes an overlay away and shows what is beneath. */
  #uncover(key: Key): Change<T> | undefined {
    const beneath = this.#beneath.get(key);
    this.#lift(key);
    return this.#show(key, beneath);
  }

  /** The watch says: this is the object now. */
  #watched(key: Key, object: T | undefined, initial = !this.#synced): Change<T> | undefined {
    if (!this.#overlays.has(key)) return this.#show(key, object, initial);
    this.#beneath.set(key, object);
    return undefined;
  }

  #show(key: Key, after: T | undefined, initial = !this.#synced): Change<T> | undefined {
    const before = this.#shown.get(key);
    if (before === after) return undefined;
    if (after === undefined) this.#shown.delete(key);
    else this.#shown.set(key, after);
    for (const index of this.#indexes.values()) index.replace(key, before, after);
    if (before && after && sameVersion(before, after)) return undefined;
    return { key, ...(before && { before }), ...(after && { after }), initial };
  }

  #tell(changes: readonly (Change<T> | undefined)[]): void {
    const errors: unknown[] = [];
    for (const change of changes) {
      if (!change) continue;
      for (const handler of this.#handlers) {
        try {
          handler(change);
        } catch (error) {
          errors.push(error);
        }
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, 'several handlers of changes failed');
  }

  /**
   * An object that did not change since the last snapshot is kept: two snapshots do not take twice the memory. A new
   * one is made of its neighbour's parts where it can be: next to each other stand objects that one owner made alike.
   */
  #reuse(key: Key, object: T): T {
    const known = this.#beneath.has(key) ? this.#beneath.get(key) : this.#shown.get(key);
    this.#neighbour = known && sameVersion(known, object) ? known : this.#keep(share(known ?? this.#neighbour, object));
    return this.#neighbour;
  }

  #keep(object: T): T {
    return this.#freeze ? deepFreeze(object) : object;
  }
}

function sameVersion(a: KubeObject, b: KubeObject): boolean {
  const version = a.metadata.resourceVersion;
  return version !== undefined && version === b.metadata.resourceVersion && a.metadata.uid === b.metadata.uid;
}
