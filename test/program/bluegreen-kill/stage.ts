import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../../src/clock/random.ts';
import { realClock } from '../../../src/clock/real.ts';
import { createEmbedded, type Embedded } from '../../../src/embedded/embedded.ts';
import { FlinkWorld } from '../../../src/embedded/programs/flink/flink-world.ts';
import type { Run } from '../../../src/embedded/programs/flink/run.ts';
import { definitions } from '../../../src/flink/family.ts';
import type { Color } from '../../../src/flink/resources/blue-green-transition.ts';
import {
  type FlinkBlueGreenDeployment,
  type FlinkBlueGreenDeploymentStatus,
  flinkBlueGreenDeployment,
} from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import { type FlinkDeployment, flinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from '../../../src/flink/resources/flink-state-snapshot.ts';
import { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import { grantFlink } from '../../flink/grant-flink.ts';
import { namespace } from '../../flink/manifests.ts';
import { bundle } from '../bundle.ts';
import { savepointDirectory } from './manifest.ts';

const lookEveryMs = 20;

/**
 * A Kubernetes with simulated Flink in this process, open for an operator in another one, and a person. Time is the
 * machine's: processes that are killed know no other.
 */
export class Stage implements AsyncDisposable {
  readonly flink: FlinkWorld;
  /** What the cluster calls its own fault. There must be none. */
  readonly troubles: readonly string[];
  /** The program, bundled: it starts several times as fast as from its source, and it is what users run. */
  readonly program: string;
  readonly #embedded: Embedded;
  readonly #person: Client;
  readonly #home: string;
  /** What became of each resource, a line per change. */
  readonly #journals = new Map<string, string[]>();

  private constructor(open: Opened) {
    this.flink = open.flink;
    this.troubles = open.troubles;
    this.#embedded = open.embedded;
    this.#home = open.home;
    this.program = open.program;
    this.#person = new Client(open.embedded.transport(), { userAgent: 'person' });
    open.embedded.world.watch<FlinkBlueGreenDeployment>(flinkBlueGreenDeployment.type, ({ after }) => {
      if (after) this.#note(after);
    });
  }

  static async open(seed: number): Promise<Stage> {
    const flink = new FlinkWorld();
    const troubles: string[] = [];
    const embedded = await createEmbedded({
      clock: realClock,
      random: seededRandom(seed),
      nodes: { count: 1, cpu: '640', memory: '2560Gi', flink },
      trouble: (what, error) => void troubles.push(`${what}: ${(error as Error)?.stack ?? error}`),
    });
    const home = mkdtempSync(join(tmpdir(), 'cutover-kill-'));
    const { kubeconfig } = await embedded.listen({ port: 0 });
    const program = await bundle(join(home, 'program'));
    const stage = new Stage({ flink, troubles, embedded, home, program });
    writeFileSync(stage.kubeconfig, kubeconfig, { mode: 0o600 });
    for (const definition of definitions()) {
      await stage.#person.resource(kinds.customResourceDefinitions).create(definition);
    }
    await grantFlink(stage.#person);
    return stage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#person.close();
    await this.#embedded.close();
    rmSync(this.#home, { recursive: true, force: true });
  }

  /** The file by which an operator comes in. */
  get kubeconfig(): string {
    return join(this.#home, 'kubeconfig');
  }

  /** Calls in the moment in which something is stored that operators write; its answer has not been sent yet. */
  onWrite(listener: () => void): () => void {
    const types = [flinkBlueGreenDeployment.type, flinkDeployment.type, flinkStateSnapshot.type, kinds.ingresses];
    const stops = types.map((type) => this.#embedded.world.watch(type, listener));
    return () => {
      for (const stop of stops) stop();
    };
  }

  async apply(object: FlinkBlueGreenDeployment): Promise<void> {
    await this.#person.resource<FlinkBlueGreenDeployment>(flinkBlueGreenDeployment.type).create(object);
  }

  /** A merge patch of the spec. */
  async edit(name: string, spec: object): Promise<void> {
    const body = { spec };
    await this.#person.resource(flinkBlueGreenDeployment.type).patch({ namespace, name }, { type: 'merge', body });
  }

  resource(name: string): FlinkBlueGreenDeployment {
    const type = flinkBlueGreenDeployment.type;
    const found = this.#embedded.world.get<FlinkBlueGreenDeployment>(type, namespace, name);
    if (!found) throw new Error(`there is no ${name}`);
    return found;
  }

  status(name: string): FlinkBlueGreenDeploymentStatus {
    return this.resource(name).status ?? {};
  }

  all(): readonly FlinkBlueGreenDeployment[] {
    return this.#embedded.world.list<FlinkBlueGreenDeployment>(flinkBlueGreenDeployment.type);
  }

  side(name: string, color: Color): FlinkDeployment | undefined {
    return this.#embedded.world.get<FlinkDeployment>(flinkDeployment.type, namespace, sideName(name, color));
  }

  /** The Services that the Ingress of a resource leads to. */
  backends(name: string): readonly string[] {
    const ingress = this.#embedded.world.get(kinds.ingresses, namespace, name);
    const { rules = [] } = (ingress?.spec ?? {}) as IngressSpec;
    return rules.flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend.service?.name ?? ''));
  }

  /** What ran on a side, in every life that the side had, oldest first. */
  runs(name: string, color: Color): readonly Run[] {
    return this.flink.runs({ cluster: `${namespace}/${sideName(name, color)}` });
  }

  /** Savepoints in the store, as Flink names them. */
  savepoints(name: string): readonly string[] {
    return this.flink.storage.list(savepointDirectory(name)).map((path) => path.replace(/\/_metadata$/, ''));
  }

  /** What stands for the savepoints of a resource. */
  snapshots(name: string): readonly FlinkStateSnapshot[] {
    const those = this.#embedded.world.list<FlinkStateSnapshot>(flinkStateSnapshot.type);
    return those.filter(({ metadata }) => metadata.labels?.['cutover.dev/blue-green'] === name);
  }

  /** Looks until it is so. In vain it says what there is instead. */
  async until(name: string, what: string, holds: () => boolean, limitMs: number): Promise<void> {
    const end = performance.now() + limitMs;
    while (!holds()) {
      if (performance.now() > end)
        throw new Error(`${name}: ${limitMs / 1000} s passed and never ${what}\n${this.tell(name)}`);
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  }

  #note({ metadata: { name = '', generation }, status }: FlinkBlueGreenDeployment): void {
    const { observedGeneration, blueGreenState, transition, serving, aborted } = status ?? {};
    const at = new Date(realClock.now()).toISOString();
    const moving = transition ? `${transition.phase} ${transition.cause} → ${transition.to}` : 'at rest';
    const journal = this.#journals.get(name) ?? [];
    const spoken = `${observedGeneration} of ${generation} ${blueGreenState} ${moving}, ${serving?.color} serves`;
    journal.push(`${at} ${spoken}${aborted ? ', aborted' : ''}`);
    this.#journals.set(name, journal.slice(-60));
  }

  /** All there is to know about a resource. */
  tell(name: string): string {
    const { metadata, status } = this.resource(name);
    const sides = (['BLUE', 'GREEN'] as const).map((color) => {
      const side = this.side(name, color);
      const { lifecycleState, jobStatus, error } = side?.status ?? {};
      return side && { color, deletion: side.metadata.deletionTimestamp, lifecycleState, job: jobStatus?.state, error };
    });
    const runs = this.flink.runs().filter(({ origin }) => origin.cluster.startsWith(`${namespace}/${name}-`));
    const told = runs.map(({ origin, from, to, end }) => `${origin.cluster} ${from}…${to} ${end ?? 'lives'}`);
    const snapshots = this.snapshots(name).map(({ metadata: { name: of }, status: is }) => ({ of, ...is }));
    const seen = { generation: metadata.generation, status, sides, backends: this.backends(name), told, snapshots };
    return `${this.#journals.get(name)?.join('\n')}\n${JSON.stringify(seen)}`;
  }
}

interface Opened {
  readonly flink: FlinkWorld;
  readonly troubles: readonly string[];
  readonly embedded: Embedded;
  readonly home: string;
  readonly program: string;
}

interface IngressSpec {
  readonly rules?: readonly {
    readonly http?: {
      readonly paths: readonly { readonly backend: { readonly service?: { readonly name: string } } }[];
    };
  }[];
}

export function sideName(name: string, color: Color): string {
  return `${name}-${color.toLowerCase()}`;
}
