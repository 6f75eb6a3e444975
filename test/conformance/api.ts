import { setTimeout as delay } from 'node:timers/promises';
import type { Transport } from '../../src/kube/transport.ts';

/** Untyped JSON: conformance is about what is on the wire, not about our types. */
// biome-ignore lint/suspicious/noExplicitAny: answers of a server are looked at field by field
export type Any = any;

/** What the server said. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed when it is JSON, else the text. */
  readonly body: Any;
}

export interface WatchEvent {
  readonly type: string;
  readonly object: Any;
}

/** An open watch; events queue up until they are asked for. */
export interface Watch {
  /** HTTP status of the answer. */
  readonly status: number;
  /** The next event; fails when none comes within a generous time or the watch ended. */
  next(): Promise<WatchEvent>;
  /** The first event that `wanted` accepts; those before it are dropped. */
  until(wanted: (event: WatchEvent) => boolean): Promise<WatchEvent>;
  /** Resolves to all remaining events when the server ends the watch. */
  rest(): Promise<readonly WatchEvent[]>;
  close(): void;
}

const patience = 60_000;

/** The wire, as bare as it can be asserted on. */
export class Api {
  readonly #transport: Transport;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(transport: Transport, headers: Readonly<Record<string, string>> = {}) {
    this.#transport = transport;
    this.#headers = headers;
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await this.#transport.request({
      method: method as 'GET',
      path,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...this.#headers,
        ...headers,
      },
      ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const json = /json/.test(response.headers['content-type'] ?? '');
    return { status: response.status, headers: response.headers, body: json && text ? JSON.parse(text) : text };
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.call('GET', path, undefined, headers);
  }

  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.call('POST', path, body, headers);
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.call('PUT', path, body);
  }

  delete(path: string, options?: unknown): Promise<Answer> {
    return this.call('DELETE', path, options);
  }

  merge(path: string, patch: unknown): Promise<Answer> {
    return this.call('PATCH', path, patch, { 'content-type': 'application/merge-patch+json' });
  }

  jsonPatch(path: string, patch: unknown): Promise<Answer> {
    return this.call('PATCH', path, patch, { 'content-type': 'application/json-patch+json' });
  }

  strategic(path: string, patch: unknown): Promise<Answer> {
    return this.call('PATCH', path, patch, { 'content-type': 'application/strategic-merge-patch+json' });
  }

  /** Server-side apply; `path` carries the query (`fieldManager`, `force`). */
  apply(path: string, object: unknown): Promise<Answer> {
    return this.call('PATCH', path, object, { 'content-type': 'application/apply-patch+yaml' });
  }

  /** Like `call`, and fails the test unless the answer is a success. */
  async must(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Any> {
    const answer = await this.call(method, path, body, headers);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async watch(path: string): Promise<Watch> {
    const ending = new AbortController();
    const response = await this.#transport.request({
      method: 'GET',
      path,
      headers: { accept: 'application/json', ...this.#headers },
      signal: ending.signal,
    });
    const events: WatchEvent[] = [];
    let ended = false;
    let wake = (): void => {};
    const reading = (async () => {
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of response.body) {
        text += decoder.decode(chunk, { stream: true });
        for (let end = text.indexOf('\n'); end >= 0 && response.status === 200; end = text.indexOf('\n')) {
          events.push(JSON.parse(text.slice(0, end)));
          text = text.slice(end + 1);
          wake();
        }
      }
      if (response.status !== 200) events.push({ type: `HTTP ${response.status}`, object: JSON.parse(text) });
    })()
      .catch(() => {})
      .finally(() => {
        ended = true;
        wake();
      });
    const next = async (): Promise<WatchEvent> => {
      const limit = AbortSignal.timeout(patience);
      for (;;) {
        const event = events.shift();
        if (event) return event;
        if (ended) throw new Error(`the watch ${path} ended`);
        if (limit.aborted) throw new Error(`no event on ${path} within ${patience / 1000} s`);
        await Promise.race([new Promise<void>((resolve) => (wake = resolve)), delay(1000)]);
      }
    };
    return {
      status: response.status,
      next,
      async until(wanted) {
        for (;;) {
          const event = await next();
          if (wanted(event)) return event;
        }
      },
      async rest() {
        await reading;
        return events.splice(0);
      },
      close: () => ending.abort(),
    };
  }
}

/**
 * How long a definition may take to go: a busy server gives up looking for its objects after a minute, and begins anew. The
 * timeout is for tests that wait for it.
 */
export const definitionsGo = { limitMs: 5 * 60_000, timeout: 7 * 60_000 } as const;

/** Tries again until `attempt` stops throwing; its last complaint is the failure message. */
export async function eventually<T>(attempt: () => Promise<T>, limitMs: number = patience): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(50);
    }
  }
}
