import * as http from 'node:http';
import * as https from 'node:https';
import type { Clock } from '../../clock/clock.ts';
import type { Certificate } from '../../control/certificates/certificate-files.ts';
import { listening } from '../../control/listening.ts';
import type { Log } from '../../control/log.ts';
import type { Answer, Asked, Handler } from './asked.ts';
import { outletOf } from './outlet.ts';
import { Refusal } from './refusal.ts';
import { securityHeaders } from './security-headers.ts';

export interface ListenOptions {
  readonly handler: Handler;
  readonly port: number;
  readonly host: string;
  readonly certificate?: Certificate;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Listening {
  readonly port: number;
  /** New connections get this certificate; a bad one throws and changes nothing. */
  reload(certificate: Certificate): void;
  /** Waits for what is under way, not for long. */
  close(): Promise<void>;
}

const limits = { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 75_000 };
const mostConnections = 2_000;
const longestBody = 1 << 20;
const closingMs = 2_000;

/** Opens a port. Rejects when it cannot be had, or the certificate cannot be used. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { port, host, certificate, clock, log } = options;
  const listener = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    void answer(request, response, options);
  };
  const server = certificate
    ? https.createServer({ ...limits, ...certificate, minVersion: 'TLSv1.2' }, listener)
    : http.createServer(limits, listener);
  server.maxConnections = mostConnections;
  const listensAt = await listening(server, { what: 'the dashboard', port, host, log });
  return {
    port: listensAt,
    reload: (renewed) => {
      if (server instanceof https.Server) server.setSecureContext({ ...renewed, minVersion: 'TLSv1.2' });
    },
    close: () =>
      new Promise((resolve) => {
        const callOff = clock.after(closingMs, () => server.closeAllConnections());
        server.close(() => {
          callOff();
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

async function answer(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { handler, log }: ListenOptions,
): Promise<void> {
  // Whoever leaves in the middle leaves nothing to be told.
  response.on('error', () => undefined);
  const left = new AbortController();
  response.once('close', () => left.abort());
  const answered = await handler(askedOf(request, left.signal)).catch((error: unknown): Answer => {
    if (error instanceof Refusal) return refused(error);
    log.error({ error, path: request.url?.split('?', 1)[0] }, 'a bug: a request to the dashboard failed');
    return refused(new Refusal(500, 'The server failed. Its log says why.'));
  });
  send(request, response, answered);
}

function send(request: http.IncomingMessage, response: http.ServerResponse, answered: Answer): void {
  if (response.destroyed) return;
  const head = { ...securityHeaders, 'cache-control': 'no-store', ...answered.headers };
  if ('stream' in answered) {
    // It ends with the connection: so every message is written as it is, without a wrapping of its own.
    response.useChunkedEncodingByDefault = false;
    response.writeHead(answered.status, head);
    response.flushHeaders();
    answered.stream(outletOf(response));
    return;
  }
  const { status, body = '' } = answered;
  response.writeHead(status, { ...head, 'content-length': String(Buffer.byteLength(body)) });
  response.end(request.method === 'HEAD' ? undefined : body);
  // A body that nobody wants is not waited for.
  if (!request.complete) response.once('finish', () => request.destroy());
}

function refused({ status, message, headers }: Refusal): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify({ error: message }),
  };
}

function askedOf(request: http.IncomingMessage, left: AbortSignal): Asked {
  const url = request.url ?? '/';
  const at = url.indexOf('?');
  return {
    method: request.method ?? 'GET',
    path: at < 0 ? url : url.slice(0, at),
    query: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
    header(name) {
      const value = request.headers[name];
      return typeof value === 'string' ? value : undefined;
    },
    address: request.socket.remoteAddress ?? '',
    secure: 'encrypted' in request.socket,
    body: () => read(request),
    left,
  };
}

async function read(request: http.IncomingMessage): Promise<string> {
  const tooLong = (): Refusal => new Refusal(413, `The request has more than ${longestBody} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > longestBody) throw tooLong();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > longestBody) throw tooLong();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'The request broke off.');
  }
  return Buffer.concat(chunks).toString('utf8');
}
