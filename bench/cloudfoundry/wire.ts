import * as http from 'node:http';
import * as https from 'node:https';

interface WireOptions {
  readonly url: string;
  readonly authorization?: string;
  /** What proves the server, and us. */
  readonly tls?: Pick<https.AgentOptions, 'ca' | 'cert' | 'key'>;
}

/** How the body of a request is to be read. */
type ContentType =
  | 'application/json'
  | 'application/merge-patch+json'
  | 'application/json-patch+json'
  | 'application/apply-patch+yaml';

/**
 * As little of a client as there can be: kept connections, and JSON there and back. Both sides of every comparison are asked
 * through it, so that what it costs is the same for both.
 */
export class Wire implements Disposable {
  readonly #options: WireOptions;
  readonly #secure: boolean;
  readonly #agent: http.Agent;

  constructor(options: WireOptions) {
    this.#options = options;
    this.#secure = options.url.startsWith('https:');
    this.#agent = this.#secure
      ? new https.Agent({ keepAlive: true, ...options.tls })
      : new http.Agent({ keepAlive: true });
  }

  /** @throws Error with status and text of any answer but a good one */
  async send<T>(method: string, path: string, body?: object, type: ContentType = 'application/json'): Promise<T> {
    const { status, text } = await this.#exchange(method, path, body && JSON.stringify(body), type);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
    return JSON.parse(text || '{}') as T;
  }

  get<T>(path: string): Promise<T> {
    return this.send<T>('GET', path);
  }

  merge<T>(path: string, body: object): Promise<T> {
    return this.send<T>('PATCH', path, body, 'application/merge-patch+json');
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #exchange(
    method: string,
    path: string,
    body: string | undefined,
    type: ContentType,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const { url, authorization } = this.#options;
    const headers = {
      accept: 'application/json',
      ...(authorization && { authorization }),
      ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    };
    return new Promise((resolve, reject) => {
      const ask = this.#secure ? https.request : http.request;
      const request = ask(new URL(path, url), { method, headers, agent: this.#agent }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      });
      request.on('error', reject);
      request.end(body);
    });
  }
}

/** How many milliseconds it took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
