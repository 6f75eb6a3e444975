import { Agent, get } from 'node:http';

/** How often somebody asks: half of the requests on a connection of their own, half on connections that are kept. */
const REQUESTS_PER_SECOND = 150;
const TICK_MS = 10;
const KEPT_CONNECTIONS = 8;
const LIMIT_MS = 5000;

/** What came of the requests of a while. */
export interface Served {
  readonly requests: number;
  readonly perSecond: number;
  /** Why a request failed, and when: `+1234 ms, kept: …`. There are no retries, so this is what users saw. */
  readonly failures: readonly string[];
  /** How often each instance answered, by what it called itself. */
  readonly by: Readonly<Record<string, number>>;
}

/**
 * Somebody who asks an address the whole time and never asks twice for the same: a refused connection, one that is closed
 * early, an answer other than 200 and one that takes too long are failures, each of them.
 */
export class Load {
  readonly #url: string;
  readonly #agents = {
    new: new Agent({ keepAlive: false }),
    kept: new Agent({ keepAlive: true, maxSockets: KEPT_CONNECTIONS, scheduling: 'fifo' }),
  };
  readonly #begin = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #failures: string[] = [];
  readonly #by = new Map<string, number>();
  readonly #open = new Set<Promise<void>>();
  #asked = 0;

  constructor(url: string) {
    this.#url = url;
    this.#timer = setInterval(() => this.#ask(), TICK_MS);
  }

  /** Ends it, once all that was asked is answered. */
  async end(): Promise<Served> {
    clearInterval(this.#timer);
    const seconds = (performance.now() - this.#begin) / 1000;
    await Promise.all(this.#open);
    for (const agent of Object.values(this.#agents)) agent.destroy();
    return {
      requests: this.#asked,
      perSecond: Math.round(this.#asked / seconds),
      failures: this.#failures,
      by: Object.fromEntries(this.#by),
    };
  }

  /** As many as are due by now: a process that was held up catches up. */
  #ask(): void {
    const due = ((performance.now() - this.#begin) / 1000) * REQUESTS_PER_SECOND;
    while (this.#asked < due) {
      this.#asked += 1;
      const request = this.#one(this.#asked % 2 === 0 ? 'new' : 'kept');
      this.#open.add(request);
      void request.then(() => this.#open.delete(request));
    }
  }

  #one(way: 'new' | 'kept'): Promise<void> {
    return new Promise((done) => {
      const fail = (why: string): void => {
        this.#failures.push(`+${Math.round(performance.now() - this.#begin)} ms, ${way}: ${why}`);
        done();
      };
      const request = get(this.#url, { agent: this.#agents[way], timeout: LIMIT_MS }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('error', (error) => fail(error.message));
        answer.on('end', () => {
          if (answer.statusCode !== 200) return fail(`${answer.statusCode} ${text}`);
          const [who = ''] = text.split('\n');
          this.#by.set(who, (this.#by.get(who) ?? 0) + 1);
          done();
        });
      });
      request.on('timeout', () => request.destroy(new Error(`no answer within ${LIMIT_MS / 1000} s`)));
      request.on('error', (error) => fail(error.message));
    });
  }
}
