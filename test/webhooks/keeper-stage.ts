import { X509Certificate } from 'node:crypto';
import { realRandom } from '../../src/clock/random.ts';
import { VirtualClock } from '../../src/clock/virtual.ts';
import type { Certificate } from '../../src/control/certificates/certificate-files.ts';
import type { Log } from '../../src/control/log.ts';
import { keepCertificates } from '../../src/control/webhooks/certificates/keep.ts';
import { type Lifetimes, usualLifetimes } from '../../src/control/webhooks/certificates/lifetimes.ts';
import { createEmbedded, type Embedded } from '../../src/embedded/embedded.ts';
import { Client } from '../../src/kube/client.ts';
import { KubeError } from '../../src/kube/error.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { Resource } from '../../src/kube/resource.ts';
import type { Request, Response, Transport } from '../../src/kube/transport.ts';
import { configurations } from './configurations.ts';

export const place = { namespace: 'default', service: 'hooks' };
export const secretName = { namespace: 'default', name: 'hooks-certificates' };
/** Between two looks of `lastBefore`. */
export const lookMs = 10_000;
export const hour = 3600_000;
export const day = 24 * hour;

/** What happens to a request whose sender dies before the answer. */
export function noAnswer({ signal }: Request): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new KubeError('aborted', 'the sender is gone')), { once: true });
  });
}

/** Does something else with a request, or sends it. */
export type Disturb = (request: Request, send: () => Promise<Response>) => Promise<Response>;

/** A replica that keeps certificates. */
export interface Replica {
  /** What it shows, the newest last. */
  readonly shown: Certificate[];
  readonly log: string[];
  /** Every write that it sent: `PUT /api/…`. */
  readonly writes: string[];
  readonly ends: { certificate?: number; authority?: number };
  /** Ends it at once, as a crash does; what it had under way goes nowhere. */
  stop(): Promise<void>;
}

/** A cluster with webhook configurations, under a clock that stands still unless it is moved. */
export class KeeperStage {
  readonly clock: VirtualClock;
  readonly #cluster: Embedded;
  readonly client: Client;
  readonly #replicas: Replica[] = [];

  private constructor(cluster: Embedded, clock: VirtualClock) {
    this.#cluster = cluster;
    this.clock = clock;
    this.client = new Client(cluster.transport());
  }

  static async open(): Promise<KeeperStage> {
    const clock = new VirtualClock(Date.UTC(2030, 0, 1));
    const stage = new KeeperStage(await createEmbedded({ clock, random: realRandom }), clock);
    for (const object of configurations(place)) await stage.configurations(object.kind).create(object);
    return stage;
  }

  configurations(kind: string): Resource<AnyObject> {
    const { validatingWebhookConfigurations: validating, mutatingWebhookConfigurations: mutating } = kinds;
    return this.client.resource(kind === validating.kind ? validating : mutating);
  }

  replica(options: { disturb?: Disturb; lifetimes?: Lifetimes; observeOnly?: boolean; skewMs?: number } = {}): Replica {
    const { disturb = (_, send) => send(), lifetimes = usualLifetimes, observeOnly = false, skewMs = 0 } = options;
    const stop = new AbortController();
    const [shown, writes, lines]: [Certificate[], string[], string[]] = [[], [], []];
    const ends: Replica['ends'] = {};
    const transport = this.#cluster.transport();
    const wrapped: Transport = {
      ...transport,
      close: () => transport.close(),
      connect: (request, protocols) => transport.connect(request, protocols),
      request: (request) => {
        if (request.method !== 'GET') writes.push(`${request.method} ${request.path.split('?', 1)[0]}`);
        return disturb(request, () => transport.request(request));
      },
    };
    const clock = this.clock;
    const kept = keepCertificates({
      ...place,
      configuration: place.service,
      client: new Client(wrapped, { clock }),
      clock: {
        now: () => clock.now() + skewMs,
        monotonic: () => clock.monotonic(),
        after: (ms, f) => clock.after(ms, f),
      },
      random: realRandom,
      log: logTo(lines),
      lifetimes,
      observeOnly,
      signal: stop.signal,
      serve: (certificate) => void shown.push(certificate),
      onEnds: (told) => Object.assign(ends, told),
    });
    const replica: Replica = {
      shown,
      writes,
      log: lines,
      ends,
      async stop() {
        stop.abort();
        await kept;
      },
    };
    this.#replicas.push(replica);
    return replica;
  }

