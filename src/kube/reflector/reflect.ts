import { type Clock, sleep } from '../../clock/clock.ts';
import { type Random, realRandom } from '../../clock/random.ts';
import { realClock } from '../../clock/real.ts';
import { isKubeError, KubeError } from '../error.ts';
import { causesOf } from '../error-from.ts';
import type { KubeObject } from '../object.ts';
import { Backoff, type BackoffOptions } from './backoff.ts';
import type { ListWatch } from './list-watch.ts';
import { pages } from './pages.ts';
import { compareVersions } from './resource-version.ts';
import { slim } from './slim.ts';
import { watchFrom } from './watch-from.ts';

/** What a reflector tells, in order; a store that applies them all holds what the server holds. */
export type ReflectorEvent<T extends KubeObject = KubeObject> =
  /** A new snapshot begins; what is known stays true meanwhile. A snapshot may be begun and never finished. */
  | { readonly type: 'init' }
  /** An object of the snapshot. */
  | { readonly type: 'init-apply'; readonly object: T }
  /**
   * The snapshot is whole: what it did not hold is gone. `setBack`: it is from before what was told, and the server has nothing
   * newer: whatever was written since is lost.
   */
  | { readonly type: 'synced'; readonly resourceVersion: string; readonly setBack?: true }
  | { readonly type: 'apply'; readonly object: T }
  /** Gone. During a snapshot: gone from the snapshot. */
  | { readonly type: 'delete'; readonly object: T }
  /** Everything up to this version has been told. */
  | { readonly type: 'bookmark'; readonly resourceVersion: string }
  /** What is known may be old; it will be tried again. Never the end. */
  | { readonly type: 'trouble'; readonly error: KubeError; readonly retryInMs: number };

export interface ReflectOptions<T extends KubeObject> {
  /** What to keep of an object. Must not change what it is given. Default: all but managed fields and kubectl's copy. */
  readonly transform?: (object: T) => T;
  /** Ends the stream, quietly. */
  readonly signal?: AbortSignal;
  /** Read snapshots as a stream of events where the server can; otherwise, or with `false`, in pages. Default: true. */
  readonly streaming?: boolean;
  /** Objects per page. Default: 500. */
  readonly pageSize?: number;
  readonly backoff?: BackoffOptions;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Default: the machine's. */
  readonly random?: Random;
}

/**
 * Tells what the server holds, then every change, for ever: a lost connection, an expired version, a server that is
 * down or answers nonsense are `trouble`, waited out with growing, jittered pauses, and made good.
 *
 * Guarantees: events of one object come in the order of its versions; between `synced` and the next `init` nothing is
 * left out. What was told is not taken back: a snapshot from before it, as a server that lags gives one, is `trouble` and
 * asked for again, for a minute; a server that has nothing newer by then has been set back (a restored backup) and is
 * believed. It ends only when `signal` aborts or the reader leaves.
 *
 * It is pulled: the reader's pace is the pace of the connection.
 */
export async function* reflect<T extends KubeObject>(
  source: ListWatch<T>,
  options: ReflectOptions<T> = {},
): AsyncGenerator<ReflectorEvent<T>, void, undefined> {
  const { clock = realClock, random = realRandom, transform = slim, signal } = options;
  const backoff = new Backoff(clock, random, options.backoff);
  /** Off for good once the server has said that it cannot. */
  let streaming = options.streaming ?? true;
  /** Off for one snapshot, when the stream failed in a way that pages may not. */
  let streamNext = true;
  /** Where to go on from; without it a snapshot is needed. */
  let version: string | undefined;
  const past = new Past(clock, source.what);

  while (!signal?.aborted) {
    const snapshot = version === undefined;
    const stream = snapshot && streaming && streamNext;
    try {
      if (snapshot) yield { type: 'init' };
      const told = snapshot && !stream ? pages(source, options) : watchFrom(source, version, { clock, random, signal });
      if (stream) streamNext = false;
      for await (const event of told) {
        if (event.type === 'synced') streamNext = true;
        const setBack = event.type === 'synced' && past.isSetBack(event.resourceVersion);
        if (event.type === 'synced' || event.type === 'bookmark') version = event.resourceVersion;
        if (!('object' in event)) yield { ...event, ...(setBack && { setBack }) };
        else {
          // Before the version moves on: an event whose transform fails is told again, not left out.
          const object = transform(event.object);
          if (version !== undefined) version = event.object.metadata.resourceVersion ?? version;
          yield { type: event.type, object };
        }
        past.told(version);
      }
    } catch (thrown) {
      if (signal?.aborted) return;
      const error = asKubeError(thrown, source.what);
      const unlisted = version === undefined;
      if (stream && unlisted && error.kind === 'refused') {
        streaming = false;
        continue;
      }
      const fallBack = stream && unlisted && error.kind === 'server' && error.retryAfterMs === undefined;
      if (!fallBack) streamNext = true;
      if (error.kind === 'gone' || error.kind === 'refused' || fromTheFuture(error)) version = undefined;
      const retryInMs = fallBack ? 0 : backoff.next(error.retryAfterMs);
      yield { type: 'trouble', error, retryInMs };
      await sleep(clock, retryInMs, signal).catch(() => {});
    }
  }
}

/** For so long a server that gives older snapshots than before is taken for one that lags. */
const lagMs = 60_000;

/** Knows how far the server has told, and for how long it has given only snapshots from before that. */
class Past {
  readonly #clock: Clock;
  readonly #what: string;
  #newest: string | undefined;
  #believedAt: number | undefined;

  constructor(clock: Clock, what: string) {
    this.#clock = clock;
    this.#what = what;
  }

  /** Everything up to this version was told. */
  told(version: string | undefined): void {
    if (version !== undefined) this.#newest = version;
  }

  /**
   * Whether a whole snapshot shows that the server has been set back. Throws while it may merely lag. Versions that are no numbers
   * say nothing of either.
   */
  isSetBack(version: string): boolean {
    const order = this.#newest === undefined ? undefined : compareVersions(version, this.#newest);
    const now = this.#clock.monotonic();
    const isOlder = order !== undefined && order < 0;
    if (isOlder) {
      this.#believedAt ??= now + lagMs;
      if (now < this.#believedAt) {
        const lags = `the server lags: it lists version ${version}, and ${this.#newest} was told before`;
        throw new KubeError('unreachable', `${this.#what}: ${lags}`);
      }
    }
    this.#believedAt = undefined;
    return isOlder;
  }
}

/** The server has been set back (a restored backup) and has not reached our version yet; it may take for ever. */
function fromTheFuture(error: KubeError): boolean {
  return causesOf(error.status).some((cause) => cause.reason === 'ResourceVersionTooLarge');
}

function asKubeError(thrown: unknown, what: string): KubeError {
  if (isKubeError(thrown)) return thrown;
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new KubeError('garbled', `${what}: ${why}`, { cause: thrown });
}
