import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { createGzip, constants as zlib } from 'node:zlib';
import type { Credentials } from '../gate.ts';
import { StatusError } from '../status-error.ts';
import type { Answer } from './answer.ts';
import { statusAnswer } from './answer.ts';
import { bodyLimit, checkLength } from './body.ts';
import type { Arrival } from './serving.ts';

export interface ListenerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  /** Signs the certificates by which clients may say who they are. */
  readonly clientCa: string;
}

/** How requests that arrive at the socket are answered. */
export interface Handlers {
  handle(arrival: Arrival): Promise<Answer>;
  /** Answers a request to change the protocol (`exec`). It owns the socket from then on. */
  upgrade(arrival: Arrival, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
}

export interface Listener {
  readonly port: number;
  /** Takes no new connections, ends those that wait or watch, and lets requests that are being answered finish. */
  close(): Promise<void>;
}

/** Opens the HTTPS door of the server. Rejects when the port is taken. */
export async function listen(options: ListenerOptions, handlers: Handlers): Promise<Listener> {
  const leaving = new AbortController();
  const server: Server = createServer({
    cert: options.cert,
    key: options.key,
    ca: options.clientCa,
    requestCert: true,
    // Who comes without a certificate may have a token; who comes with a foreign one is refused by `credentialsOf`.
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    keepAliveTimeout: 120_000,
    requestTimeout: 60_000,
    maxHeaderSize: 64 * 1024,
  });
  server.on('request', (request, response) => {
    void serve(handlers, request, response, leaving.signal);
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    void handlers.upgrade(arrivalOf(request, undefined, leaving.signal), request, socket, head);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      leaving.abort();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
  };
}

async function serve(
  handlers: Handlers,
  request: IncomingMessage,
  response: ServerResponse,
  leaving: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.on('error', () => gone.abort());
  try {
    const body = await bodyOf(request);
    // A body that broke off is no body: nobody waits for an answer, and nothing may be done with half of it.
    if (body === 'broken') return;
    const answer =
      body instanceof StatusError
        ? statusAnswer(body.status)
        : await handlers.handle(arrivalOf(request, body, AbortSignal.any([gone.signal, leaving])));
    if (leaving.aborted) response.shouldKeepAlive = false;
    await send(request, response, answer);
  } catch {
    response.destroy();
  }
}

function arrivalOf(request: IncomingMessage, body: Uint8Array | undefined, signal: AbortSignal): Arrival {
  return {
    method: request.method as Arrival['method'],
    path: request.url ?? '/',
    headers: headersOf(request),
    ...(body && body.length > 0 && { body }),
    signal,
    credentials: credentialsOf(request),
  };
}

function headersOf(request: IncomingMessage): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const name in request.headers) {
    const value = request.headers[name];
    headers[name] = typeof value === 'string' ? value : (value?.join(', ') ?? '');
  }
  return headers;
}

function credentialsOf(request: IncomingMessage): Credentials {
  const { authorization } = request.headers;
  const socket = request.socket as TLSSocket;
  const subject = socket.authorized ? (socket.getPeerCertificate() as Partial<PeerCertificate>).subject : undefined;
  const organizations = subject?.O === undefined ? [] : [subject.O].flat();
  return {
    ...(authorization && { authorization }),
    ...(subject && { certificate: { commonName: [subject.CN].flat()[0] ?? '', organizations } }),
  };
}

/** The whole body, or why there is none: it was too long, or the connection broke. */
function bodyOf(request: IncomingMessage): Promise<Uint8Array | StatusError | 'broken'> {
  if (request.method === 'GET' || request.headers['content-length'] === '0') {
    request.resume();
    return Promise.resolve(new Uint8Array());
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bodyLimit) chunks.push(chunk);
    });
    request.on('end', () => {
      if (!request.complete) return resolve('broken');
      resolve(bytes <= bodyLimit ? only(chunks) : tooLong(bytes));
    });
    request.on('error', () => resolve('broken'));
    request.on('close', () => resolve('broken'));
  });
}

const only = (chunks: readonly Buffer[]): Uint8Array =>
  chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);

function tooLong(bytes: number): StatusError {
  try {
    checkLength(bytes);
  } catch (error) {
    if (error instanceof StatusError) return error;
  }
  throw new Error('not too long');
}

/** Answers shorter than this are not worth compressing. */
const worthCompressing = 128 * 1024;

async function send(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { status, headers, body } = answer;
  const whole = typeof body === 'string' ? Buffer.from(body) : body instanceof Uint8Array ? body : undefined;
  const zips = acceptsGzip(request) && headers['content-encoding'] === undefined && isText(headers);
  if (whole && !(zips && whole.length >= worthCompressing)) {
    response.writeHead(status, { ...mutable(headers), 'content-length': whole.length });
    response.end(whole);
    return;
  }
  const chunks = whole ? [whole] : (body as AsyncIterable<Uint8Array>);
  // A stream is long or live. Long ones are lists; what is live must not wait in a compressor.
  const isLive = !whole && isWatch(request);
  if (zips && !isLive) {
    response.writeHead(status, { ...mutable(headers), 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    const gzip = createGzip({ level: zlib.Z_BEST_SPEED });
    gzip.pipe(response);
    for await (const chunk of chunks) if (!gzip.write(chunk)) await drained(gzip, response);
    gzip.end();
    return;
  }
  response.writeHead(status, mutable(headers));
  response.flushHeaders();
  for await (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await drained(response, response);
  }
  response.end();
}

/** Waits until the stream takes more. A connection that is gone takes no more, which ends the loop by an exception. */
function drained(
  stream: { once(event: string, listener: () => void): unknown },
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (response.destroyed) return reject(new Error('the client left'));
    const left = (): void => reject(new Error('the client left'));
    response.once('close', left);
    stream.once('drain', () => {
      response.off('close', left);
      resolve();
    });
  });
}

const acceptsGzip = (request: IncomingMessage): boolean =>
  /(?:^|,)\s*gzip\s*(?:,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|$)/.test(String(request.headers['accept-encoding'] ?? ''));

const isWatch = ({ url = '' }: IncomingMessage): boolean =>
  /[?&](?:watch|follow)=(?!false|0)|\/watch\/|\/log\?|\/proxy/.test(url);

const isText = (headers: Answer['headers']): boolean => /json|yaml/.test(String(headers['content-type'] ?? ''));

const mutable = (headers: Answer['headers']): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
