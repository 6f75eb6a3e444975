import { Agent, request } from 'node:https';
import type { Subject } from './subject.ts';

const connections = 16;
const path = '/api/v1/namespaces/default/configmaps';

/** A ConfigMap of about one kilobyte. */
const body = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { bench: 'embedded' } },
    data: { text: 'x'.repeat(880) },
  });

/** Someone who sends requests over a fixed number of kept connections. */
export class Load {
  readonly #agent: Agent;
  readonly #server: URL;

  constructor(subject: Subject) {
    const { ca, cert, key } = subject;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, ca, cert, key });
    this.#server = new URL(subject.server);
  }

  create(name: string): Promise<void> {
    const text = body(name);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#server;
      const sent = request({ agent: this.#agent, hostname, port, path, method: 'POST', headers }, (answer) => {
        answer.resume();
        answer.on('end', () =>
          answer.statusCode === 201 ? resolve() : reject(new Error(`status ${answer.statusCode}`)),
        );
      });
      sent.on('error', reject);
      sent.end(text);
    });
  }

  /** Creates `count` objects, `parallel` at a time; resolves to the milliseconds it took. */
  async creates(
    prefix: string,
    count: number,
    parallel = connections,
    before?: (name: string) => void,
  ): Promise<number> {
    const began = performance.now();
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < count; index = next++) {
        before?.(`${prefix}-${index}`);
        await this.create(`${prefix}-${index}`);
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
    return performance.now() - began;
  }

  /** The resource version that a watch must begin at to hear only of what comes now. */
  #now(): Promise<string> {
    const { hostname, port } = this.#server;
    return new Promise((resolve, reject) => {
      const sent = request({ agent: this.#agent, hostname, port, path: `${path}?limit=1` }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => resolve(JSON.parse(text).metadata.resourceVersion));
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  /** For each of `count` creates, the milliseconds from sending it to its event on a watch. */
  async watchLatencies(count: number): Promise<readonly number[]> {
    const sent = new Map<string, number>();
    const took: number[] = [];
    let done = (): void => {};
    const all = new Promise<void>((resolve) => {
      done = resolve;
    });
    const { hostname, port } = this.#server;
    const now = await this.#now();
    const watch = request({
      agent: this.#agent,
      hostname,
      port,
      path: `${path}?watch=true&resourceVersion=${now}`,
    });
    const names = /"name":"(seen-\d+)"/;
    await new Promise<void>((resolve, reject) => {
      watch.on('error', reject);
      watch.on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
            const name = names.exec(text.slice(0, end))?.[1];
            const began = name && sent.get(name);
            if (began) took.push(performance.now() - began);
            text = text.slice(end + 1);
          }
          if (took.length >= count) done();
        });
        answer.on('error', () => {});
        resolve();
      });
      watch.end();
    });
    await this.creates('seen', count, 2, (name) => sent.set(name, performance.now()));
    await all;
    watch.destroy();
    return took;
  }

  close(): void {
    this.#agent.destroy();
  }
}
