import type { Agent } from 'node:http';
import { WebSocket } from 'ws';
import { KubeError } from './error.ts';
import { errorFrom } from './error-from.ts';
import { abortedError } from './interruptible.ts';
import type { Channel, Request } from './transport.ts';

/** A channel that also says when it is over. */
export interface OpenChannel extends Channel {
  readonly closed: Promise<void>;
}

/** So many messages may wait for the reader before the connection is told to pause. */
const mostWaiting = 256;

/**
 * Opens a WebSocket as a channel. `request.path` is the whole address (`wss://…`).
 *
 * Errors: what the server answers instead of an upgrade, as any other answer with that status; `unreachable`; `aborted`.
 */
export function openChannel(
  request: Request,
  protocols: readonly string[],
  { agent, timeoutMs, what }: { readonly agent: Agent; readonly timeoutMs: number; readonly what: string },
): Promise<OpenChannel> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(request.path, [...protocols], {
      agent,
      headers: { ...request.headers },
      handshakeTimeout: timeoutMs,
      perMessageDeflate: false,
    });
    const onAbort = (): void => socket.terminate();
    request.signal?.addEventListener('abort', onAbort, { once: true });
    const release = (): void => request.signal?.removeEventListener('abort', onAbort);

    socket.once('unexpected-response', (_outgoing, incoming) => {
      const headers = Object.fromEntries(Object.entries(incoming.headers).map(([key, value]) => [key, String(value)]));
      errorFrom({ status: incoming.statusCode ?? 0, headers, body: incoming }, what).then((error) => {
        release();
        socket.terminate();
        reject(error);
      });
    });
    socket.on('error', (error) => {
      release();
      if (request.signal?.aborted) reject(abortedError(request.signal, what));
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
  };
}
