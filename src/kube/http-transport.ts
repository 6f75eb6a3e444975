import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Clock } from '../clock/clock.ts';
import { realClock } from '../clock/real.ts';
import { Agents, type ServerTls } from './agents.ts';
import { isKubeError, KubeError } from './error.ts';
import { fixedIdentity, type Identity, type IdentitySource } from './identity.ts';
import { abortedError, untilAborted } from './interruptible.ts';
import { http, https } from './node-http.ts';
import { tlsWords } from './tls-words.ts';
import type { Channel, Request, Response, Transport } from './transport.ts';

export interface HttpTransportOptions {
  /** `https://host:6443`; a path is put before every request's path. */
  readonly server: string;
  /** How the server proves itself. Default: the certificate authorities that Node trusts. */
  readonly tls?: ServerTls;
  /** How we prove ourselves. Default: not at all. */
  readonly identity?: IdentitySource;
  /** How long it may take to connect, TLS included. Default: 10 s. */
  readonly connectTimeoutMs?: number;
  /** How long an idle connection is kept. Shorter than a server's own limit (90 s and more). Default: 30 s. */
  readonly idleTimeoutMs?: number;
  /**
   * How many connections there are at once; further requests wait for one, and a watch holds one for as long as it runs. Default:
   * as many as there are requests.
   */
  readonly maxConnections?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** Errors of a connection that the other side closed while it was idle. */
const staleCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/**
 * A transport over HTTP/1.1 with TLS of its own: nothing global is read or changed, proxies of the environment are not
 * used, redirects are not followed.
 *
 * Retries in two cases only: a GET on a kept-alive connection that turns out to be dead, and once after a 401 when the
 * identity can be renewed (the server refused before it acted). Everything else is the caller's decision.
 */
export function httpTransport(options: HttpTransportOptions): Transport {
  const server = new URL(options.server);
  const secure = server.protocol === 'https:';
  const prefix = server.pathname.replace(/\/+$/, '');
  const identities = options.identity ?? fixedIdentity({});
  const clock = options.clock ?? realClock;
  const connectTimeoutMs = options.connectTimeoutMs ?? 10_000;
  const agents = new Agents(secure, options.tls ?? {}, {
    idleTimeoutMs: options.idleTimeoutMs ?? 30_000,
    maxConnections: options.maxConnections ?? Number.POSITIVE_INFINITY,
  });
  /** Ways to end what is under way. */
  const running = new Set<() => void>();
  let closed = false;

  function send(request: Request, identity: Identity, what: string): Promise<Response> {
    return new Promise((resolve, reject) => {
      const outgoing = (secure ? https : http).request({
        hostname: server.hostname.replace(/^\[|\]$/g, ''),
        port: server.port || (secure ? 443 : 80),
        method: request.method,
        path: prefix + request.path,
        agent: agents.for(identity),
        headers: headersOf(request, identity),
      });
      let answered = false;
      let stop = (error: KubeError): void => void outgoing.destroy(error);
      let stopConnectTimer = (): void => {};

      const onAbort = (): void => stop(abortedError(request.signal, what));
      const onClose = (): void => stop(new KubeError('aborted', `${what}: the transport was closed`));
      request.signal?.addEventListener('abort', onAbort, { once: true });
      running.add(onClose);
      const release = (): void => {
        stopConnectTimer();
        request.signal?.removeEventListener('abort', onAbort);
        running.delete(onClose);
      };

      outgoing.once('socket', (socket) => {
        if (!socket.connecting) return;
        const seconds = connectTimeoutMs / 1000;
        stopConnectTimer = clock.after(connectTimeoutMs, () =>
          stop(new KubeError('unreachable', `${what}: ${server.host} took no connection within ${seconds} s`)),
        );
        socket.once(secure ? 'secureConnect' : 'connect', stopConnectTimer);
      });
      outgoing.once('response', (incoming) => {
        answered = true;
        stop = (error) => void incoming.destroy(error);
        incoming.once('close', release);
        const headers = flat(incoming.headers);
        resolve({ status: incoming.statusCode ?? 0, headers, body: bodyOf(incoming, what) });
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        if (answered) return;
        release();
        const stale = outgoing.reusedSocket && staleCodes.has(error.code ?? '');
        if (stale && request.method === 'GET' && !closed) resolve(send(request, identity, what));
        else reject(asKubeError(error, `${what} at ${server.host}`));
      });
      outgoing.end(request.body);
    });
  }

  async function open(
    request: Request,
    protocols: readonly string[],
    identity: Identity,
    what: string,
  ): Promise<Channel> {
    const address = `${secure ? 'wss' : 'ws'}://${server.host}${prefix}${request.path}`;
    const headers = headersOf(request, identity);
    const agent = agents.for(identity);
    // Few processes ever open one.
    const { openChannel } = await import('./web-socket.ts');
    const channel = await openChannel(address, protocols, {
      headers,
      agent,
      timeoutMs: connectTimeoutMs,
      signal: request.signal,
      what,
    });
    const end = (): void => channel.terminate();
    running.add(end);
    channel.closed.then(() => running.delete(end));
    return channel;
  }

  /** Who we are for this request, unless it is over before it began: credentials may take a while. */
  async function identify(request: Request, what: string): Promise<Identity> {
    const goOn = (): void => {
      if (closed) throw new KubeError('unreachable', `${what}: the transport is closed`);
      if (request.signal?.aborted) throw abortedError(request.signal, what);
    };
    goOn();
    const current = identities.current();
    const identity = await (request.signal ? untilAborted(current, request.signal, what) : current);
    goOn();
    return identity;
  }

  return {
    async request(request) {
      const what = `${request.method} ${request.path}`;
      const identity = await identify(request, what);
      try {
        const response = await send(request, identity, what);
        if (response.status !== 401 || !identities.rejected(identity)) return response;
        for await (const _ of response.body) break;
        return await send(request, await identify(request, what), what);
      } catch (error) {
        throw asKubeError(error, what);
      }
    },

    async connect(request, protocols) {
      const what = `${request.method} ${request.path}`;
      const identity = await identify(request, what);
      try {
        return await open(request, protocols, identity, what);
      } catch (error) {
        if (!isKubeError(error, 'unauthorized') || !identities.rejected(identity)) throw asKubeError(error, what);
        return open(request, protocols, await identify(request, what), what);
      }
    },

    async close() {
      closed = true;
      for (const end of [...running]) end();
      agents.close();
    },
  };
}

function headersOf(request: Request, identity: Identity): OutgoingHttpHeaders {
  return {
    ...request.headers,
    ...identity.headers,
    ...(identity.authorization && { authorization: identity.authorization }),
    ...(request.body !== undefined && { 'content-length': String(Buffer.byteLength(request.body)) }),
  };
}

/** The body of an answer. Leaving the loop early destroys the connection, reading to the end gives it back. */
async function* bodyOf(incoming: IncomingMessage, what: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of incoming) yield chunk;
  } catch (error) {
    throw asKubeError(error, `${what}: the answer broke off`);
  }
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return result;
}

function asKubeError(error: unknown, what: string): KubeError {
  if (error instanceof KubeError) return error;
  const why = error instanceof Error ? inWords(error) : String(error);
  return new KubeError('unreachable', `${what}: ${why}`, { cause: error });
}

function inWords(error: NodeJS.ErrnoException): string | undefined {
  return tlsWords(error) || error.message || error.code;
}
