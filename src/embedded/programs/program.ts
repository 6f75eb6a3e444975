import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Request, Response, Transport } from '../../kube/transport.ts';
import type { Container, Pod } from '../kinds/objects/pod.ts';

/** The files that a container sees: what its volumes bring, and what was written. Paths are absolute. */
export interface Files {
  /** `undefined` when there is no such file. */
  read(path: string): Uint8Array | undefined;
  /** Names inside a directory; `undefined` when there is no such directory. */
  list(path: string): readonly string[] | undefined;
  /** Puts a file there, in place of the one that was. Says why not, if it cannot: `Read-only file system`. */
  write(path: string, content: Uint8Array): string | undefined;
}

/** What a program finds when it starts. */
export interface Surroundings {
  readonly pod: Pod;
  readonly container: Container;
  /** The container's command and arguments, with `$(VARIABLES)` resolved. Empty when the image's own are meant. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  /** The cluster's DNS: the ready addresses of a Service (`name`, `name.namespace`, `….svc`); an address is its own. */
  resolve(host: string): readonly string[];
  /** The API server with the rights of the pod's ServiceAccount; absent when the cluster offers no such access. */
  readonly api: Transport | undefined;
  /** Prints to the container's log; a text may have several lines. */
  print(text: string, stream?: 'stdout' | 'stderr'): void;
  /** Ends the program. Only the first call counts. */
  exit(code: number): void;
}

/** A program that runs. It may use nothing but its surroundings, so that a seed replays it. */
export interface Running {
  /** The node asks it to end (SIGTERM). A program that never calls `exit` is killed when its grace is over. */
  stop(): void;
  /** It is gone, by its own exit or by force. It must leave no timer behind. */
  kill(): void;
  /** Answers an HTTP request to one of its ports; absent, or `undefined` for a port it does not listen on: refused. */
  respond?(port: number, request: Request): Promise<Response> | undefined;
  /** Whether it listens on a port. A program that says so is really probed; of others probes are believed to succeed. */
  listens?(port: number): boolean;
  /** When its probes begin to succeed; absent: as soon as the node's timing says. */
  readonly warm?: Promise<void>;
  /**
   * Lines that it prints at a steady pace without doing anything else. They are made when someone reads the log, so
   * an idle program needs no timer.
   */
  readonly murmur?: { readonly everyMs: number; line(count: number): string };
}

/** Something that can run in a container. */
export interface Program {
  readonly name: string;
  /** Whether this is what the image and command mean. The first program of the table that says so is taken. */
  runs(image: string, argv: readonly string[]): boolean;
  start(surroundings: Surroundings): Running;
}
