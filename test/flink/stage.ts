import { expect } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import type { OperatorOptions } from '../../src/control/operator.ts';
import { type Audit, audit } from '../../src/embedded/programs/flink/audit.ts';
import { seen } from '../../src/embedded/programs/flink/counting.ts';
import type { Failures } from '../../src/embedded/programs/flink/failures.ts';
import { FlinkWorld } from '../../src/embedded/programs/flink/flink-world.ts';
import type { Run } from '../../src/embedded/programs/flink/run.ts';
import { defaultOperatorConfig } from '../../src/flink/config/default-operator-config.ts';
import { flinkControllers } from '../../src/flink/controllers.ts';
import { definitions } from '../../src/flink/family.ts';
import { proxiedWire } from '../../src/flink/ports/proxied-wire.ts';
import {
  type FlinkBlueGreenDeployment,
  flinkBlueGreenDeployment,
} from '../../src/flink/resources/flink-blue-green-deployment.ts';
import { type FlinkDeployment, flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { type FlinkSessionJob, flinkSessionJob } from '../../src/flink/resources/flink-session-job.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from '../../src/flink/resources/flink-state-snapshot.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { Request, Transport } from '../../src/kube/transport.ts';
import { ClusterStage } from '../stage/cluster-stage.ts';
import { type Cluster, openCluster } from '../stage/open-cluster.ts';
import type { OperatorProcess } from '../stage/operator-process.ts';
import { grantFlink } from './grant-flink.ts';
import { namespace } from './manifests.ts';

/** A resource that runs a job. */
export type JobResource = FlinkDeployment | FlinkSessionJob;
type Status = NonNullable<FlinkDeployment['status']>;
type Kind = 'FlinkDeployment' | 'FlinkSessionJob' | 'FlinkStateSnapshot' | 'FlinkBlueGreenDeployment';

const types: Readonly<Record<Kind, ResourceType>> = {
  FlinkDeployment: flinkDeployment.type,
  FlinkSessionJob: flinkSessionJob.type,
  FlinkStateSnapshot: flinkStateSnapshot.type,
  FlinkBlueGreenDeployment: flinkBlueGreenDeployment.type,
};

/** How the stage differs from the usual one. */
export interface StageOptions {
  /** The kinds' definitions; another form of them may let through what ours refuse. */
  readonly definitions?: (ours: readonly AnyObject[]) => readonly AnyObject[];
  /** Keys of the operator's own configuration, on top of the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where another operator may have its lease. */
  readonly otherOperator?: string;
  readonly nodes?: { readonly count?: number; readonly cpu?: string; readonly memory?: string };
}

/** A running operator. */
export type Running = OperatorProcess;

/** An embedded cluster with Flink in it, and the operator. */
export class FlinkStage extends ClusterStage {
  readonly flink: FlinkWorld;
  /** What operators asked of Flink: `GET orders /jobs/overview`. */
  readonly asked: string[] = [];
  readonly #settings: Readonly<Record<string, string>>;
  readonly #otherOperator: string | undefined;

  private constructor(cluster: Cluster, flink: FlinkWorld, options: StageOptions) {
    super(cluster, { patienceMs: 10 * 60_000 });
    this.flink = flink;
    this.#settings = options.settings ?? {};
    this.#otherOperator = options.otherOperator;
  }

  static async open(options: StageOptions = {}): Promise<FlinkStage> {
    const flink = new FlinkWorld();
    const nodes = { count: 1, cpu: '64', memory: '256Gi', ...options.nodes, flink };
    const stage = new FlinkStage(await openCluster({ seed: 2, nodes }), flink, options);
    const installed = options.definitions ?? ((ours: readonly AnyObject[]) => ours);
    for (const definition of installed(definitions())) await stage.apply(definition);
    await grantFlink(stage.person);
    await stage.clock.advance(100);
    return stage;
  }

  /** Starts an operator: the same pod each time. */
  start(options: Partial<OperatorOptions> = {}): Running {
    const defaults = defaultOperatorConfig();
    const operator = { ...defaults, settings: { ...defaults.settings, ...this.#settings } };
    return this.operate({
      transport: this.#overheard(this.embedded.transport()),
      random: seededRandom(3),
      instance: 'operator-0',
      controllers: ({ client, clock, random }) =>
        flinkControllers({
          client,
          wire: proxiedWire({ client, clock }),
          operator: () => operator,
          clock,
          random,
          namespace: 'operators',
          ...(this.#otherOperator !== undefined && { otherOperator: this.#otherOperator }),
          env: {},
        }),
      options,
    });
  }

  // What a person does.

  /** A merge patch of the spec. */
  async edit(name: string, spec: object, kind: Kind = 'FlinkDeployment'): Promise<void> {
    await this.person.resource(types[kind]).patch({ namespace, name }, { type: 'merge', body: { spec } });
  }

  /** A merge patch of `spec.job`. */
  async editJob(name: string, job: object, kind: Kind = 'FlinkDeployment'): Promise<void> {
    await this.edit(name, { job }, kind);
  }

  async remove(name: string, kind: Kind = 'FlinkDeployment'): Promise<void> {
    await this.person.resource(types[kind]).delete({ namespace, name });
  }

  /** Asks a cluster's REST service, behind the operator's back. */
  async rest(name: string, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<unknown> {
    const sent = { method, port: 8081, path, ...(body && { body: JSON.stringify(body) }) };
    const target = { namespace, name: `${name}-rest` };
    const headers = { 'content-type': 'application/json' };
    const response = await this.person.resource(kinds.services).proxy(target, { ...sent, headers });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (response.status >= 300) expect.fail(`${method} ${path} of ${name}: ${response.status} ${text}`);
    return JSON.parse(text || 'null');
  }

  /** The JobManager's pod goes without a word. */
  async killJobManager(name: string): Promise<void> {
    for (const pod of this.pods(name, 'jobmanager')) await this.removeObject(kinds.pods, pod.metadata.name ?? '', 0);
  }

  async removeObject(type: ResourceType, name: string, gracePeriodSeconds?: number): Promise<void> {
    const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
    await this.person.resource(type).delete({ namespace, name }, grace);
  }

  /** Something goes wrong in a cluster from now on; nothing does any more when it is empty. */
  fail(name: string, failures: Failures): void {
    this.flink.fail(`${namespace}/${name}`, failures);
  }

  // What there is.

  find<T extends KubeObject = AnyObject>(type: ResourceType, name: string): T | undefined {
    return this.embedded.world.get<T>(type, namespace, name);
  }

  resource(name: string, kind: Kind = 'FlinkDeployment'): JobResource | undefined {
    return this.find<JobResource>(types[kind], name);
  }

  status(name: string, kind: Kind = 'FlinkDeployment'): Status {
    return (this.resource(name, kind)?.status ?? {}) as Status;
  }

  condition(name: string, type: string, kind: Kind = 'FlinkDeployment') {
    return this.status(name, kind).conditions?.find((condition) => condition.type === type);
  }

  snapshots(): readonly FlinkStateSnapshot[] {
    return this.embedded.world.list<FlinkStateSnapshot>(flinkStateSnapshot.type);
  }

  pods(app: string, component?: 'jobmanager' | 'taskmanager'): readonly AnyObject[] {
    return this.embedded.world
      .list(kinds.pods, { namespace })
      .filter(({ metadata: { labels } }) => labels?.app === app && (!component || labels.component === component));
  }

  /** The names of the ConfigMaps in which a cluster keeps what it recovers from. */
  haConfigMaps(app: string): readonly string[] {
    return this.embedded.world
      .list(kinds.configMaps, { namespace })
      .filter(({ metadata: { labels } }) => labels?.app === app && labels['configmap-type'] === 'high-availability')
      .map(({ metadata }) => metadata.name ?? '');
  }

  runs(cluster: string): readonly Run[] {
    return this.flink.runs({ cluster: `${namespace}/${cluster}` });
  }

  lastRun(cluster: string): Run {
    return this.runs(cluster).at(-1) ?? expect.fail(`nothing ever ran in ${cluster}`);
  }

  /** What became of the records, and whether each key was counted as often as the source has shown it. */
  counted(cluster: string, runs = this.runs(cluster)): Audit {
    for (const { state, origin } of runs) {
      const counts = Array.from({ length: origin.keys }, (_, key) => seen(state.offset, key, origin.keys));
      if (state.offset > 0) expect(state.counts, `the counts of ${origin.jobId}`).toEqual(counts);
    }
    return audit(runs);
  }

  /** Savepoints in the store below the savepoint directory of a cluster. */
  savepoints(cluster: string): readonly string[] {
    return this.flink.storage.list(`s3://bucket/${cluster}/sp/`).map((path) => path.replace(/\/_metadata$/, ''));
  }

  blueGreen(name: string): FlinkBlueGreenDeployment | undefined {
    return this.find<FlinkBlueGreenDeployment>(flinkBlueGreenDeployment.type, name);
  }

  /** The notes of the events of a reason about an object. */
  async events(name: string, reason: string): Promise<readonly string[]> {
    // Events are told aside; give them the time.
    await this.clock.advance(5_000);
    return this.embedded.world
      .list(kinds.events, { namespace })
      .filter((event) => event.reason === reason && (event.regarding as { name?: string })?.name === name)
      .map((event) => String(event.note));
  }

  // Waiting.

  /** Until the resource is as specified: nothing is under way, and its job counts or its cluster is ready. */
  async stable(name: string, kind: Kind = 'FlinkDeployment', ms?: number): Promise<void> {
    const isStable = (): boolean => {
      const resource = this.resource(name, kind);
      const { observedGeneration, lifecycleState, transition, jobStatus } = this.status(name, kind);
      const counts = this.flink.runs().some(({ isLive, origin }) => isLive && origin.jobId === jobStatus?.jobId);
      const current = observedGeneration === (resource?.metadata.generation ?? Number.NaN);
      return lifecycleState === 'STABLE' && !transition && current && (counts || !resource?.spec.job);
    };
    await this.until(`${kind} ${name} is stable`, isStable, ms);
  }

  async lifecycle(name: string, state: string, kind: Kind = 'FlinkDeployment', ms?: number): Promise<void> {
    await this.until(`${name} is ${state}`, () => this.status(name, kind).lifecycleState === state, ms);
  }

  async jobState(name: string, state: string, kind: Kind = 'FlinkDeployment', ms?: number): Promise<void> {
    await this.until(`the job of ${name} is ${state}`, () => this.status(name, kind).jobStatus?.state === state, ms);
  }

  async phase(name: string, phase: string, kind: Kind = 'FlinkDeployment'): Promise<void> {
    await this.until(`${name} is ${phase}`, () => this.status(name, kind).transition?.phase === phase);
  }

  /** Acts in the very moment in which a status is stored that holds: before anybody else has seen it. */
  async atOnceWhen(name: string, holds: (status: Status) => boolean, act: () => Promise<void>): Promise<void> {
    let acting: Promise<void> | undefined;
    const stop = this.embedded.world.watch<JobResource>(types.FlinkDeployment, ({ after }) => {
      if (!acting && after?.metadata.name === name && holds((after.status ?? {}) as Status)) acting = act();
    });
    await this.until(`a status of ${name} to act on`, () => acting !== undefined);
    stop();
    await acting;
  }

  async gone(name: string, kind: Kind = 'FlinkDeployment', ms?: number): Promise<void> {
    await this.until(`${name} is gone`, () => this.resource(name, kind) === undefined, ms);
  }

  /** Applies, starts counting, and gives it a while. */
  async running(object: JobResource, ms = 35_000): Promise<string> {
    const name = object.metadata.name ?? '';
    await this.apply(object);
    await this.stable(name, object.kind as Kind);
    await this.clock.advance(ms);
    return name;
  }

  #overheard(transport: Transport): Transport {
    return {
      ...transport,
      request: (request: Request) => {
        const { method, path } = request;
        const [, cluster, rest] = /\/services\/(?:https?:)?([^/]+)-rest(?::[^/]*)?\/proxy(\/.*)$/.exec(path) ?? [];
        if (cluster) this.asked.push(`${method} ${cluster} ${rest}`);
        return transport.request(request);
      },
    };
  }
}
