import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Random, seededRandom } from '../../src/clock/random.ts';
import { VirtualClock } from '../../src/clock/virtual.ts';
import type { Log } from '../../src/control/log.ts';
import { silent } from '../../src/control/log.ts';
import { createMetrics, type Metrics } from '../../src/control/metrics.ts';
import { type OperatorEnd, type OperatorOptions, runOperator } from '../../src/control/operator.ts';
import { sealer } from '../../src/control/sealed.ts';
import { createEmbedded } from '../../src/embedded/embedded.ts';
import { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { Request, Transport } from '../../src/kube/transport.ts';
import { Factory } from './factory.ts';
import { type LampOptions, lampController } from './lamp-controller.ts';
import { type Lamp, lamp } from './resource.ts';
import { SmallApi } from './small-api.ts';

/** A running operator. */
export interface Running {
  /** Asks it to end, and runs the clock until it has. */
  stop(): Promise<OperatorEnd>;
  readonly ended: Promise<OperatorEnd>;
  readonly metrics: Metrics;
}

/** How an operator on the stage differs from the usual one. */
export interface Cast {
  readonly options?: Partial<OperatorOptions>;
  readonly lamps?: Partial<LampOptions>;
  readonly log?: Log;
  /** Put between the operator and the API. */
  readonly wire?: (transport: Transport) => Transport;
}

/** An API, a factory, a person and a clock that stands still: all that operators need to be tried out. */
export class Stage {
  readonly clock: VirtualClock;
  readonly factory = new Factory();
  /** What a person does. */
  readonly person: Client;
  /** What operators sent: `PUT /apis/…`. */
  readonly requests: string[] = [];
  readonly #connect: () => Transport;
  readonly #random: Random;

  private constructor(clock: VirtualClock, connect: () => Transport, seed: number) {
    this.clock = clock;
    this.#connect = connect;
    this.#random = seededRandom(seed);
    this.person = new Client(connect(), { clock, userAgent: 'person' });
  }

  /** Over the few rules of a small API. */
  static async small(seed = 1): Promise<Stage> {
    const clock = new VirtualClock();
    const api = new SmallApi(clock);
    return new Stage(clock, () => api.transport(), seed);
  }

  /** Over the embedded server, with the definition of lamps installed. */
  static async embedded(seed = 1): Promise<Stage> {
    const clock = new VirtualClock();
    const server = await createEmbedded({ clock, random: seededRandom(seed + 1) });
    const stage = new Stage(clock, () => server.transport(), seed);
    await stage.person.resource(kinds.customResourceDefinitions).create(definition());
    await clock.advance(100);
    return stage;
  }

  /** Starts an operator; `crash` its transport to kill it, or stop it in good order. */
  start(cast: Cast = {}): Running {
    const { clock, factory } = this;
    const stop = new AbortController();
    const metrics = createMetrics({ process: false });
    const wire = cast.wire ?? ((transport: Transport) => transport);
    const client = new Client(wire(this.#recorded(this.#connect())), { clock });
    const ended = runOperator({
      client,
      clock,
      random: this.#random,
      log: cast.log ?? silent,
      metrics,
      signal: stop.signal,
      instance: 'operator-0',
      freeze: true,
      controllers: {
        lamp: (caches) =>
          lampController(caches, {
            ports: factory.ports(),
            look: async (uid) => factory.look(uid),
            seal: sealer(),
            ...cast.lamps,
          }),
      },
      ...cast.options,
    });
    return {
      ended,
      metrics,
      stop: async () => {
        stop.abort();
        let end: OperatorEnd | undefined;
        ended.then((how) => {
          end = how;
        });
        await this.clock.runUntil(() => end !== undefined, 60_000);
        return end as OperatorEnd;
      },
    };
  }

  async createLamp(name: string, spec: Partial<Lamp['spec']> = {}, metadata: object = {}): Promise<Lamp> {
    const created = await this.#lamps().create({
      apiVersion: lamp.apiVersion,
      kind: 'Lamp',
      metadata: { name, namespace: 'default', ...metadata },
      spec: { image: 'bulb:1', replicas: 2, ...spec },
    } as Lamp);
    return created;
  }

  async edit(name: string, body: object): Promise<void> {
    await this.#lamps().patch({ namespace: 'default', name }, { type: 'merge', body });
  }

  async deleteLamp(name: string): Promise<void> {
    await this.#lamps().delete({ namespace: 'default', name });
  }

  async lamp(name: string): Promise<Lamp | undefined> {
    return (await this.#lamps().list({ namespace: 'default' })).items.find((item) => item.metadata.name === name);
  }

  async bulbs(): Promise<readonly AnyObject[]> {
    const { items } = await this.person.resource(kinds.pods).list({ namespace: 'default' });
    return [...items].sort((a, b) => (a.metadata.name ?? '').localeCompare(b.metadata.name ?? ''));
  }

  /** What operators wrote, without the leader lease and events. */
  writes(): readonly string[] {
    return this.requests.filter((request) => !/^GET|\/leases\/|\/events/.test(request));
  }

  #lamps() {
    return this.person.resource<Lamp>(lamp.type);
  }

  #recorded(transport: Transport): Transport {
    return {
      ...transport,
      request: (request: Request) => {
        this.requests.push(`${request.method} ${request.path.replace(/[?&](fieldManager|force)=\w+/g, '')}`);
        return transport.request(request);
      },
    };
  }
}

/** The generated definition of lamps. */
export function definition(): AnyObject {
  return parse(readFileSync(new URL('crd.yaml', import.meta.url), 'utf8')) as AnyObject;
}
