import type { Status } from './object.ts';

/** What went wrong, as far as a caller may want to react differently. */
export type KubeErrorKind =
  /** 404: the object, or the whole resource, is not there. */
  | 'not-found'
  /** 409 AlreadyExists: the name is taken. */
  | 'exists'
  /** 409 Conflict: the object changed since it was read, or another field manager owns a field. */
  | 'conflict'
  /** 410: the resource version or continue token is too old; list again. */
  | 'gone'
  /** 401: who are you? */
  | 'unauthorized'
  /** 403: you may not. */
  | 'forbidden'
  /** 400, 413, 415, 422 and every other 4xx: the request is wrong and will be wrong again. */
  | 'refused'
  /** 429: too much at once, or an eviction that a disruption budget does not allow now. */
  | 'throttled'
  /** 5xx: the server failed; whether the request took effect is unknown. */
  | 'server'
  /** No answer: connection refused, reset, timed out; whether the request took effect is unknown. */
  | 'unreachable'
  /** The answer is not what the protocol promises (cut-off JSON, a missing field). */
  | 'garbled'
  /** The caller's own signal ended it. */
  | 'aborted';

/** The one error that requests end in. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly kind: KubeErrorKind;
  /** The server's own words, when it answered at all. */
  readonly status: Status | undefined;
  /** How long the server asks to wait before the next try. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: KubeErrorKind,
    message: string,
    detail: { readonly status?: Status; readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.kind = kind;
    this.status = detail.status;
    this.retryAfterMs = detail.retryAfterMs;
  }

  /** Whether the same request may succeed later without anyone changing it. */
  get transient(): boolean {
    return (
      this.kind === 'throttled' || this.kind === 'server' || this.kind === 'unreachable' || this.kind === 'garbled'
    );
  }
}

/** Whether `error` is a `KubeError`, of one of `kinds` if any are given. */
export function isKubeError(error: unknown, ...kinds: KubeErrorKind[]): error is KubeError {
  return error instanceof KubeError && (kinds.length === 0 || kinds.includes(error.kind));
}
