import type { AnyObject } from '../kube/object.ts';
import type { Request, Response } from '../kube/transport.ts';

/** What `pods/log` asks for. */
export interface LogOptions {
  /** May be left out when the pod has one container. */
  readonly container?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  /** Ends a followed log. */
  readonly signal?: AbortSignal;
}

/** What `pods/exec` asks for. */
export interface ExecOptions {
  readonly container?: string;
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly tty: boolean;
}

/** A command that runs in a container. */
export interface ExecSession {
  /** What it prints, until it ends. */
  readonly output: AsyncIterable<{ readonly stream: 'stdout' | 'stderr'; readonly data: Uint8Array }>;
  /** Its exit code, after `output` has ended. */
  readonly exit: Promise<number>;
  write(data: Uint8Array): void;
  /** End of standard input. */
  end(): void;
  /** The caller went away. */
  kill(): void;
}

/**
 * What the API server asks of the node that runs a pod: the kubelet's part of `pods/log`, `pods/exec` and `proxy`.
 * Refusals (no such container, not running yet) reject with a `StatusError` in the kubelet's words.
 */
export interface PodRuntime {
  log(pod: AnyObject, options: LogOptions): Promise<AsyncIterable<Uint8Array>>;
  exec(pod: AnyObject, options: ExecOptions): Promise<ExecSession>;
  /** An HTTP request to a port of the pod. */
  request(pod: AnyObject, port: number, request: Request): Promise<Response>;
}
