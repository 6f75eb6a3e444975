import { realClock } from '../../../src/clock/real.ts';
import type { Color } from '../../../src/flink/resources/blue-green-transition.ts';
import {
  type FlinkBlueGreenDeployment,
  flinkBlueGreenDeployment,
} from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import { type FlinkDeployment, flinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from '../../../src/flink/resources/flink-state-snapshot.ts';
import { Client } from '../../../src/kube/client.ts';
import { KubeError } from '../../../src/kube/error.ts';
import { httpTransport } from '../../../src/kube/http-transport.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import { findAccess } from '../../../src/kube/kubeconfig/find-access.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { FlinkWorld } from '../flink/world.ts';
import { type Life, livesOf } from './lives.ts';
import { backendOf, TrafficProbe } from './traffic-probe.ts';

/** The world of the Flink suites, seen by a person who looks after one FlinkBlueGreenDeployment. */
export class BlueGreenWorld implements AsyncDisposable {
  readonly flink: FlinkWorld;
  readonly probe: TrafficProbe;
  readonly name: string;
  readonly client: Client;
  /** The states that the resource was in, as a watch tells them, none of them twice in a row. */
  readonly states: string[] = [];
  /** How often the status of the resource was written. */
  statusWrites = 0;
  readonly #stop = new AbortController();

  private constructor(flink: FlinkWorld, client: Client, name: string) {
    this.flink = flink;
    this.client = client;
    this.name = name;
    this.probe = new TrafficProbe(client, this.#object(name));
    void this.#watch();
  }

  static async open(namespace: string, name: string): Promise<BlueGreenWorld> {
    const flink = await FlinkWorld.open(namespace);
    const kubeconfig = process.env.CUTOVER_KUBECONFIG ?? '';
    const access = await findAccess({ kubeconfig, env: {}, clock: realClock });
    return new BlueGreenWorld(flink, new Client(httpTransport({ ...access, clock: realClock })), name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.probe.stop();
    await this.client.close();
    await this.flink[Symbol.asyncDispose]();
  }

  // What a person does.

  /** A merge patch: of `spec.template.spec.job`, and of what else of the spec is given. */
  async edit(job: object, more: { readonly configuration?: object; readonly template?: object } = {}): Promise<void> {
    const { configuration, template } = more;
    const spec = { ...(configuration && { configuration }), template: { spec: { ...template, job } } };
    const resource = this.client.resource(flinkBlueGreenDeployment.type);
    await resource.patch(this.#object(this.name), { type: 'merge', body: { spec } });
  }

  /** Takes a savepoint of a FlinkDeployment, and returns where it lies. */
  async savepointOf(name: string): Promise<string> {
    const snapshots = this.client.resource<FlinkStateSnapshot>(flinkStateSnapshot.type);
    const metadata = { name: `${name}-by-hand`, namespace: this.flink.namespace };
    const savepoint = { disposeOnDelete: false };
    const spec = { jobReference: { kind: 'FlinkDeployment', name } as const, savepoint };
    await snapshots.create({ ...wire(flinkStateSnapshot), metadata, spec });
    const { status } = await this.flink.until(
      `${metadata.name} is complete`,
      () => snapshots.get(metadata),
      (snapshot) => snapshot.status?.state === 'COMPLETED',
    );
    return status?.path ?? '';
  }

  // What there is.

  read(): Promise<FlinkBlueGreenDeployment> {
    const resource = this.client.resource<FlinkBlueGreenDeployment>(flinkBlueGreenDeployment.type);
    return resource.get(this.#object(this.name));
  }

  side(color: Color): Promise<FlinkDeployment | undefined> {
    const sides = this.client.resource<FlinkDeployment>(flinkDeployment.type);
    return orNothing(sides.get(this.#object(`${this.name}-${color.toLowerCase()}`)));
  }

  ingress(): Promise<AnyObject | undefined> {
    return orNothing(this.client.resource<AnyObject>(kinds.ingresses).get(this.#object(this.name)));
  }

  /** The Service that the Ingress leads to. */
  async backend(): Promise<string | undefined> {
    const ingress = await this.ingress();
    return ingress && backendOf(ingress).name;
  }

  /** Every job that ever counted for the resource, in the order in which they began. */
  get lives(): readonly Life[] {
    return livesOf(this.flink.volume, this.name);
  }

  /** Savepoints that were taken for the resource's transitions. */
  async snapshots(): Promise<readonly FlinkStateSnapshot[]> {
    const labels = { 'cutover.dev/blue-green': this.name };
    return (await this.flink.list(flinkStateSnapshot.type, labels)) as unknown as readonly FlinkStateSnapshot[];
  }

  // Waiting.

  /** Until the resource says something. */
  until(what: string, met: (resource: FlinkBlueGreenDeployment) => boolean): Promise<FlinkBlueGreenDeployment> {
    return this.flink.until(`${this.name} is ${what}`, () => this.read(), met);
  }

  /** Until this side serves the newest spec, nothing is under way, the other side is gone, and the job has counted on. */
  async untilActive(color: Color, lives: number): Promise<FlinkBlueGreenDeployment> {
    const resource = await this.until(`ACTIVE_${color}`, ({ metadata, status }) => {
      const isCurrent = status?.observedGeneration === metadata.generation && status?.transition === undefined;
      return isCurrent && status?.blueGreenState === `ACTIVE_${color}`;
    });
    await this.untilGone(color === 'BLUE' ? 'GREEN' : 'BLUE');
    await this.untilCounts(lives);
    return resource;
  }

  async untilGone(color: Color): Promise<void> {
    await this.flink.until(
      `${color} is gone`,
      () => this.side(color),
      (side) => side === undefined,
    );
  }

  /** Until the nth job of the resource has counted for a while. */
  async untilCounts(life: number): Promise<void> {
    await this.flink.until(
      `the job counts in life ${life}`,
      () => this.lives,
      (lives) => (lives[life - 1]?.last.value ?? 0) - (lives[life - 1]?.first.value ?? 0) >= 50,
    );
  }

  /** A watch that ended begins anew where the one before it was. */
  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    const resource = this.client.resource<FlinkBlueGreenDeployment>(flinkBlueGreenDeployment.type);
    let from: { resourceVersion?: string } = {};
    let generation: number | undefined;
    while (!signal.aborted) {
      try {
        for await (const { type, object } of resource.watch({ namespace: this.flink.namespace, ...from, signal })) {
          const { resourceVersion } = object.metadata;
          if (resourceVersion !== undefined) from = { resourceVersion };
          if (type === 'MODIFIED' && object.metadata.generation === generation) this.statusWrites += 1;
          if (type !== 'BOOKMARK') generation = object.metadata.generation;
          const state = type === 'BOOKMARK' ? undefined : object.status?.blueGreenState;
          if (state !== undefined && state !== this.states.at(-1)) this.states.push(state);
        }
      } catch {
        // The resource may not be known to the server yet, or the world has ended.
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    }
  }

  #object(name: string): { readonly namespace: string; readonly name: string } {
    return { namespace: this.flink.namespace, name };
  }
}

function wire({ apiVersion, type }: { readonly apiVersion: string; readonly type: { readonly kind: string } }) {
  return { apiVersion, kind: type.kind };
}

async function orNothing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof KubeError && error.kind === 'not-found') return undefined;
    throw error;
  }
}
