import { type Clock, sleep } from '../../src/clock/clock.ts';
import type { Random } from '../../src/clock/random.ts';
import { lines } from '../../src/kube/lines.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { Request, Response, Transport } from '../../src/kube/transport.ts';
import type { Process } from './process.ts';

interface Told {
  readonly type: string;
  readonly object: AnyObject;
}

/** How many events a server that lags is behind, and for how long. */
const behind = 4;
const lagMs = 20_000;
/** For so long watches are away, tell twice, or each in its own time; and by how much at most. */
const oddMs = 20_000;
const oddDelayMs = 5_000;
/** At most so long an event is on its way: longer than an answer, so that a process hears of its own writes late. */
const wayMs = 25;

/**
 * The watches of one process, as a server answers them that may fall silent or lag behind.
 *
 * Everything that was ever told is remembered per path, so that a lagging server can be imitated: it begins with an
 * older state, tells for a while nothing more, then all that it left out, and goes on where the true server is.
 */
export class WatchReplica {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #process: Process;
  readonly #random: Random;
  readonly #told = new Map<string, Told[]>();
  #silentUntil = 0;
  #awayUntil = 0;
  #twiceUntil = 0;
  #reorderedUntil = 0;
  /** By path: its own delay while order is lost. */
  readonly #delays = new Map<string, number>();
  /** Streams of an earlier age end in the middle of a line instead of with an error. */
  #mute = false;
  /** Raised by every rewind: streams of an earlier age end. */
  #age = 0;
  readonly #lagging = new Set<string>();
  #cut = Promise.withResolvers<void>();

  constructor(transport: Transport, clock: Clock, process: Process, random: Random) {
    this.#transport = transport;
    this.#clock = clock;
    this.#process = process;
    this.#random = random;
  }

  freeze(ms: number): void {
    this.#silentUntil = this.#clock.monotonic() + ms;
  }

  rewind(): void {
    for (const path of this.#told.keys()) this.#lagging.add(path);
    this.relist();
  }

  /** The server has forgotten the versions that the watches are at. */
  relist(): void {
    this.#end(false);
  }

  /** As `relist`, and for a while nobody can begin anew. */
  leave(): void {
    this.#awayUntil = this.#clock.monotonic() + oddMs;
    this.#end(false);
  }

  /** The connections of all watches break. */
  breakOff(): void {
    this.#end(true);
  }

  repeat(): void {
    this.#twiceUntil = this.#clock.monotonic() + oddMs;
  }

  reorder(): void {
    this.#delays.clear();
    this.#reorderedUntil = this.#clock.monotonic() + oddMs;
  }

  #end(mute: boolean): void {
    this.#mute = mute;
    this.#age += 1;
    this.#cut.resolve();
    this.#cut = Promise.withResolvers<void>();
  }

  async watch(request: Request): Promise<Response> {
    const path = watched(request);
    const away = this.#awayUntil - this.#clock.monotonic();
    if (away > 0) await sleep(this.#clock, away);
    const fresh = request.path.includes('sendInitialEvents=true');
    if (fresh && this.#lagging.delete(path)) return this.#answer(path, this.#lag(path, request));
    const response = await this.#transport.request(request);
    if (response.status !== 200) return response;
    if (fresh) this.#told.set(path, []);
    return this.#answer(path, this.#follow(path, response.body));
  }

  #answer(path: string, told: AsyncIterable<string>): Response {
    return { status: 200, headers: { 'content-type': 'application/json' }, body: this.#deliver(path, told) };
  }

  /** In order, when the process runs and the network does, until the next rewind. */
  async *#deliver(path: string, told: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
    const age = this.#age;
    const iterator = told[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await Promise.race([iterator.next(), this.#cut.promise]);
        const wait = this.#silentUntil - this.#clock.monotonic();
        const way = Math.floor(this.#random.next() * wayMs);
        await sleep(this.#clock, Math.max(wait, way, this.#delayOf(path)));
        await this.#process.receive(Promise.resolve());
        if (age !== this.#age) {
          yield this.#mute ? Buffer.from('{"type":"MODIF') : line({ type: 'ERROR', object: gone });
          return;
        }
        if (!next || next.done) return;
        const text = Buffer.from(`${next.value}\n`);
        yield text;
        if (this.#clock.monotonic() < this.#twiceUntil) yield text;
      }
    } finally {
      void iterator.return?.();
    }
  }

  #delayOf(path: string): number {
    if (this.#clock.monotonic() >= this.#reorderedUntil) return 0;
    const delay = this.#delays.get(path) ?? Math.floor(this.#random.next() * oddDelayMs);
    this.#delays.set(path, delay);
    return delay;
  }

  /** What the true server tells, remembered. */
  async *#follow(path: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
    for await (const line of lines(body)) {
      const text = line.toString();
      this.#told.get(path)?.push(JSON.parse(text) as Told);
      yield text;
    }
  }

  async *#lag(path: string, request: Request): AsyncGenerator<string> {
    const told = (this.#told.get(path) ?? []).filter(({ type }) => type !== 'BOOKMARK');
    const known = told.slice(0, Math.max(0, told.length - behind));
    const objects = new Map<string, AnyObject>();
    for (const { type, object } of known) {
      const key = `${object.metadata.namespace}/${object.metadata.name}`;
      if (type === 'DELETED') objects.delete(key);
      else objects.set(key, object);
    }
    for (const object of objects.values()) yield JSON.stringify({ type: 'ADDED', object });
    yield JSON.stringify({ type: 'BOOKMARK', object: bookmark(newest(known)) });
    await sleep(this.#clock, lagMs, request.signal);
    for (const event of told.slice(known.length)) yield JSON.stringify(event);
    const from = request.path
      .replace('&sendInitialEvents=true', '')
      .replace('&resourceVersionMatch=NotOlderThan', '')
      .concat(`&resourceVersion=${newest(told)}`);
    const response = await this.#transport.request({ ...request, path: from });
    yield* this.#follow(path, response.body);
  }
}

/** What is watched: a path, and the selectors that choose from it. */
function watched({ path }: Request): string {
  const { pathname, searchParams } = new URL(path, 'http://server');
  return [pathname, searchParams.get('labelSelector'), searchParams.get('fieldSelector')].join(' ');
}

const gone = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', reason: 'Expired', code: 410 };

function bookmark(resourceVersion: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Bookmark',
    metadata: { resourceVersion, annotations: { 'k8s.io/initial-events-end': 'true' } },
  };
}

function newest(told: readonly Told[]): string {
  return String(Math.max(1, ...told.map(({ object }) => Number(object.metadata.resourceVersion))));
}

function line(event: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(event)}\n`);
}
