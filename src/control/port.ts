import type { Json } from '../kube/object.ts';

/** What a verb of a port is given. */
export interface PortCall {
  /** Recorded in status before this call: the effect should carry it, so that a second call with it can be told from a new one. */
  readonly id: string;
  readonly args: Json;
  /** Ends the waiting, not necessarily the effect. */
  readonly signal: AbortSignal;
  /**
   * Aborts when another is about to act on the object, later than `signal` or together with it: no step may begin any more, and
   * the call ends at once. What it is about is given away only then.
   */
  readonly revoked: AbortSignal;
}

/** Does something outside of Kubernetes. Resolves to what is worth knowing about the effect; rejects with a `PortError`. */
export type Verb = (call: PortCall) => Promise<Json>;

/** The outside world of a family, by port and verb: `{ flink: { savepoint, submit } }`. */
export type Ports = Readonly<Record<string, Readonly<Record<string, Verb>>>>;

/** How a port says that it did not work. */
export class PortError extends Error {
  override readonly name = 'PortError';
  /**
   * - `refused`: nothing happened, and asking again the same way will not help.
   * - `unknown`: it may have happened or not; asking again with the same id is right.
   */
  readonly kind: 'refused' | 'unknown';
  readonly retryAfterMs: number | undefined;

  constructor(kind: 'refused' | 'unknown', message: string, detail: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.kind = kind;
    this.retryAfterMs = detail.retryAfterMs;
  }
}
