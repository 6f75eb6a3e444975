import type { Clock } from '../clock/clock.ts';
import { Breath } from './breath.ts';
import { Bucket, type Rate } from './bucket.ts';
import { FairLine } from './fair.ts';
import { Heap, type HeapItem } from './heap.ts';
import { type Lane, lanes, urgent } from './lanes.ts';
import { Leisure } from './leisure.ts';

export interface QueueOptions {
  readonly clock: Clock;
  /** The first wait after a failure; it doubles with every further one. Default 5 ms. */
  readonly firstBackoffMs?: number;
  /** The longest wait. A key is never given up: it is tried this slowly for ever. Default 5 minutes. */
  readonly longestBackoffMs?: number;
  /** All keys' retries together, so that a server that fails for everybody is not asked by everybody. Default 10/s, burst 100. */
  readonly retryRate?: Rate;
  /** At most so many keys of a look at everything are leased at once, so that workers are left for what is urgent. Default: any number. */
  readonly mostResyncs?: number;
  /** The pace of a look at everything. One for all queues of a process, for it is the process's time that is left free. Default: one of its own. */
  readonly leisure?: Leisure;
  /** Keys of one group wait for each other; groups are served in turn. Default: the part before the first slash, the namespace. */
  readonly groupOf?: (key: string) => string;
}

/** Where and when a key should be served. */
export interface Place {
  /** Default `change`. */
  readonly lane?: Lane;
  /** Milliseconds from now. Default 0. */
  readonly after?: number;
}

/** The right to work on a key. Nobody else gets that key until `done` is called. */
export interface Lease {
  readonly key: string;
  readonly lane: Lane;
  /** Consecutive failures before this try. */
  readonly failures: number;
  /** How long the key stood in line after it was due. */
  readonly waitedMs: number;
  /** Gives the key back; calling it twice is harmless. If the key was added meanwhile, it is in line again. */
  done(): void;
}

interface Entry extends HeapItem {
  readonly key: string;
  readonly group: string;
  lane: Lane;
  /** Monotonic instant from which the key may be served. */
  due: number;
  /** Ties among equally due keys go to the one that came first. */
  order: number;
  /**
   * - `waiting`: in the heap until it is due.
   * - `ready`: in its lane's line.
   * - `leased`: a worker has it; nobody asked for it since.
   * - `again`: a worker has it, and it was added meanwhile with this lane and due time.
   */
  state: 'waiting' | 'ready' | 'leased' | 'again';
}

/**
 * So long may keys be given in a row, by the lane of the next, before the rest of the process has its turn.
 *
 * A look at everything begins one key per turn of the event loop. While answers are waited for, turns are short, and all workers
 * get some; when the processor is what there is too little of, few are under way at once, and an edit between them is handled
 * in few and short turns, not behind a step of every worker.
 */
const mostInARowMs: Readonly<Record<Lane, number>> = { edit: 5, change: 5, resync: 0 };

