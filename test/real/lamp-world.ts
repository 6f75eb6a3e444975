import { runCommand } from '../../rig/command.ts';
import type { ControlPlane } from '../../rig/control-plane.ts';
import { realRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import type { Fields, Log } from '../../src/control/log.ts';
import { classify } from '../../src/control/metered.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { type OperatorEnd, type OperatorOptions, runOperator } from '../../src/control/operator.ts';
import { sealer } from '../../src/control/sealed.ts';
import { Client } from '../../src/kube/client.ts';
import { KubeError } from '../../src/kube/error.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { fixedIdentity } from '../../src/kube/identity.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { Factory } from '../toy/factory.ts';
import { type LampOptions, lampController } from '../toy/lamp-controller.ts';
import { type Lamp, lamp } from '../toy/resource.ts';
import { definition } from '../toy/stage.ts';
import { untilEstablished } from './until-established.ts';

/** One request of an operator, in RBAC's words, with the status of its answer: `update lamps.toy.cutover.dev/status 200`. */
type Sent = string;

/** An operator in this process. Disposing of it stops it in good order. */
export interface RunningOperator extends AsyncDisposable {
  readonly sent: Sent[];
  /** What it said. */
  readonly lines: { readonly message: string; readonly fields: Fields }[];
  readonly ended: Promise<OperatorEnd>;
  /** Nothing it sends from now on arrives, and nothing is answered. */
  cut(): void;
  stop(): Promise<OperatorEnd>;
}

/** How an operator differs from the usual one. */
export interface Cast {
  readonly options?: Partial<OperatorOptions>;
  readonly lamps?: Partial<LampOptions>;
}

/** A real API server with the definition of lamps, one factory for all of them, operators, and a person. */
export class LampWorld {
  readonly factory = new Factory();
  readonly person: Client;
  readonly #plane: ControlPlane;

  private constructor(plane: ControlPlane) {
    this.#plane = plane;
    this.person = new Client(this.#connect(), { userAgent: 'person' });
  }

  static async open(plane: ControlPlane): Promise<LampWorld> {
    const world = new LampWorld(plane);
    await world.kubectl(['apply', '-f', '-'], JSON.stringify(definition()));
    await untilEstablished((args) => world.kubectl([...args]), ['crd/lamps.toy.cutover.dev']);
    return world;
  }

  start(cast: Cast = {}): RunningOperator {
    const stop = new AbortController();
    const sent: Sent[] = [];
    const lines: RunningOperator['lines'] = [];
    let isCut = false;
    const client = new Client(recorded(this.#connect(), sent, () => isCut));
    const { factory } = this;
    const ended = runOperator({
      client,
      clock: realClock,
      random: realRandom,
      log: keeping(lines),
      metrics: createMetrics({ process: false }),
      signal: stop.signal,
      instance: 'lamps',
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
    }).finally(() => client.close());
    const end = (): Promise<OperatorEnd> => {
      stop.abort();
      return ended;
    };
    return {
      sent,
      lines,
      ended,
      cut() {
        isCut = true;
      },
      stop: end,
      async [Symbol.asyncDispose]() {
        await end();
      },
    };
  }

  async createLamp(name: string, spec: Partial<Lamp['spec']> = {}, metadata: object = {}): Promise<Lamp> {
    return this.lamps().create({
      apiVersion: lamp.apiVersion,
      kind: 'Lamp',
      metadata: { name, namespace: 'default', ...metadata },
      spec: { image: 'bulb:1', replicas: 2, ...spec },
    } as Lamp);
  }

  async edit(name: string, body: object): Promise<void> {
    await this.lamps().patch({ namespace: 'default', name }, { type: 'merge', body });
  }

  lamp(name: string): Promise<Lamp> {
    return this.lamps().get({ namespace: 'default', name });
  }

  /** The phase and the conditions that are true, of the spec as it is now: `Shining Ready`. */
  async standing(name: string): Promise<string> {
    const { metadata, status } = await this.lamp(name);
    const { phase = '', conditions = [], observedGeneration } = status ?? {};
    const words = [phase, ...conditions.filter((one) => one.status === 'True').map(({ type }) => type)];
    return phase && observedGeneration !== metadata.generation ? `outdated ${words.join(' ')}` : words.join(' ').trim();
  }

  /** The pods of a lamp that are not on their way out, by name. */
  async bulbs(name: string): Promise<readonly AnyObject[]> {
    const { items } = await this.person.resource(kinds.pods).list({ namespace: 'default' });
    return items
      .filter(({ metadata }) => !metadata.deletionTimestamp && metadata.ownerReferences?.[0]?.name === name)
      .sort((a, b) => (a.metadata.name ?? '').localeCompare(b.metadata.name ?? ''));
  }

  lamps() {
    return this.person.resource<Lamp>(lamp.type);
  }

  kubectl(args: readonly string[], input = ''): Promise<string> {
    const { binaries, kubeconfig } = this.#plane;
    return runCommand(`${binaries}/kubectl`, ['--kubeconfig', kubeconfig, ...args], { input });
  }

  #connect(): Transport {
    const { url, pki } = this.#plane;
    const { certPem: cert, keyPem: key } = pki.credentials('admin');
    return httpTransport({
      server: url,
      tls: { ca: pki.caPem },
      identity: fixedIdentity({ certificate: { cert, key } }),
    });
  }
}

/** A transport that writes down what goes through it, until it is cut. */
function recorded(transport: Transport, sent: Sent[], isCut: () => boolean): Transport {
  return {
    async request(request) {
      if (isCut()) return forever(request.signal);
      const { verb, resource } = classify(request);
      const index = sent.push(`${verb} ${resource}`) - 1;
      const response = await transport.request(request);
      sent[index] += ` ${response.status}`;
      return response;
    },
    connect: (request, protocols) => transport.connect(request, protocols),
    close: () => transport.close(),
  };
}

/** Nothing comes back, until nobody waits any more. */
function forever(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(new KubeError('aborted', 'nobody waits any more'));
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { once: true });
  });
}

function keeping(lines: RunningOperator['lines'], fields: Fields = {}): Log {
  const write = (more: Fields, message: string): void => void lines.push({ message, fields: { ...fields, ...more } });
  return {
    debug: write,
    info: write,
    warn: write,
    error: write,
    child: (more) => keeping(lines, { ...fields, ...more }),
  };
}
