/** One request to an API server. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute path with query, for example `/api/v1/pods?limit=500`. */
  readonly path: string;
  /** Header names in lower case. Credentials are the transport's business, not the caller's. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Aborting ends the request, and the answer's body if that has begun. */
  readonly signal?: AbortSignal;
}

/** The answer to a request; the status may be any, errors included. */
export interface Response {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body as it arrives. Read it once, to the end, or leave the loop early: both free the connection.
   * It throws a `KubeError` of kind `unreachable` when the connection breaks before the end.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** A two-way message channel (`exec`, `attach`), in Kubernetes' WebSocket framing: the first byte names the stream. */
export interface Channel {
  /** The agreed subprotocol, for example `v5.channel.k8s.io`. */
  readonly protocol: string;
  /** Messages from the server until it closes the channel. */
  readonly messages: AsyncIterable<Uint8Array>;
  send(message: Uint8Array): void;
  close(): void;
}

/**
 * How requests reach an API server: over HTTPS, or by a function call in the same process.
 *
 * Guarantees: an answer with an error status is an answer, not an exception; `request` rejects only with a `KubeError`
 * of kind `unreachable` (nothing is known about the effect) or `aborted`.
 */
export interface Transport {
  request(request: Request): Promise<Response>;
  connect(request: Request, protocols: readonly string[]): Promise<Channel>;
  /** Ends every request that is still running and frees all connections. */
  close(): Promise<void>;
}
