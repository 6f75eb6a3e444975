import type { Clock } from '../clock/clock.ts';
import { realClock } from '../clock/real.ts';
import { type Deadline, deadline } from './deadline.ts';
import { KubeError } from './error.ts';
import { errorFrom } from './error-from.ts';
import type { AnyObject, KubeObject } from './object.ts';
import type { CallOptions } from './options.ts';
import { type Query, withQuery } from './path.ts';
import type { Resource } from './resource.ts';
import { resourceHandle } from './resource-handle.ts';
import type { ResourceType } from './resource-type.ts';
import type { Channel, Request, Response, Transport } from './transport.ts';

export interface ClientOptions {
  /** How the client introduces itself; the server derives the default field manager from it. Default: `cutover`. */
  readonly userAgent?: string;
  /** How long an answer may take, its body included; for watches and logs: until it begins. Default: 60 s. */
  readonly defaultTimeoutMs?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Hears the texts of `Warning` headers. Default: nobody. */
  readonly onWarning?: (text: string, what: string) => void;
}

/** One call in terms of the client: the query apart, the body a value. */
export interface Call extends CallOptions {
  readonly method: Request['method'];
  readonly path: string;
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** Default: `application/json`. */
  readonly accept?: string;
}

/**
 * A connection to one API server: a transport with manners. Error statuses become `KubeError`s, bodies become values,
 * nothing waits for ever.
 *
 * It never retries: whether a second try is safe is known only to whoever made the request.
 */
export class Client {
  readonly #transport: Transport;
  readonly #userAgent: string;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #onWarning: ((text: string, what: string) => void) | undefined;

  constructor(transport: Transport, options: ClientOptions = {}) {
    this.#transport = transport;
    this.#userAgent = options.userAgent ?? 'cutover';
    this.#timeoutMs = options.defaultTimeoutMs ?? 60_000;
    this.#clock = options.clock ?? realClock;
    this.#onWarning = options.onWarning;
  }

  /** A handle for the objects of one type. Costs nothing; make one wherever it is needed. */
  resource<T extends KubeObject = AnyObject>(type: ResourceType): Resource<T> {
    return resourceHandle<T>(this, type);
  }

  /** The decoded body of the answer. The type is the caller's claim: the server's word is taken for it. */
  async json<T>(call: Call): Promise<T> {
    const what = `${call.method} ${call.path}`;
    const limit = this.#deadline(call, what);
    try {
      const response = await this.#answer(call, what, limit);
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      return parse(chunks, what) as T;
    } catch (error) {
      throw limit.explain(error);
    } finally {
      limit.done();
    }
  }

  /** The body of the answer as it arrives. Time counts only until it begins. */
  async stream(call: Call): Promise<AsyncIterable<Uint8Array>> {
    const what = `${call.method} ${call.path}`;
    const limit = this.#deadline(call, what);
    try {
      const response = await this.#answer(call, what, limit);
      limit.lift();
      return releasing(response.body, limit.done);
    } catch (error) {
      limit.done();
      throw limit.explain(error);
    }
  }

  /** The answer whatever its status: for what is behind the API server (`proxy`). Time counts until it begins. */
  async request(request: Request, options: CallOptions = {}): Promise<Response> {
    const what = `${request.method} ${request.path}`;
    const signal = options.signal ?? request.signal;
    const limit = this.#deadline({ ...options, ...(signal && { signal }) }, what);
    try {
      const headers = { 'user-agent': this.#userAgent, ...request.headers };
      const response = await this.#transport.request({ ...request, headers, signal: limit.signal });
      limit.lift();
      return { ...response, body: releasing(response.body, limit.done) };
    } catch (error) {
      limit.done();
      throw limit.explain(error);
    }
  }

  /** A two-way channel. No server has JSON to say on one: those that go by the header refuse whoever asks for it. */
  async connect(call: Call, protocols: readonly string[]): Promise<Channel> {
    const what = `${call.method} ${call.path}`;
    const limit = this.#deadline(call, what);
    try {
      return await this.#transport.connect(this.#request({ accept: '*/*', ...call }, limit.signal), protocols);
    } catch (error) {
      throw limit.explain(error);
    } finally {
      limit.done();
    }
  }

  /** Ends everything that runs, watches included. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  #deadline(options: CallOptions, what: string): Deadline {
    return deadline(this.#clock, options.timeoutMs ?? this.#timeoutMs, options.signal, what);
  }

  #request(call: Call, signal: AbortSignal): Request {
    const { method, path, query, body, contentType = 'application/json', accept = 'application/json' } = call;
    const headers = { accept, 'user-agent': this.#userAgent };
    const target = { method, path: query ? withQuery(path, query) : path, signal };
    if (body === undefined) return { ...target, headers };
    return { ...target, headers: { ...headers, 'content-type': contentType }, body: JSON.stringify(body) };
  }

  /** The answer, if it is no error. */
  async #answer(call: Call, what: string, limit: Deadline): Promise<Response> {
    const response = await this.#transport.request(this.#request(call, limit.signal));
    const warning = response.headers.warning;
    if (warning && this.#onWarning) for (const text of warningTexts(warning)) this.#onWarning(text, what);
    if (response.status >= 200 && response.status < 300) return response;
    throw await errorFrom(response, what);
  }
}

async function* releasing(body: AsyncIterable<Uint8Array>, release: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    release();
  }
}

/** All that an API server answers are objects; what is none must not look like one until somebody reads a field of it. */
function parse(chunks: readonly Uint8Array[], what: string): object {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw new KubeError('garbled', `${what}: the answer is not JSON`, { cause });
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new KubeError('garbled', `${what}: the answer is JSON, but not an object`);
}

/** `299 - "text one", 299 - "text two"` → the texts. */
function warningTexts(header: string): string[] {
  return [...header.matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
}
