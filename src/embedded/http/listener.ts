import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { Credentials } from '../gate.ts';
import { badRequest, StatusError } from '../status-error.ts';
import type { Answer } from './answer.ts';
import { statusAnswer } from './answer.ts';
import { bodyLimit, checkLength } from './body.ts';
import { send } from './send.ts';
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
  const visitors = new Visitors();
  const server: Server = createServer({
    cert: options.cert,
    key: options.key,
    ca: options.clientCa,
    requestCert: true,
    // Who comes without a certificate may have a token; who comes with a foreign one is told so by a `Status`.
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    keepAliveTimeout: 120_000,
    requestTimeout: 60_000,
    maxHeaderSize: 64 * 1024,
  });
  server.on('request', (request, response) => {
    void serve(handlers, request, response, visitors);
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const gone = visitors.enter();
    socket.once('close', () => visitors.leave(gone, false));
    void handlers.upgrade(arrivalOf(request, undefined, gone.signal), request, socket, head);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket, error));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      visitors.sendHome();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
  };
}

/** Why a request was ended. One for all: making a reason costs more than most requests. */
const left = new Error('the connection was closed');

/** Those whose requests are being answered. */
class Visitors {
  readonly #here = new Set<AbortController>();
  #closing = false;

  get closing(): boolean {
    return this.#closing;
  }

  enter(): AbortController {
    const visitor = new AbortController();
    this.#here.add(visitor);
    return visitor;
  }

  /** A visitor who has got everything needs no farewell; one who broke off frees what still works for him. */
  leave(visitor: AbortController, served: boolean): void {
    if (this.#here.delete(visitor) && !served) visitor.abort(left);
  }

  /** Ends what would go on by itself: watches, followed logs, commands. */
  sendHome(): void {
    this.#closing = true;
    for (const visitor of this.#here) visitor.abort(left);
  }
}

async function serve(
  handlers: Handlers,
  request: IncomingMessage,
  response: ServerResponse,
  visitors: Visitors,
): Promise<void> {
  const gone = visitors.enter();
  response.on('close', () => {
    visitors.leave(gone, response.writableFinished);
    // An answer that began before the door closed promised to keep the connection: it would now idle for ever.
    if (visitors.closing) request.socket.end();
  });
  response.on('error', () => visitors.leave(gone, false));
  try {
    const body = await bodyOf(request);
    // A body that broke off is no body: nobody waits for an answer, and nothing may be done with half of it.
    if (body === 'broken') return;
    const answer =
      body instanceof StatusError
        ? statusAnswer(body.status)
        : await handlers.handle(arrivalOf(request, body, gone.signal));
    if (visitors.closing) response.shouldKeepAlive = false;
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
  const certificate = certificateOf(request.socket as TLSSocket);
  return { ...(authorization && { authorization }), ...(certificate && { certificate }) };
}

/** Reading a certificate takes longer than most requests, and a connection has only one. */
const certificates = new WeakMap<TLSSocket, Credentials['certificate'] | null>();

function certificateOf(socket: TLSSocket): Credentials['certificate'] {
  const known = certificates.get(socket);
  if (known !== undefined) return known ?? undefined;
  const { subject } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  const certificate = subject && (socket.authorized ? subjectOf(subject) : 'foreign');
  certificates.set(socket, certificate ?? null);
  return certificate;
}

const subjectOf = ({ CN, O }: PeerCertificate['subject']): Credentials['certificate'] => ({
  commonName: [CN].flat()[0] ?? '',
  organizations: O === undefined ? [] : [O].flat(),
});

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

/** Answers what is not HTTP (or too much of it) in a Status, if anybody is still there to read it. */
function refuse(socket: Duplex, error: NodeJS.ErrnoException): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const [line, refusal] = tooLong
    ? ['431 Request Header Fields Too Large', new StatusError(431, 'BadRequest', 'the request header is too long')]
    : ['400 Bad Request', badRequest('this is not a request of HTTP/1.1')];
  const body = JSON.stringify(refusal.status);
  const headers = [
    `HTTP/1.1 ${line}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}