  /**
   * Moves time on until it holds: in small steps at first, then in larger ones, for what failed is tried again later and later.
   * Keys are made by other threads, which no virtual clock waits for.
   */
  async until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
    for (let tries = 0; tries < 2000; tries++) {
      if (await holds()) return;
      await this.clock.advance(tries < 500 ? 20 : 500);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    throw this.#never(what);
  }

  /** Looks again and again until it holds; says when it was last seen not to, in monotonic time. */
  async lastBefore(what: string, holds: () => Promise<boolean>): Promise<number> {
    let last = this.clock.monotonic();
    for (let tries = 0; tries < 1000; tries++) {
      if (await holds()) return last;
      last = this.clock.monotonic();
      await this.clock.advance(lookMs);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    throw this.#never(what);
  }

  #never(what: string): Error {
    return new Error(`it never came to be: ${what}; log: ${this.#replicas.flatMap(({ log }) => log).join('; ')}`);
  }

  /**
   * Lets time pass, and what it brings happen. Of a long time only the last minutes are lived through: what was to be done is
   * seen at the next look.
   */
  async pass(ms: number): Promise<void> {
    const lived = Math.min(ms, 11 * 60_000);
    this.clock.jump(ms - lived);
    await this.clock.advance(lived);
    for (let turn = 0; turn < 20; turn++) {
      await this.clock.advance(1);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  /** Whether a replica writes nothing for two hours on end, within a day. Keys that are made meanwhile may take their time. */
  async comesToRest({ writes }: Replica): Promise<boolean> {
    for (let passed = 0, quiet = 0; passed < 24; passed++) {
      const before = writes.length;
      await this.pass(hour);
      quiet = writes.length === before ? quiet + 1 : 0;
      if (quiet === 2) return true;
    }
    return false;
  }

  async secret(): Promise<AnyObject | undefined> {
    const { items } = await this.client.resource(kinds.secrets).list({ namespace: place.namespace });
    return items.find(({ metadata }) => metadata.name === secretName.name);
  }

  /** What the Secret holds under a name. */
  async stored(entry: string): Promise<string> {
    const data = (await this.secret())?.data as Readonly<Record<string, string>> | undefined;
    return Buffer.from(data?.[entry] ?? '', 'base64').toString();
  }

  /** What every entry of both configurations trusts. */
  async bundles(): Promise<readonly string[]> {
    const lists = await Promise.all(
      [kinds.validatingWebhookConfigurations, kinds.mutatingWebhookConfigurations].map((type) =>
        this.client.resource(type).list(),
      ),
    );
    const all = lists.flatMap(({ items }) => items).flatMap(({ webhooks }) => webhooks as Entry[]);
    return all.map(({ clientConfig }) => Buffer.from(clientConfig.caBundle ?? '', 'base64').toString());
  }

  /** Whether both configurations trust what each of these replicas shows, and all of them show what is stored. */
  async isSound(...replicas: readonly Replica[]): Promise<boolean> {
    const [leaf, bundles] = [await this.stored('tls.crt'), await this.bundles()];
    const shown = replicas.map((replica) => replica.shown.at(-1)?.cert);
    return leaf !== '' && shown.every((one) => one === leaf) && bundles.every((bundle) => trusts(bundle, leaf));
  }

  async close(): Promise<void> {
    for (const replica of this.#replicas) await replica.stop();
    await this.#cluster.close();
  }
}

interface Entry {
  readonly clientConfig: { readonly caBundle?: string };
}

/** The certificates in a text. */
export function certificatesIn(text: string): readonly X509Certificate[] {
  return (text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? []).map(
    (one) => new X509Certificate(one),
  );
}

export function trusts(bundle: string, leaf: string): boolean {
  const certificate = new X509Certificate(leaf);
  return certificatesIn(bundle).some((authority) => certificate.verify(authority.publicKey));
}

function logTo(lines: string[]): Log {
  const say = (fields: Readonly<Record<string, unknown>>, message: string): void => {
    const { error } = fields as { readonly error?: Error };
    lines.push(error ? `${message}: ${error.message}` : message);
  };
  const log: Log = { debug: () => {}, info: say, warn: say, error: say, child: () => log };
  return log;
}
