import type { Agent, OutgoingHttpHeaders } from 'node:http';
import { WebSocket } from 'ws';
import { KubeError } from './error.ts';
import { errorFrom } from './error-from.ts';
import { abortedError } from './interruptible.ts';
import type { Channel } from './transport.ts';

/** A channel that also says when it is over, and can be cut without the other side's consent. */
interface OpenChannel extends Channel {
  readonly closed: Promise<void>;
  terminate(): void;
}

/** So many messages may wait for the reader before the connection is told to pause. */
const mostWaiting = 256;

/** How to open a channel. */
interface OpenOptions {
  readonly headers: OutgoingHttpHeaders;
  readonly agent: Agent;
  /** How long the opening may take. */
  readonly timeoutMs: number;
  /** Ends the opening; an open channel is closed by `close`. */
  readonly signal: AbortSignal | undefined;
  /** Names the request in errors. */
  readonly what: string;
}

/**
 * Opens a WebSocket as a channel.
 *
 * Errors: what the server answers instead of an upgrade, as any other answer with that status; `unreachable`; `aborted`.
 */
export function openChannel(address: string, protocols: readonly string[], options: OpenOptions): Promise<OpenChannel> {
  const { headers, agent, timeoutMs, signal, what } = options;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, [...protocols], {
      agent,
      headers: { ...headers } as Record<string, string>,
      handshakeTimeout: timeoutMs,
      perMessageDeflate: false,
    });
    const onAbort = (): void => socket.terminate();
    signal?.addEventListener('abort', onAbort, { once: true });
    const release = (): void => signal?.removeEventListener('abort', onAbort);

    socket.once('unexpected-response', (_outgoing, incoming) => {
      const answer = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
      errorFrom({ status: incoming.statusCode ?? 0, headers: answer, body: incoming }, what).then((error) => {
        release();
        socket.terminate();
        reject(error);
      });
    });
    socket.on('error', (error) => {
      release();
      if (signal?.aborted) reject(abortedError(signal, what));
      else reject(new KubeError('unreachable', `${what}: ${error.message}`, { cause: error }));
    });
    socket.once('open', () => {
      release();
      resolve(channelOf(socket));
    });
  });
}

function channelOf(socket: WebSocket): OpenChannel {
  const waiting: Uint8Array[] = [];
  const closed = Promise.withResolvers<void>();
  let over = false;
  let wake = (): void => {};

  socket.on('message', (data) => {
    waiting.push(Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer));
    if (waiting.length >= mostWaiting) socket.pause();
    wake();
  });
  socket.once('close', () => {
    over = true;
    closed.resolve();
    wake();
  });

  async function* messages(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const message = waiting.shift();
        if (message) {
          if (socket.isPaused && waiting.length < mostWaiting / 2) socket.resume();
          yield message;
        } else if (over) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      socket.close();
    }
  }

  return {
    protocol: socket.protocol,
    messages: messages(),
    closed: closed.promise,
    send: (message) => socket.send(message),
    close: () => (over ? undefined : socket.close()),
    terminate: () => socket.terminate(),
  };
}