/**
 * The line of keys that need work. It holds names, never events: a key added a hundred times is served once, and
 * whoever serves it looks at the world as it is then.
 *
 * Guarantees: a key is in line at most once; it is leased to at most one worker; a key added while leased comes back
 * after the lease. Adding a key that is in line merges: the earlier due time and the more urgent lane win. Urgent lanes
 * first, then groups in turn, then first come first served. Whoever takes many keys in a row lets the rest of the process
 * have its turn in between, and a look at everything takes half of the process's time at most.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #first: number;
  readonly #longest: number;
  readonly #bucket: Bucket;
  readonly #breath: Breath;
  readonly #leisure: Leisure;
  readonly #groupOf: (key: string) => string;
  readonly #mostResyncs: number;
  readonly #entries = new Map<string, Entry>();
  readonly #failures = new Map<string, number>();
  readonly #waiting = new Heap<Entry>((a, b) => a.due < b.due || (a.due === b.due && a.order < b.order));
  readonly #ready: Readonly<Record<Lane, FairLine<Entry>>> = {
    edit: new FairLine(),
    change: new FairLine(),
    resync: new FairLine(),
  };
  readonly #takers = new Set<(lease: Lease | undefined) => void>();
  #order = 0;
  #timer: { readonly due: number; readonly cancel: () => void } | undefined;
  #closed = false;
  /** Leased keys of a look at everything. */
  #resyncs = 0;
  /** Whether keys are given on when the rest of the process had its turn. */
  #breathes = false;
  /** Calls off that a look at everything goes on when the process had time to spare. */
  #goOn: (() => void) | undefined;
  /** Whether the next key of a look at everything has its turn now. */
  #hasTurn = false;

  constructor(options: QueueOptions) {
    this.#clock = options.clock;
    this.#first = options.firstBackoffMs ?? 5;
    this.#longest = options.longestBackoffMs ?? 5 * 60_000;
    this.#bucket = new Bucket(options.clock, options.retryRate ?? { perSecond: 10, burst: 100 });
    this.#breath = new Breath(options.clock);
    this.#leisure = options.leisure ?? new Leisure(options.clock);
    this.#groupOf = options.groupOf ?? namespaceOf;
    this.#mostResyncs = options.mostResyncs ?? Number.POSITIVE_INFINITY;
  }

  /** Keys that could be served now, per lane. */
  depth(lane: Lane): number {
    return this.#ready[lane].size;
  }

  /** Keys that wait for their time. */
  get delayed(): number {
    return this.#waiting.size;
  }

  add(key: string, place: Place = {}): void {
    if (this.#closed) return;
    const lane = place.lane ?? 'change';
    const due = this.#clock.monotonic() + Math.max(0, place.after ?? 0);
    const entry = this.#entries.get(key);
    if (!entry) {
      const group = this.#groupOf(key);
      const fresh: Entry = { key, group, lane, due, order: this.#order++, state: 'leased', slot: -1 };
      this.#entries.set(key, fresh);
      this.#enter(fresh);
      return;
    }
    switch (entry.state) {
      case 'leased':
        entry.state = 'again';
        entry.lane = lane;
        entry.due = due;
        return;
      case 'again':
        entry.lane = urgent(entry.lane, lane);
        entry.due = Math.min(entry.due, due);
        return;
      case 'waiting':
        entry.lane = urgent(entry.lane, lane);
        if (due >= entry.due) return;
        this.#waiting.remove(entry);
        entry.due = due;
        this.#enter(entry);
        return;
      case 'ready':
        if (urgent(entry.lane, lane) === entry.lane) return;
        this.#ready[entry.lane].remove(entry.group, entry);
        entry.lane = lane;
        this.#ready[lane].push(entry.group, entry);
        this.#serve();
        return;
    }
  }

  /**
   * Adds a key whose work failed, after a wait that doubles with every consecutive failure. `atLeastMs` is what the
   * server asked for. Returns the wait. A later `add` may bring the key forward: news is a reason to try again. What was
   * added while the key was leased does not, unless it is an edit: it may be the echo of what the work itself wrote. Whoever
   * has written nothing says `silent`: then that is news, too.
   */
  retry(
    key: string,
    place: { readonly lane?: Lane; readonly atLeastMs?: number; readonly silent?: boolean } = {},
  ): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    // 2 ** 1024 is Infinity, and the minimum of that and anything is right.
    const backoff = Math.min(this.#longest, this.#first * 2 ** failures);
    const wait = Math.max(backoff, this.#bucket.reserve(), place.atLeastMs ?? 0);
    const entry = this.#entries.get(key);
    if (entry?.state === 'again' && entry.lane !== 'edit' && !place.silent) entry.state = 'leased';
    this.add(key, { lane: place.lane ?? 'change', after: wait });
    return wait;
  }

  /** The key's work succeeded, or the key is gone: its next failure counts as the first. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** The next key. Resolves to `undefined` when the queue closes or the signal aborts. */
  take(signal?: AbortSignal): Promise<Lease | undefined> {
    if (this.#closed || signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const taker = (given: Lease | undefined): void => {
        this.#takers.delete(taker);
        signal?.removeEventListener('abort', leave);
        resolve(given);
      };
      const leave = (): void => taker(undefined);
      this.#takers.add(taker);
      signal?.addEventListener('abort', leave, { once: true });
      this.#serve();
    });
  }

  /** Ends every `take`, now and later. Leases in hand stay valid; what is in line is dropped. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#goOn?.();
    for (const taker of [...this.#takers]) taker(undefined);
  }

  #enter(entry: Entry): void {
    if (entry.due > this.#clock.monotonic()) {
      entry.state = 'waiting';
      this.#waiting.push(entry);
      this.#arm();
      return;
    }
    entry.state = 'ready';
    this.#ready[entry.lane].push(entry.group, entry);
    this.#serve();
  }

  /** Gives ready keys to whoever waits for one, until the rest of the process must have its turn. */
  #serve(): void {
    for (const taker of [...this.#takers]) {
      const lane = lanes.find((one) => this.#ready[one].size > 0);
      if (!lane || (lane === 'resync' && this.#resyncs >= this.#mostResyncs)) return;
      const breath = this.#breath.due(mostInARowMs[lane]);
      if (breath) {
        this.#serveAfter(breath);
        return;
      }
      if (lane === 'resync' && !this.#atLeisure()) return;
      const entry = this.#ready[lane].shift();
      if (entry) taker(this.#lease(entry));
    }
  }

  /** Whether the next key of a look at everything may be given now; if not, keys are given on when it may. */
  #atLeisure(): boolean {
    if (this.#hasTurn) {
      this.#hasTurn = false;
      return true;
    }
    if (this.#goOn) return false;
    if (this.#leisure.begin()) return true;
    this.#goOn = this.#leisure.wait(() => {
      this.#goOn = undefined;
      this.#hasTurn = true;
      this.#serve();
      this.#hasTurn = false;
    });
    return false;
  }

  #serveAfter(breath: Promise<void>): void {
    if (this.#breathes) return;
    this.#breathes = true;
    void breath.then(() => {
      this.#breathes = false;
      this.#serve();
    });
  }

  #lease(entry: Entry): Lease {
    entry.state = 'leased';
    const { lane } = entry;
    if (lane === 'resync') this.#resyncs += 1;
    let held = true;
    return {
      key: entry.key,
      lane,
      failures: this.#failures.get(entry.key) ?? 0,
      waitedMs: this.#clock.monotonic() - entry.due,
      done: () => {
        if (!held) return;
        held = false;
        this.#release(entry);
        if (lane !== 'resync') return;
        this.#resyncs -= 1;
        this.#serve();
      },
    };
  }

  #release(entry: Entry): void {
    if (entry.state === 'again' && !this.#closed) {
      entry.order = this.#order++;
      this.#enter(entry);
    } else {
      this.#entries.delete(entry.key);
    }
  }

  /** One timer for the earliest key that waits. */
  #arm(): void {
    const next = this.#waiting.peek();
    if (!next || this.#timer?.due === next.due) return;
    this.#timer?.cancel();
    const cancel = this.#clock.after(next.due - this.#clock.monotonic(), () => {
      this.#timer = undefined;
      this.#ripen();
    });
    this.#timer = { due: next.due, cancel };
  }

  #ripen(): void {
    const now = this.#clock.monotonic();
    for (let next = this.#waiting.peek(); next && next.due <= now; next = this.#waiting.peek()) {
      this.#waiting.remove(next);
      next.state = 'ready';
      this.#ready[next.lane].push(next.group, next);
    }
    this.#arm();
    this.#serve();
  }
}

/** `team-a/web` → `team-a`; keys without a slash (cluster-scoped objects) are one group. */
function namespaceOf(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? '' : key.slice(0, slash);
}
