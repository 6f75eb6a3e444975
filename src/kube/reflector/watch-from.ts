import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import { KubeError } from '../error.ts';
import type { KubeObject } from '../object.ts';
import { initialEventsEnd, type WatchEvent } from '../watch.ts';
import type { ListWatch } from './list-watch.ts';
import type { ReflectorEvent } from './reflect.ts';

/** A server that ends a watch sooner, without having told anything, is in trouble or is not an API server. */
const shortestMs = 1000;

/** How much longer than it was asked a server may stay silent before the connection counts as dead. */
const graceMs = 15_000;

/**
 * One watch, from a version on, or without one: first a snapshot, as a stream of events that a bookmark ends.
 *
 * Returns when the server ends the watch in good order. Errors: what the watch throws; `unreachable` when the server
 * was silent for too long, ended the watch at once, or ended it before the snapshot was whole.
 */
export async function* watchFrom<T extends KubeObject>(
  source: ListWatch<T>,
  version: string | undefined,
  options: { readonly clock: Clock; readonly random: Random; readonly signal: AbortSignal | undefined },
): AsyncGenerator<ReflectorEvent<T>, void, undefined> {
  const { clock, random, signal } = options;
  // The server ends it after 5 to 10 minutes, so that many watches do not end together.
  const timeoutSeconds = Math.floor(300 + random.next() * 300);
  const watchdog = watchSilence(clock, timeoutSeconds * 1000 + graceMs, signal);
  const started = clock.monotonic();
  let initial = version === undefined;
  let progress = false;

  try {
    const from =
      version === undefined
        ? ({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const)
        : { resourceVersion: version };
    for await (const event of source.watch({ ...from, timeoutSeconds, signal: watchdog.signal })) {
      watchdog.heard();
      const seen = event.object.metadata.resourceVersion;
      if (seen !== undefined && seen !== version) progress = true;
      const told = translate(event, initial);
      if (!told) continue;
      if (told.type === 'synced') initial = false;
      yield told;
    }
  } catch (error) {
    if (!watchdog.barked) throw error;
    throw new KubeError('unreachable', `${source.what}: the watch was silent for ${watchdog.seconds} s`, {
      cause: error,
    });
  } finally {
    watchdog.stop();
  }

  if (initial) throw new KubeError('unreachable', `${source.what}: the server ended the watch before all was listed`);
  if (!progress && clock.monotonic() - started < shortestMs) {
    throw new KubeError('unreachable', `${source.what}: the server ends watches at once`);
  }
}

function translate<T extends KubeObject>(event: WatchEvent<T>, initial: boolean): ReflectorEvent<T> | undefined {
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
      return { type: initial ? 'init-apply' : 'apply', object: event.object };
    case 'DELETED':
      return { type: 'delete', object: event.object };
    case 'BOOKMARK': {
      const { resourceVersion, annotations } = event.object.metadata;
      if (!resourceVersion) return undefined;
      if (!initial) return { type: 'bookmark', resourceVersion };
      return annotations?.[initialEventsEnd] === 'true' ? { type: 'synced', resourceVersion } : undefined;
    }
  }
}

interface Watchdog {
  /** Aborts with the outer signal, or after silence. */
  readonly signal: AbortSignal;
  readonly barked: boolean;
  readonly seconds: number;
  heard(): void;
  stop(): void;
}

/** One timer for the whole watch: it looks when the last event came and sleeps on. */
function watchSilence(clock: Clock, longestMs: number, outer: AbortSignal | undefined): Watchdog {
  const controller = new AbortController();
  let last = clock.monotonic();
  let barked = false;
  let cancel = (): void => {};
  const arm = (ms: number): void => {
    cancel = clock.after(ms, () => {
      const left = last + longestMs - clock.monotonic();
      if (left > 0) return arm(left);
      barked = true;
      controller.abort();
    });
  };
  arm(longestMs);
  const onAbort = (): void => controller.abort(outer?.reason);
  outer?.addEventListener('abort', onAbort, { once: true });
  if (outer?.aborted) onAbort();
  return {
    signal: controller.signal,
    seconds: longestMs / 1000,
    get barked() {
      return barked;
    },
    heard() {
      last = clock.monotonic();
    },
    stop() {
      cancel();
      outer?.removeEventListener('abort', onAbort);
    },
  };
}
