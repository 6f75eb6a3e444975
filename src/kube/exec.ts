import { KubeError } from './error.ts';
import { causesOf, errorFromStatus } from './error-from.ts';
import type { Status } from './object.ts';
import type { Channel } from './transport.ts';

/** What `pods/exec` is asked for. */
export interface ExecOptions {
  readonly command: readonly string[];
  /** May be left out when the pod has one container. */
  readonly container?: string;
  /** Whether `write` is wanted. Default: false. */
  readonly stdin?: boolean;
  /** A terminal: one stream of output, and `resize` works. Default: false. */
  readonly tty?: boolean;
  readonly signal?: AbortSignal;
}

/** A command that runs in a container. */
export interface ExecSession {
  /** What it prints until it ends. Must be read: `exit` is told at its end. */
  readonly output: AsyncIterable<{ readonly stream: 'stdout' | 'stderr'; readonly data: Uint8Array }>;
  /** Its exit code. Rejects when the command could not be started or the connection broke. */
  readonly exit: Promise<number>;
  write(data: Uint8Array): void;
  /** End of standard input. Needs a server that speaks version 5 of the protocol (1.30 or later). */
  end(): void;
  resize(columns: number, rows: number): void;
  /** Leaves; the command itself goes on until it notices. */
  close(): void;
}

/** The protocols an exec channel may speak, best first. */
export const execProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

/** The first byte of each message on the channel. */
const streams = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** The session that a channel to `pods/exec` carries. */
export function execSession(channel: Channel, what: string, signal?: AbortSignal): ExecSession {
  const exit = Promise.withResolvers<number>();
  exit.promise.catch(() => {});
  const onAbort = (): void => channel.close();
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });

  async function* output(): ExecSession['output'] {
    try {
      for await (const message of channel.messages) {
        const data = message.subarray(1);
        if (message[0] === streams.stdout) yield { stream: 'stdout', data };
        else if (message[0] === streams.stderr) yield { stream: 'stderr', data };
        else if (message[0] === streams.error) settle(data);
      }
      const kind = signal?.aborted ? 'aborted' : 'unreachable';
      exit.reject(new KubeError(kind, `${what}: the channel closed before the command ended`));
    } catch (error) {
      exit.reject(error);
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      exit.reject(new KubeError('aborted', `${what}: the reader left before the command ended`));
      channel.close();
    }
  }

  const settle = (data: Uint8Array): void => {
    try {
      exit.resolve(exitCode(data, what));
    } catch (error) {
      exit.reject(error);
    }
  };
  const send = (stream: number, data: Uint8Array): void => channel.send(Buffer.concat([Buffer.of(stream), data]));

  return {
    output: output(),
    exit: exit.promise,
    write: (data) => send(streams.stdin, data),
    end: () => send(streams.close, Buffer.of(streams.stdin)),
    resize: (columns, rows) => send(streams.resize, Buffer.from(JSON.stringify({ Width: columns, Height: rows }))),
    close: () => channel.close(),
  };
}

/** The last message on the error stream is a `Status` that holds how the command ended. */
function exitCode(data: Uint8Array, what: string): number {
  let status: unknown;
  try {
    status = JSON.parse(Buffer.from(data).toString('utf8'));
  } catch (cause) {
    throw new KubeError('garbled', `${what}: the server's last word on the command is not JSON`, { cause });
  }
  if (!isOutcome(status)) throw new KubeError('garbled', `${what}: the server's last word on the command is no Status`);
  if (status.status === 'Success') return 0;
  const code = causesOf(status).find((cause) => cause.reason === 'ExitCode')?.message;
  if (status.reason === 'NonZeroExitCode' && code && /^\d+$/.test(code)) return Number(code);
  throw errorFromStatus(status, what);
}

/** Kubelets leave out that it is a `Status`. */
function isOutcome(value: unknown): value is Status {
  if (typeof value !== 'object' || value === null || !('status' in value)) return false;
  return value.status === 'Success' || value.status === 'Failure';
}
