import { expect } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import { VirtualClock } from '../../src/clock/virtual.ts';
import type { Log } from '../../src/control/log.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { type OperatorEnd, type OperatorOptions, runOperator } from '../../src/control/operator.ts';
import { openPki, type Pki } from '../../src/embedded/auth/pki.ts';
import { createEmbedded, type Embedded } from '../../src/embedded/embedded.ts';
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
import { Client } from '../../src/kube/client.ts';
import { KubeError } from '../../src/kube/error.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { Request, Transport } from '../../src/kube/transport.ts';
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
  readonly nodes?: { readonly count?: number; readonly cpu?: string; readonly memory?: string };
}

/** A running operator. */
export interface Running {
  /** What this operator asked of the API server, as `FlinkStage.writes`. */
  readonly writes: readonly string[];
  /** Asks it to end, and runs the clock until it has. */
  stop(): Promise<OperatorEnd>;
  /** It dies this moment: what it has asked for may have been done, but it learns of nothing any more. */
  kill(): void;
}

/**
 * An embedded cluster with Flink in it, the operator, a person and a clock that stands still. `expect` is part of it:
 * what never comes true says what was there instead.
 */
export class FlinkStage implements AsyncDisposable {
  static #pki: Promise<Pki> | undefined;
  readonly clock: VirtualClock;
  readonly flink: FlinkWorld;
  readonly embedded: Embedded;
  /** What a person does. */
  readonly person: Client;
  /** What operators asked of the API server, `PUT /apis/…`; leases, events and reads left out. */
  readonly writes: string[] = [];
  /** What operators asked of Flink: `GET orders /jobs/overview`. */
  readonly asked: string[] = [];
  /** What the operator itself calls a bug. There must be none. */
  readonly bugs: string[] = [];
  readonly #settings: Readonly<Record<string, string>>;

  private constructor(clock: VirtualClock, flink: FlinkWorld, embedded: Embedded, options: StageOptions) {
    this.clock = clock;
    this.flink = flink;
    this.embedded = embedded;
    this.#settings = options.settings ?? {};
    this.person = new Client(embedded.transport(), { clock, userAgent: 'person' });
  }

  static async open(options: StageOptions = {}): Promise<FlinkStage> {
    const clock = new VirtualClock();
    FlinkStage.#pki ??= openPki({ clock });
    const flink = new FlinkWorld();
    const embedded = await createEmbedded({
      clock,
      random: seededRandom(2),
      pki: await FlinkStage.#pki,
      nodes: { count: 1, cpu: '64', memory: '256Gi', ...options.nodes, flink },
    });
    const stage = new FlinkStage(clock, flink, embedded, options);
    const installed = options.definitions ?? ((ours: readonly AnyObject[]) => ours);
    for (const definition of installed(definitions())) {
      await stage.person.resource(kinds.customResourceDefinitions).create(definition);
    }
    await grantFlink(stage.person);
    await clock.advance(100);
    return stage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.embedded.close();
    expect(this.bugs).toEqual([]);
  }

  /** Starts an operator. */
  start(options: Partial<OperatorOptions> = {}): Running {
    const { clock } = this;
    const stop = new AbortController();
    const writes: string[] = [];
    const death = new AbortController();
    const client = new Client(this.#recorded(this.embedded.transport(), writes, death.signal), { clock });
    const defaults = defaultOperatorConfig();
    const operator = { ...defaults, settings: { ...defaults.settings, ...this.#settings } };
    const random = seededRandom(3);
    const ended = runOperator({
      client,
      clock,
      random,
      log: this.#listening(),
      metrics: createMetrics({ process: false }),
      signal: stop.signal,
      instance: 'operator-0',
      freeze: true,
      controllers: flinkControllers({
        client,
        wire: proxiedWire({ client, clock }),
        operator: () => operator,
        clock,
        random,
        namespace: 'operators',
        env: {},
      }),
      ...options,
    });
    let end: OperatorEnd | undefined;
    void ended.then((how) => {
      end = how;
    });
    return {
      writes,
      stop: async () => {
        stop.abort();
        await this.clock.runUntil(() => end !== undefined, 60_000);
        return end ?? expect.fail('the operator does not end');
      },
      kill: () => {
        death.abort(new KubeError('unreachable', 'the process has died'));
        stop.abort();
      },
    };
  }

  // What a person does.

  async apply(object: KubeObject): Promise<void> {
    await this.person.resource<KubeObject>(typeOf(object)).create(object);
  }

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

  async until(what: string, holds: () => boolean, ms = 10 * 60_000): Promise<void> {
    if (await this.clock.runUntil(holds, ms)) return;
    const jobs = (['FlinkBlueGreenDeployment', 'FlinkDeployment', 'FlinkSessionJob'] as const).flatMap((kind) =>
      this.embedded.world.list(types[kind]).map(({ metadata, status }) => ({ kind, name: metadata.name, status })),
    );
    expect.fail(`never came true: ${what}\n${JSON.stringify(jobs, undefined, 2)}`);
  }

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

  #recorded(transport: Transport, writes: string[], death: AbortSignal): Transport {
    return {
      ...transport,
      request: async (request: Request) => {
        death.throwIfAborted();
        const { method, path } = request;
        const [, cluster, rest] = /\/services\/(?:https?:)?([^/]+)-rest(?::[^/]*)?\/proxy(\/.*)$/.exec(path) ?? [];
        if (cluster) this.asked.push(`${method} ${cluster} ${rest}`);
        else if (method !== 'GET' && !/\/leases|\/events/.test(path)) {
          const write = `${method} ${path.replace(/\?.*$/, '')}`;
          for (const list of [this.writes, writes]) list.push(write);
        }
        const answer = await transport.request(request);
        death.throwIfAborted();
        return answer;
      },
    };
  }

  #listening(): Log {
    const log: Log = {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: ({ error }, message) => {
        if (message.startsWith('a bug')) this.bugs.push(`${message}: ${(error as Error)?.stack ?? String(error)}`);
      },
      child: () => log,
    };
    return log;
  }
}

function typeOf({ kind, apiVersion }: KubeObject): ResourceType {
  if (Object.hasOwn(types, kind)) return types[kind as Kind];
  const known = Object.values(kinds).find((type) => type.kind === kind);
  return known ?? expect.fail(`no kind ${kind} of ${apiVersion} is known here`);
}
