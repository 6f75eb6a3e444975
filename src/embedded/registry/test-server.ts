import { type Random, seededRandom } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Request, Transport } from '../../kube/transport.ts';
import { openPki, type Pki } from '../auth/pki.ts';
import { createEmbedded, type Embedded } from '../embedded.ts';
import type { User } from '../gate.ts';

/** What the server answered, its body read. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  readonly body: any;
  readonly text: string;
}

const json = { 'content-type': 'application/json', 'user-agent': 'test/1' };

/** A whole cluster on a virtual clock, asked by function calls: what tests of the verbs speak to. */
export class TestServer {
  static #pki: Promise<Pki> | undefined;
  readonly clock: VirtualClock;
  readonly embedded: Embedded;
  readonly troubles: string[];
  readonly #transport: Transport;

  private constructor(clock: VirtualClock, embedded: Embedded, troubles: string[]) {
    this.clock = clock;
    this.embedded = embedded;
    this.troubles = troubles;
    this.#transport = embedded.transport();
  }

  static async start(random: Random = seededRandom(1)): Promise<TestServer> {
    const clock = new VirtualClock();
    TestServer.#pki ??= openPki({ clock });
    const troubles: string[] = [];
    const embedded = await createEmbedded({
      clock,
      random,
      pki: await TestServer.#pki,
      trouble: (what, error) => void troubles.push(`${what}: ${String(error)}`),
    });
    await clock.advance(0);
    return new TestServer(clock, embedded, troubles);
  }

  /** A request with a JSON body, or with any text. */
  async ask(
    method: Request['method'],
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
    user?: User,
  ): Promise<Reply> {
    const transport = user ? this.embedded.transport(user) : this.#transport;
    const response = await transport.request({
      method,
      path,
      headers: { ...json, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    let text = '';
    for await (const chunk of response.body) text += Buffer.from(chunk).toString('utf8');
    const isJson = response.headers['content-type']?.startsWith('application/json') && !text.includes('}\n{');
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : text };
  }

  merge(path: string, patch: unknown): Promise<Reply> {
    return this.ask('PATCH', path, patch, { 'content-type': 'application/merge-patch+json' });
  }

  apply(path: string, manager: string, object: unknown, more = ''): Promise<Reply> {
    const query = `?fieldManager=${manager}${more}`;
    return this.ask('PATCH', `${path}${query}`, object, { 'content-type': 'application/apply-patch+yaml' });
  }

  /** The events of a watch so far, as `TYPE name`; `stop` ends it. */
  watch(path: string): {
    readonly events: { type: string; object: AnyObject }[];
    stop(): void;
    readonly over: Promise<void>;
  } {
    const events: { type: string; object: AnyObject }[] = [];
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      const response = await this.#transport.request({ method: 'GET', path, headers: json, signal: stop.signal });
      let text = '';
      for await (const chunk of response.body) {
        text += Buffer.from(chunk).toString('utf8');
        const lines = text.split('\n');
        text = lines.pop() ?? '';
        for (const line of lines) events.push(JSON.parse(line));
      }
    };
    return { events, stop: () => stop.abort(), over: read().catch(() => {}) };
  }

  async close(): Promise<void> {
    await this.embedded.close();
  }
}

/** A ConfigMap, for tests. */
export const configMap = (name: string, data: Record<string, string> = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
