import { StatusError } from '../status-error.ts';
import type { Entry } from '../store/entry.ts';
import type { StoreEvent } from '../store/history.ts';
import type { Call, Ground } from './ground.ts';
import { tooLarge } from './list.ts';
import { type ListOptions, revisionOf } from './list-options.ts';
import { type Selection, selection } from './selection.ts';
import { bucketOf } from './versions.ts';

/** What a watcher is told. */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly entry: Entry }
  /** Everything up to `revision` has been told; `initial` ends the initial events. */
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initial: boolean }
  | { readonly type: 'ERROR'; readonly error: StatusError };

/** A watch that has begun: first what is behind, then what comes. */
export interface Watch {
  /** To be told before anything that `listen` tells. */
  readonly backlog: Iterable<WatchEvent>;
  /** Whether nothing comes after the backlog. */
  readonly over: boolean;
  /** Tells what has happened since the watch began, and calls `ended` when its time is up. Call it at once, and once. */
  listen(tell: (event: WatchEvent) => void, ended: () => void): () => void;
}

const bookmarkMs = 60_000;

/** A watch that names no end gets one between this and twice this. */
const longestMs = 1_800_000;

/**
 * Begins a watch of a collection.
 *
 * Guarantees: every change of a selected object is told once, in order; an object that begins or ceases to be selected
 * is told as added or deleted.
 */
export function watch(ground: Ground, call: Call, options: ListOptions): Watch {
  const { store } = ground;
  const { resource } = call;
  const chosen = selection(resource, store, options.labelSelector, options.fieldSelector);
  const asked = startOf(options.resourceVersion);
  const bucket = bucketOf(resource);
  const namespace = resource.namespaced && call.namespace ? call.namespace : undefined;
  const concerns = ({ now }: StoreEvent): boolean => namespace === undefined || now.namespace === namespace;
  const replay = options.sendInitialEvents ?? asked === 0;
  if (replay && asked > store.revision) throw tooLarge(asked, store.revision);

  const begin = store.revision;
  let backlog: Iterable<WatchEvent>;
  let over = false;
  if (replay) {
    backlog = initialEvents(store.list(bucket, namespace), chosen, options, begin);
  } else {
    const missed = asked === 0 || asked >= begin ? [] : store.since(asked, bucket);
    over = missed === undefined;
    backlog = missed
      ? missed.filter(concerns).flatMap((event) => seen(event, chosen))
      : [{ type: 'ERROR', error: tooOld(asked, store.compacted) }];
  }
  return {
    backlog,
    over,
    listen(tell, ended) {
      const stopListening = store.listen(bucket, (event) => {
        if (event.revision <= asked || !concerns(event)) return;
        for (const one of seen(event, chosen)) tell(one);
      });
      const stopBookmarks = options.bookmarks ? everyMinute(ground, tell) : () => {};
      const ms = (options.timeoutSeconds ?? 0) * 1000 || longestMs * (1 + ground.random.next());
      const cancelTimeout = ground.clock.after(ms, ended);
      return () => {
        stopListening();
        stopBookmarks();
        cancelTimeout();
      };
    },
  };
}

function* initialEvents(
  entries: readonly Entry[],
  chosen: Selection,
  options: ListOptions,
  revision: number,
): Generator<WatchEvent> {
  for (const entry of entries) if (chosen.matches(entry)) yield { type: 'ADDED', entry };
  if (options.sendInitialEvents && options.bookmarks) yield { type: 'BOOKMARK', revision, initial: true };
}

/** How a change looks to someone who sees only a part. */
function seen({ before, now, deleted }: StoreEvent, chosen: Selection): WatchEvent[] {
  const was = before !== undefined && chosen.matches(before);
  const is = !deleted && chosen.matches(now);
  if (is) return [{ type: was ? 'MODIFIED' : 'ADDED', entry: now }];
  if (!was) return [];
  if (deleted) return [{ type: 'DELETED', entry: now }];
  // The object lives on unseen; what is told is how it last looked, at the revision where it left.
  return [{ type: 'DELETED', entry: restamped(before, now.revision) }];
}

function restamped(entry: Entry, revision: number): Entry {
  const object = JSON.parse(entry.json);
  object.metadata.resourceVersion = String(revision);
  return { ...entry, revision, json: JSON.stringify(object) };
}

function startOf(resourceVersion: string): number {
  try {
    return revisionOf(resourceVersion);
  } catch (error) {
    // For a list the same text is the client's fault; for a watch the real server takes it upon itself.
    throw new StatusError(500, '', (error as Error).message.replace('invalid resource version: ', ''));
  }
}

function everyMinute(ground: Ground, tell: (event: WatchEvent) => void): () => void {
  let cancel = (): void => {};
  const arm = (): void => {
    cancel = ground.clock.after(bookmarkMs, () => {
      tell({ type: 'BOOKMARK', revision: ground.store.revision, initial: false });
      arm();
    });
  };
  arm();
  return () => cancel();
}

function tooOld(asked: number, compacted: number): StatusError {
  return new StatusError(410, 'Expired', `too old resource version: ${asked} (${compacted})`);
}
