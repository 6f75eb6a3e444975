import type { Clock } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import type { Client } from '../kube/client.ts';
import { isKubeError, type KubeError } from '../kube/error.ts';
import type { AnyObject, KubeObject } from '../kube/object.ts';
import type { ObjectName } from '../kube/path.ts';
import { keyOf } from '../kube/reflector/key.ts';
import { listWatch } from '../kube/reflector/list-watch.ts';
import { reflect } from '../kube/reflector/reflect.ts';
import { type Change, type Indexes, Store } from '../kube/reflector/store.ts';
import { qualifiedName, type ResourceType } from '../kube/resource-type.ts';
import { type CacheScope, covers, described, isWhole, keeper } from './cache-scope.ts';
import { canonical } from './digest.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Mirror } from './mirror.ts';

export type { Change };

/** A view of objects that others may share: whoever asks for the same objects looks through the same reflector. To be used after `Caches.start`. */
export interface Cached<T extends KubeObject = KubeObject, I extends string = never> {
  readonly type: ResourceType;
  get(key: string): T | undefined;
  all(): Iterable<T>;
  by(index: I, value: string): readonly T[];
  /** Calls for every object now, and for every change. Returns the way to stop. */
  changes(handler: (change: Change<T>) => void): () => void;
  /**
   * Resolves when everything has been seen once, or the signal aborts. What must not be seen is not waited for if it is `optional`
   * or `apart`; of the latter `isBlindIn` tells.
   */
  synced(signal: AbortSignal): Promise<void>;
  /** What there is in this namespace has never been seen: that nothing is shown means nothing. */
  isBlindIn(namespace: string): boolean;
  /** Why it may be out of date; `undefined` while the watch is well. Of several namespaces, that of any. */
  readonly trouble: KubeError | undefined;
  /** The same, of one namespace. */
  troubleIn(namespace: string): KubeError | undefined;
}

export interface CachesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Freeze what is cached, so that whoever changes it fails: for tests. */
  readonly freeze?: boolean;
}

type AnyIndexes = Record<string, (object: AnyObject) => readonly string[]>;

/** One reflector and its store, and all who look through it. */
interface Shelf {
  /** Its scope as text, without functions. */
  readonly id: string;
  readonly scope: CacheScope;
  readonly indexes: AnyIndexes;
  readonly ready: PromiseWithResolvers<void>;
  apart: boolean;
  /** Somebody acts on what it shows, and must have seen it before. */
  isNeeded: boolean;
  store: Store<AnyObject, string>;
  trouble: KubeError | undefined;
  /** Monotonic: since when what it shows may be out of date; absent while its watch is well. */
  staleSince: number | undefined;
}

/**
 * All caches of a process: one reflector per kind, namespace and selector, however many ask for it.
 *
 * First everybody opens what they need, then `start` begins to watch. What we write is laid over every cache that
 * would show it.
 */
export class Caches implements Mirror {
  readonly #options: CachesOptions;
  readonly #shelves: Shelf[] = [];
  readonly #seen = Promise.withResolvers<void>();
  #running: Promise<unknown> | undefined;

  constructor(options: CachesOptions) {
    this.#options = options;
  }

