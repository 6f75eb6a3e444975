import { KubeError } from './error.ts';
import { abortedError, interruptible, untilAborted } from './interruptible.ts';
import type { Channel, Request, Response, Transport } from './transport.ts';

/** Answers one request. Should stop what it does when `request.signal`, which is always set, aborts. */
export type RequestHandler = (request: Request & { readonly signal: AbortSignal }) => Promise<Response>;

/** Answers one request for a channel. */
export type ChannelHandler = (request: Request, protocols: readonly string[]) => Promise<Channel>;

/**
 * A transport that calls a function instead of opening a socket: tests and simulations speak to the embedded server
 * through it, under a virtual clock and without any I/O.
 *
 * It keeps the promises of `Transport` whatever the handler does: an exception of the handler is a broken connection
 * (`unreachable`), abort and `close` end also a handler or a body that does not listen to the signal.
 */
export function inProcess(handler: RequestHandler, connect?: ChannelHandler): Transport {
  const running = new Set<AbortController>();
  const channels = new Set<Channel>();
  let closed = false;

  const refuseWhenClosed = (): void => {
    if (closed) throw new KubeError('unreachable', 'the transport is closed');
  };

  return {
    async request(request) {
      refuseWhenClosed();
      const what = `${request.method} ${request.path}`;
      if (request.signal?.aborted) throw abortedError(request.signal, what);

      const controller = new AbortController();
      const onAbort = (): void => controller.abort(request.signal?.reason);
      request.signal?.addEventListener('abort', onAbort, { once: true });
      running.add(controller);
      const release = (): void => {
        running.delete(controller);
        request.signal?.removeEventListener('abort', onAbort);
        controller.abort(new KubeError('aborted', `${what}: the caller left`));
      };

      try {
        const response = await untilAborted(
          handler({ ...request, signal: controller.signal }),
          controller.signal,
          what,
        );
        const body = interruptible(brokenWhenItThrows(response.body, what), controller.signal, what, release);
        return { ...response, body };
      } catch (error) {
        release();
        throw asKubeError(error, what);
      }
    },

    async connect(request, protocols) {
      refuseWhenClosed();
      const what = `${request.method} ${request.path}`;
      if (!connect) throw new KubeError('unreachable', `${what}: this transport has no channels`);
      try {
        const channel = await connect(request, protocols);
        channels.add(channel);
        return channel;
      } catch (error) {
        throw asKubeError(error, what);
      }
    },

    async close() {
      closed = true;
      for (const controller of [...running]) controller.abort(new KubeError('aborted', 'the transport was closed'));
      for (const channel of channels) channel.close();
      running.clear();
      channels.clear();
    },
  };
}

async function* brokenWhenItThrows(body: AsyncIterable<Uint8Array>, what: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw asKubeError(error, what);
  }
}

function asKubeError(error: unknown, what: string): KubeError {
  if (error instanceof KubeError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new KubeError('unreachable', `${what}: ${why}`, { cause: error });
}
