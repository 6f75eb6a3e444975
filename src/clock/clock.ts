/** Milliseconds since the Unix epoch. */
export type Instant = number;

/**
 * Where time comes from. Everything that waits, times out or stamps an instant takes a `Clock`, so that a test can
 * run hours in milliseconds and replay them exactly.
 */
export interface Clock {
  /** Wall-clock time. May jump in either direction: use it for what is shown and persisted, never to measure. */
  now(): Instant;

  /** Milliseconds since an arbitrary origin that never go back: for deadlines, durations and the leader lease. */
  monotonic(): number;

  /** Calls back once, `ms` from now, never synchronously. Returns the way to call it off; calling it off twice is harmless. */
  after(ms: number, callback: () => void): () => void;

  /**
   * Milliseconds that the process has worked rather than waited, since an arbitrary origin: for whoever leaves others room.
   * Absent where work takes no time.
   */
  busy?(): number;
}

/** Resolves after `ms`. Rejects with the signal's reason as soon as the signal aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