  /**
   * Asks for objects to be cached. Before `start`. `apart`: it is one namespace of several, and the others do not wait for it
   * while it must not be read; it may be gone, and its Role with it. `toShow`: it is only shown to people, so nobody waits for it
   * unless somebody else needs the same objects.
   */
  open<T extends KubeObject = AnyObject, I extends string = never>(
    scope: CacheScope & { readonly indexes?: Indexes<T, I> },
    { apart = false, toShow = false }: { readonly apart?: boolean; readonly toShow?: boolean } = {},
  ): Cached<T, I> {
    if (this.#running) throw new Error(`${described(scope)} must be opened before the caches start`);
    const { indexes = {} as Indexes<T, I>, ...rest } = scope;
    const shelf = this.#shelf(rest);
    if (apart) shelf.apart = true;
    if (!toShow) shelf.isNeeded = true;
    // Two who look through the same shelf may use the same word for different indexes.
    const named = new Map<string, string>();
    for (const [name, valuesOf] of Object.entries(indexes as unknown as AnyIndexes)) {
      named.set(name, indexed(shelf.indexes, name, valuesOf));
    }
    return {
      type: scope.type,
      get: (key) => shelf.store.get(key) as T | undefined,
      all: () => shelf.store.all() as unknown as Iterable<T>,
      by: (index, value) => shelf.store.by(named.get(index) ?? index, value) as unknown as readonly T[],
      changes: (handler) => shelf.store.changes(handler as unknown as (change: Change<AnyObject>) => void),
      synced: (signal) => untilAborted(shelf.ready.promise, signal),
      isBlindIn: (namespace) => shelf.apart && namespace === scope.namespace && !scope.optional && !shelf.store.synced,
      get trouble() {
        return shelf.trouble;
      },
      troubleIn: () => shelf.trouble,
    };
  }

  /** Begins to watch everything that was opened, until the signal aborts. Await `stopped` to know that nothing runs. */
  start(signal: AbortSignal): void {
    if (this.#running) throw new Error('the caches have been started');
    const { metrics, clock, freeze = false } = this.#options;
    for (const shelf of this.#shelves) {
      shelf.store = new Store({ indexes: shelf.indexes, freeze, transform: keeper(shelf.scope) });
      shelf.staleSince = clock.monotonic();
      metrics.cache(described(shelf.scope), () => ({
        size: shelf.store.size,
        staleMs: shelf.staleSince === undefined ? 0 : clock.monotonic() - shelf.staleSince,
      }));
    }
    this.#running = Promise.all(this.#shelves.map((shelf) => this.#follow(shelf, signal)));
    this.#noticeSeen();
  }

  /** Resolves when nothing is `unsynced` for the first time, or the signal aborts. */
  seen(signal: AbortSignal): Promise<void> {
    return untilAborted(this.#seen.promise, signal);
  }

  async stopped(): Promise<void> {
    await this.#running;
  }

  /** What is needed and has not been seen yet, for people; empty when all is there. */
  unsynced(): readonly string[] {
    return this.#shelves
      .filter((shelf) => this.#isMissing(shelf))
      .map((shelf) => `${described(shelf.scope)}${shelf.trouble ? ` (${shelf.trouble.message})` : ''}`);
  }

  peek(type: ResourceType, name: ObjectName): AnyObject | undefined {
    const key = keyOf({ metadata: name });
    for (const { scope, store } of this.#of(type)) {
      const object = isWhole(scope) ? store.get(key) : undefined;
      if (object) return object;
    }
    return undefined;
  }

  wrote(type: ResourceType, object: AnyObject): void {
    for (const { scope, store } of this.#of(type)) {
      if (covers(scope, object)) store.expect(object);
      // A write that took the object out of what is selected.
      else if (store.get(keyOf(object))) store.expectDeleted(object);
    }
  }

  removed(type: ResourceType, name: ObjectName, uid: string): void {
    for (const { store } of this.#of(type)) {
      const object = store.get(keyOf({ metadata: name }));
      if (object?.metadata.uid === uid) store.expectDeleted(object);
    }
  }

  #isMissing(shelf: Shelf): boolean {
    return shelf.isNeeded && !shelf.store.synced && !shelf.scope.optional && !this.#isExcused(shelf);
  }

  #noticeSeen(): void {
    if (!this.#shelves.some((shelf) => this.#isMissing(shelf))) this.#seen.resolve();
  }

  /** One namespace of several is gone. Where nothing of the kind can be read in any, it is the right that is missing. */
  #isExcused(shelf: Shelf): boolean {
    const isSeen = (other: Shelf): boolean => other.apart && other.store.synced;
    return shelf.apart && isClosed(shelf) && [...this.#of(shelf.scope.type)].some(isSeen);
  }

  #shelf(scope: CacheScope): Shelf {
    const id = canonical(scope);
    const known = this.#shelves.find((shelf) => shelf.id === id && shelf.scope.keep === scope.keep);
    if (known) return known;
    const ready = Promise.withResolvers<void>();
    const shelf: Shelf = {
      id,
      scope,
      indexes: {},
      ready,
      apart: false,
      isNeeded: false,
      store: new Store(),
      trouble: undefined,
      staleSince: undefined,
    };
    this.#shelves.push(shelf);
    return shelf;
  }

  *#of(type: ResourceType): Iterable<Shelf> {
    for (const shelf of this.#shelves) {
      const { group, version, plural } = shelf.scope.type;
      if (plural === type.plural && group === type.group && version === type.version) yield shelf;
    }
  }

  async #follow(shelf: Shelf, signal: AbortSignal): Promise<void> {
    const { client, clock, random, metrics } = this.#options;
    const { type, optional: _optional, keep: _keep, ...scope } = shelf.scope;
    const log = this.#options.log.child({ cache: described(shelf.scope) });
    const source = listWatch(client.resource(type), scope);
    for await (const event of reflect(source, { clock, random, signal, transform: keeper(shelf.scope) })) {
      if (event.type === 'trouble') {
        metrics.watchRestarted(qualifiedName(type), event.error.kind);
        const { error, retryInMs } = event;
        // Said once: whoever can do without it does not want to hear of it every minute.
        const without = shelf.scope.optional && (error.kind === 'forbidden' || error.kind === 'not-found');
        if (without && shelf.trouble?.kind === error.kind) log.debug({ retryInMs }, 'still going on without');
        else if (without && error.kind === 'not-found') log.info({}, 'not installed: going on without');
        else if (without) log.info({ error }, 'not ours to read: going on without');
        else if (shelf.apart && !shelf.store.synced && error.kind === 'forbidden')
          log.warn({ error, retryInMs }, closed(scope.namespace ?? ''));
        else if (error.kind === 'not-found') log.warn({ retryInMs }, notInstalled(type));
        else log.warn({ error, retryInMs }, 'the watch was interrupted');
        shelf.trouble = event.error;
        shelf.staleSince ??= clock.monotonic();
        if (shelf.scope.optional && isKubeError(event.error, 'forbidden', 'not-found')) {
          shelf.ready.resolve();
          // There is nothing to be seen, and that is as it should be.
          shelf.staleSince = undefined;
        }
        if (shelf.apart && isClosed(shelf)) shelf.ready.resolve();
        this.#noticeSeen();
        continue;
      }
      if (event.type !== 'init') shelf.trouble = undefined;
      // Parts of a snapshot say nothing yet of what is gone.
      if (event.type === 'bookmark' || event.type === 'synced') shelf.staleSince = undefined;
      try {
        shelf.store.apply(event);
      } catch (error) {
        log.error({ error }, 'a bug: a reader of this cache failed on a change');
      }
      if (event.type === 'synced') {
        shelf.ready.resolve();
        this.#noticeSeen();
      }
    }
  }
}

/** It must not be read, and never was. */
function isClosed({ scope, store, trouble }: Shelf): boolean {
  return !scope.optional && !store.synced && isKubeError(trouble, 'forbidden');
}

/** The name under which this very function indexes the shelf. */
function indexed(indexes: AnyIndexes, name: string, valuesOf: AnyIndexes[string]): string {
  for (let attempt = 0; ; attempt++) {
    const candidate = attempt === 0 ? name : `${name}#${attempt}`;
    indexes[candidate] ??= valuesOf;
    if (indexes[candidate] === valuesOf) return candidate;
  }
}

function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    if (signal.aborted) return done();
    signal.addEventListener('abort', done, { once: true });
    promise.then(done);
  });
}

function closed(namespace: string): string {
  return `nothing is done in the namespace ${namespace} until it may be read: it is gone, or has no Role for the operator`;
}

/** The most common reason why an operator that was just installed does nothing. */
function notInstalled(type: ResourceType): string {
  return `the server does not serve ${qualifiedName(type)}: install the CustomResourceDefinition of ${type.kind}`;
}
