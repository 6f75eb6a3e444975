import type { Log } from '../../control/log.ts';
import { believedMs } from '../access/access.ts';
import type { Desk } from '../api/desk.ts';
import { type PersonalPage, pageFor, pageJson } from '../api/page.ts';
import type { Entry, FleetChange } from '../fleet/fleet.ts';
import type { Snapshots } from '../fleet/snapshots.ts';
import type { Outlet } from '../http/asked.ts';
import { Refusal } from '../http/refusal.ts';
import type { Session } from '../login/session.ts';
import { frame } from './frame.ts';

export interface StreamOptions {
  readonly desk: Desk;
  readonly snapshots: Snapshots;
  readonly session: Session;
  readonly outlet: Outlet;
  /** The workload whose page is wanted as well. */
  readonly watch?: string;
  readonly log: Log;
}

/** Browsers come back after so long when the stream breaks off. */
const retryMs = 2_000;
/** Whoever is so many changes behind gets the whole fleet anew. */
const mostBehind = 256;

/**
 * Tells one browser how the fleet is, and then what changes. What a slow reader has not taken is not queued but remembered as
 * "changed": they get the newest state once they read on, or the whole fleet when it was too much. So a stream never holds
 * more than one message of each kind.
 */
export class Stream {
  readonly #options: StreamOptions;
  /** What changed and was not told yet; of what is gone, how it was. */
  readonly #behind = new Map<string, Entry>();
  readonly #stops: (() => void)[] = [];
  #snapshotDue = true;
  /** What the person may see, as it was last asked, and when. */
  #key = '';
  #keyAt = 0;
  #pageDue: boolean;
  #page: PersonalPage | 'missing' | undefined;
  #telling = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#pageDue = options.watch !== undefined;
  }

  begin(): void {
    const { desk, outlet, session, watch } = this.#options;
    outlet.write(`retry: ${retryMs}\n\n`);
    this.#stops.push(desk.fleet.onChange((change) => this.#changed(change)));
    if (watch !== undefined) {
      this.#stops.push(
        desk.pages.watch(watch, () => {
          this.#pageDue = true;
          void this.#tell();
        }),
      );
    }
    const over = (): void => outlet.end();
    session.open++;
    session.ended.addEventListener('abort', over, { once: true });
    outlet.closed.addEventListener(
      'abort',
      () => {
        session.open--;
        session.ended.removeEventListener('abort', over);
        for (const stop of this.#stops) stop();
      },
      { once: true },
    );
    outlet.onDrain(() => void this.#tell());
    void this.#tell();
  }

  /** Shows that the stream is alive, to the browser and to all in between. False: nothing was taken since the last time. */
  beat(): boolean {
    const { outlet } = this.#options;
    if (outlet.full) return false;
    outlet.write(':\n\n');
    return true;
  }

  #changed({ entry }: FleetChange): void {
    if (this.#snapshotDue) return;
    this.#behind.set(entry.id, entry);
    if (this.#behind.size > mostBehind) this.#again();
    void this.#tell();
  }

  #again(): void {
    this.#snapshotDue = true;
    this.#behind.clear();
  }

  /** Tells all that is due, as far as it is taken. Does not wait for anything as long as it knows what the person may see. */
  async #tell(): Promise<void> {
    if (this.#telling) return;
    this.#telling = true;
    const { outlet, log } = this.#options;
    try {
      while (!outlet.closed.aborted && !outlet.full) {
        if (this.#snapshotDue) await this.#tellFleet();
        else if (this.#behind.size > 0) await this.#tellChanges();
        else if (this.#pageDue) await this.#tellPage();
        else break;
      }
    } catch (error) {
      if (!(error instanceof Refusal)) log.error({ error }, 'a bug: a stream of the dashboard failed');
      // The browser comes back, and hears why if it still cannot be.
      outlet.end();
    } finally {
      this.#telling = false;
    }
  }

  async #tellFleet(): Promise<void> {
    const { snapshots, session, outlet, desk } = this.#options;
    const { key, message } = await snapshots.for(session.access);
    this.#key = key;
    this.#keyAt = desk.clock.monotonic();
    this.#snapshotDue = false;
    this.#behind.clear();
    outlet.write(message);
  }

  async #tellChanges(): Promise<void> {
    const { desk, session, outlet } = this.#options;
    if (desk.clock.monotonic() - this.#keyAt >= believedMs && (await this.#seesOtherwise())) return;
    for (const [id, { workload, namespace }] of this.#behind) {
      if (outlet.full) return;
      const question = { verb: 'list', type: workload.type, namespace } as const;
      const known = session.access.known(question);
      const allowed = known ?? (await session.access.may(question));
      this.#behind.delete(id);
      if (!allowed) continue;
      // It may have changed while it was asked.
      const now = desk.fleet.get(id);
      outlet.write(now ? now.changed : frame('gone', JSON.stringify({ id })));
    }
  }

  /** Whether the person was given or lost rights: then they get the fleet anew, with all that they see now and no more. */
  async #seesOtherwise(): Promise<boolean> {
    const { snapshots, session, desk } = this.#options;
    const { key } = await snapshots.for(session.access);
    this.#keyAt = desk.clock.monotonic();
    if (key === this.#key) return false;
    this.#again();
    return true;
  }

  async #tellPage(): Promise<void> {
    const { desk, session, outlet, watch = '' } = this.#options;
    this.#pageDue = false;
    const page = await pageFor(desk, session, watch).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 404) return 'missing' as const;
      throw error;
    });
    const last = this.#page;
    this.#page = page;
    if (page === 'missing') {
      if (last !== 'missing') outlet.write(frame('missing', JSON.stringify({ id: watch })));
      return;
    }
    if (typeof last === 'object' && last.drawn === page.drawn && last.offers === page.offers) return;
    outlet.write(frame('page', pageJson(page)));
  }
}
