import { KubeError } from './error.ts';

/** The error of a request that its own caller ended. */
export function abortedError(signal: AbortSignal | undefined, what: string): KubeError {
  return new KubeError('aborted', `${what}: aborted by the caller`, { cause: signal?.reason });
}

/** What `promise` comes to, or a `KubeError` of kind `aborted` as soon as `signal` aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(abortedError(signal, what));
    const onAbort = (): void => reject(abortedError(signal, what));
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * The values of `source` until `signal` aborts; then it throws a `KubeError` of kind `aborted` at once, even when the
 * source is in the middle of waiting.
 *
 * `release` runs exactly once: at the end, on an error, on abort, or when the consumer leaves the loop. It must make a
 * source that still waits let go, because nothing else can: an async generator queues `return()` behind the pending
 * `next()`.
 */
export async function* interruptible<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  what: string,
  release: () => void,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let interrupt = (_error: KubeError): void => {};
  const onAbort = (): void => interrupt(abortedError(signal, what));
  // A promise per step: racing one long-lived promise would gather a reaction per step for as long as the source lives.
  const next = (): Promise<IteratorResult<T>> =>
    new Promise((resolve, reject) => {
      interrupt = reject;
      iterator.next().then(resolve, reject);
    });
  let ended = false;
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      if (signal.aborted) throw abortedError(signal, what);
      const result = await next();
      if (result.done) {
        ended = true;
        return;
      }
      yield result.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    release();
    if (!ended) iterator.return?.()?.catch(() => {});
  }
}
