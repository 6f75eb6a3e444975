import type { Clock } from '../../clock/clock.ts';
import type { Log } from '../../control/log.ts';
import { kinds } from '../../kube/kinds.ts';
import { qualifiedName } from '../../kube/resource-type.ts';
import { eventLines } from '../../portrait/event-lines.ts';
import type { Portrait } from '../../portrait/portrait.ts';
import type { Around } from '../../portrait/workload.ts';
import type { Sight } from '../access/sight.ts';
import { noSuchWorkload, Refusal } from '../http/refusal.ts';
import { aroundWith } from './around-with.ts';
import type { Entry, Fleet } from './fleet.ts';
import type { Shelf } from './shelf.ts';
import type { Shelves } from './shelves.ts';

/** What everybody with the same sight sees of a workload. The same object for as long as nothing of it changes. */
export interface Drawn {
  readonly portrait: Portrait;
  /** The two members of a page that are the same for all, serialised: `"portrait":…,"events":…`. */
  readonly json: string;
}

export interface PagesOptions {
  readonly fleet: Fleet;
  readonly shelves: Shelves;
  readonly clock: Clock;
  readonly log: Log;
}

/** A workload that somebody looks at. */
interface Room {
  readonly id: string;
  readonly listeners: Set<() => void>;
  /** By the key of sights. */
  drawn: Map<string, Drawn>;
  before: ReadonlyMap<string, Drawn>;
  toldAt: number;
  cancel: (() => void) | undefined;
}

/** A page that is looked at is drawn so often at most. */
const everyMs = 100;
/** Drawing takes at most one part in so many of the time, however many are looked at. */
const share = 4;
const mostEvents = 100;

/**
 * Draws the pages that people look at, and no others: once for all who see the same, and not more often than somebody could
 * read. Whatever happens beside a workload in its namespace may show on its page.
 */
export class Pages {
  readonly #options: PagesOptions;
  readonly #rooms = new Map<string, Room>();
  /** Nothing is drawn before: it has had its share of time. */
  #restUntil = 0;

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  /** Calls whenever the page of a workload may have changed, or the workload came or went. Returns the way to stop. */
  watch(id: string, listener: () => void): () => void {
    const room = this.#rooms.get(id) ?? {
      id,
      listeners: new Set(),
      drawn: new Map(),
      before: new Map(),
      toldAt: Number.NEGATIVE_INFINITY,
      cancel: undefined,
    };
    this.#rooms.set(id, room);
    const own = (): void => listener();
    room.listeners.add(own);
    return () => {
      room.listeners.delete(own);
      if (room.listeners.size > 0) return;
      room.cancel?.();
      this.#rooms.delete(id);
    };
  }

  /** To be called for every change of an object of any shelf. */
  touched(shelf: Shelf, key: string, namespace: string): void {
    for (const room of this.#rooms.values()) {
      const entry = this.#options.fleet.get(room.id);
      if (entry && entry.namespace === namespace && concerns(entry, shelf, key)) this.#stale(room);
    }
  }

  /** To be called when a workload came, changed or went. */
  changed(id: string): void {
    const room = this.#rooms.get(id);
    if (room) this.#stale(room);
  }

  /** To be called now and then: pages tell how long things take. */
  refresh(): void {
    for (const room of this.#rooms.values()) this.#stale(room);
  }

  /** What somebody with this sight sees of a workload, now. @throws Refusal 404, 500 */
  draw(entry: Entry, sight: Sight): Drawn {
    const room = this.#rooms.get(entry.id);
    const ready = room?.drawn.get(sight.key);
    if (ready) return ready;
    const { clock } = this.#options;
    const begun = clock.monotonic();
    const fresh = this.#portray(entry, sight);
    const ended = clock.monotonic();
    this.#restUntil = Math.max(this.#restUntil, begun) + (ended - begun) * share;
    const before = room?.before.get(sight.key);
    const drawn = before?.json === fresh.json ? before : fresh;
    room?.drawn.set(sight.key, drawn);
    return drawn;
  }

  around({ namespace }: Entry, sight: Sight): Around {
    return aroundWith(this.#options.shelves, sight, namespace, this.#options.clock.now());
  }

  close(): void {
    for (const room of this.#rooms.values()) room.cancel?.();
    this.#rooms.clear();
  }

  #portray(entry: Entry, sight: Sight): Drawn {
    const { fleet, shelves, log } = this.#options;
    const object = fleet.objectOf(entry);
    if (!object) throw noSuchWorkload();
    try {
      const portrait = entry.workload.portray(object, this.around(entry, sight));
      const seen = sight.reach(kinds.events) === 'nowhere' ? [] : shelves.events;
      const all = new Map(
        seen.flatMap((shelf) => shelf.in(entry.namespace) ?? []).map((one) => [one.metadata.uid, one]),
      );
      const events = eventLines([...all.values()], { portrait, limit: mostEvents });
      return { portrait, json: `"portrait":${JSON.stringify(portrait)},"events":${JSON.stringify(events)}` };
    } catch (error) {
      log.error({ error, id: entry.id }, 'a bug: a workload could not be portrayed');
      throw new Refusal(500, 'The page of this workload could not be drawn. The log of the operator says why.');
    }
  }

  #stale(room: Room): void {
    if (room.cancel) return;
    const { clock } = this.#options;
    const due = Math.max(room.toldAt + everyMs, this.#restUntil) - clock.monotonic();
    room.cancel = clock.after(Math.max(0, due), () => {
      room.cancel = undefined;
      if (clock.monotonic() < this.#restUntil) return this.#stale(room);
      room.toldAt = clock.monotonic();
      room.before = room.drawn;
      room.drawn = new Map();
      for (const listener of room.listeners) listener();
    });
  }
}

function concerns({ workload, summary: { subject } }: Entry, shelf: Shelf, key: string): boolean {
  const name = qualifiedName(shelf.type);
  if (name === qualifiedName(workload.type) && key === `${subject.namespace}/${subject.name}`) return true;
  return name === qualifiedName(kinds.events) || workload.beside.some((type) => qualifiedName(type) === name);
}
