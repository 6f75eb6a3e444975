import type { ClusterAddress } from '../rest.ts';

/** One request to the JobManager of a cluster. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With query: `/jobs/overview`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Upload;
  /** How long it may take until the answer has been heard to its end. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A body that is too large to hold: read when it is sent. */
export interface Upload {
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
}

/** What came of a request. */
export type Heard =
  /** Flink answered, be it an error. */
  | { readonly is: 'answer'; readonly status: number; readonly text: string }
  /** Nobody answered, or not to the end, or not in time. Whether the request took effect is unknown. */
  | { readonly is: 'silence'; readonly message: string }
  /** An answer that is larger than any that Flink should give. */
  | { readonly is: 'flood'; readonly message: string }
  /** Somebody on the way does not let us through. Flink has not heard of it. */
  | { readonly is: 'barred'; readonly message: string };

/**
 * The way to JobManagers: directly, from inside of a cluster, or through the API server's service proxy. Nothing is
 * thrown, nothing waits for ever, nothing is tried twice except a GET over a kept connection that turned out dead.
 */
export interface Wire {
  request(cluster: ClusterAddress, request: WireRequest): Promise<Heard>;
  /** Ends everything that runs. */
  close(): Promise<void>;
}

/** More than this is not read of any answer. */
export const longestAnswer = 16 * 1024 * 1024;

/** `GET /jobs/overview of team-a/orders` */
export function described({ namespace, name }: ClusterAddress, { method, path }: WireRequest): string {
  return `${method} ${path} of ${namespace}/${name}`;
}

/** The body as text; `undefined` when it is longer than it may be. Throws what the body throws. */
export async function textOf(body: AsyncIterable<Uint8Array>, longest = longestAnswer): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > longest) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
