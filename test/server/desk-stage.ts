import { expect } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import type { VirtualClock } from '../../src/clock/virtual.ts';
import { Caches } from '../../src/control/caches.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import type { Embedded } from '../../src/embedded/embedded.ts';
import { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { Access } from '../../src/server/access/access.ts';
import type { Desk } from '../../src/server/api/desk.ts';
import { Turns } from '../../src/server/api/turns.ts';
import { Fleet } from '../../src/server/fleet/fleet.ts';
import { Pages } from '../../src/server/fleet/pages.ts';
import { openShelves } from '../../src/server/fleet/shelves.ts';
import { Snapshots } from '../../src/server/fleet/snapshots.ts';
import type { Outlet } from '../../src/server/http/asked.ts';
import { Session } from '../../src/server/login/session.ts';
import type { Who } from '../../src/server/login/who.ts';
import { Streams } from '../../src/server/stream/streams.ts';
import { bugLog } from '../stage/bug-log.ts';
import { openCluster } from '../stage/open-cluster.ts';
import { boatDefinition, boats, toys } from './boat.ts';

/** What is behind the dashboard's door, without sockets and on a clock that stands still. */
export class DeskStage implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly embedded: Embedded;
  readonly person: Client;
  readonly desk: Desk;
  readonly streams: Streams;
  readonly #snapshots: Snapshots;
  readonly #bugs: string[] = [];
  readonly #stop = new AbortController();

  private constructor(clock: VirtualClock, embedded: Embedded) {
    this.clock = clock;
    this.embedded = embedded;
    this.person = new Client(embedded.transport(), { clock });
    const log = bugLog(this.#bugs, () => true);
    const random = seededRandom(1);
    const metrics = createMetrics({ process: false });
    const caches = new Caches({ client: this.person, clock, random, log, metrics, freeze: true });
    const shelves = openShelves(caches, toys.workloads);
    const fleet = new Fleet({ families: [toys], shelves, log });
    const pages = new Pages({ fleet, shelves, clock, log });
    this.streams = new Streams(clock, () => pages.refresh());
    const turns = new Turns(clock);
    this.desk = { fleet, pages, clock, random, log, turns, readOnly: false, program: 'cutover' };
    this.#snapshots = new Snapshots(fleet);
    fleet.onChange(({ entry }) => pages.changed(entry.id));
    for (const shelf of [...shelves.all, ...shelves.events]) {
      void shelf.begin(this.#stop.signal, (key, namespace) => {
        fleet.touched(shelf, key);
        pages.touched(shelf, key, namespace);
      });
    }
    caches.start(this.#stop.signal);
  }

  static async open(): Promise<DeskStage> {
    const { clock, embedded } = await openCluster({ seed: 1, nodes: { count: 0 } });
    const first = new Client(embedded.transport(), { clock });
    await first.resource<KubeObject>(kinds.customResourceDefinitions).create(boatDefinition);
    return new DeskStage(clock, embedded);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.streams.close();
    this.desk.pages.close();
    this.#stop.abort();
    await this.embedded.close();
    expect(this.#bugs).toEqual([]);
  }

  /** Lets time pass, and everything that is said in that time be heard. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    for (let at = 0; at < 5; at++) await this.clock.advance(0);
  }

  launch(boat: KubeObject): Promise<KubeObject> {
    return this.person.resource<KubeObject>(boats).create(boat);
  }

  async change(name: string, body: object): Promise<void> {
    await this.person.resource(boats).patch({ namespace: 'default', name }, { type: 'merge', body });
  }

  async tell(name: string, note: string): Promise<void> {
    const body = { status: { note } };
    await this.person.resource(boats).status.patch({ namespace: 'default', name }, { type: 'merge', body });
  }

  /** Somebody's browser, by default the administrator's. */
  watch(watch?: string, who: Who = { name: 'root', groups: ['system:masters'] }): Reader {
    const reader = new Reader();
    const { clock, person: client, desk } = this;
    const access = new Access({ client, clock, who, vouch: async () => undefined });
    const session = new Session({ who, csrf: '', expiresAt: Number.POSITIVE_INFINITY, access, connect: () => client });
    const { log } = desk;
    this.streams.add({
      desk,
      snapshots: this.#snapshots,
      session,
      outlet: reader,
      log,
      ...(watch !== undefined && { watch }),
    });
    return reader;
  }
}

/** Whoever reads a stream, as fast or slow as a test wants. */
export class Reader implements Outlet {
  readonly chunks: string[] = [];
  full = false;
  readonly #closed = new AbortController();
  #drained: () => void = () => undefined;

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  write(chunk: string | Uint8Array): void {
    expect(this.full).toBe(false);
    this.chunks.push(Buffer.from(chunk).toString());
  }

  onDrain(callback: () => void): void {
    this.#drained = callback;
  }

  end(): void {
    this.#closed.abort();
  }

  cut(): void {
    this.#closed.abort();
  }

  /** Reads on. */
  drain(): void {
    this.full = false;
    this.#drained();
  }

  /** What was said, by the names of events, since it was last asked. */
  heard(): readonly string[] {
    return this.chunks.splice(0).map((chunk) => /^event: (\w+)/.exec(chunk)?.[1] ?? chunk.trim());
  }
}
