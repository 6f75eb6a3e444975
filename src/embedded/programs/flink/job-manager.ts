import { kinds } from '../../../kube/kinds.ts';
import type { Request, Response } from '../../../kube/transport.ts';
import { Timers } from '../../nodes/timers.ts';
import type { Running, Surroundings } from '../program.ts';
import type { Retained } from './checkpoints.ts';
import { apiOf } from './config-maps.ts';
import type { Configuration } from './configuration.ts';
import { type Entry, flinkVersion } from './entry.ts';
import { type Failures, failuresOf } from './failures.ts';
import type { FlinkWorld, JobManagerPort, TaskManagerPort } from './flink-world.ts';
import { HighAvailability, isHighlyAvailable } from './high-availability.ts';
import { Job } from './job.ts';
import { type JobGraph, jobGraph } from './job-graph.ts';
import type { JobOwner } from './job-owner.ts';
import { JobResultStore } from './job-result-store.ts';
import { logLine } from './log-line.ts';
import { NativeWorkers } from './native-workers.ts';
import { answerRest } from './rest/answer-rest.ts';
import { type RestApi, restApi } from './rest/rest-api.ts';
import { Slots } from './slots.ts';
import { standaloneWorkers, type Workers } from './workers.ts';

type JobManagerEntry = Extract<Entry, { readonly role: 'jobmanager' }>;

/** Exit codes of the process by the job's end, as a container shows them. */
const exitCodes = { FINISHED: 0, CANCELED: 0, FAILED: 1443 & 255 } as const;

/**
 * One JobManager process: boots, listens, becomes the leader, takes TaskManagers, runs jobs. In this order it refuses
 * connections, answers 503, and answers.
 */
export class JobManager implements JobOwner, JobManagerPort, Running {
  readonly here: Surroundings;
  readonly world: FlinkWorld;
  readonly entry: JobManagerEntry;
  readonly configuration: Configuration;
  readonly cluster: string;
  readonly version: string;
  readonly failures: Failures;
  readonly slots = new Slots();
  readonly slotTimeoutMs: number;
  readonly isHighlyAvailable: boolean;
  readonly jobs = new Map<string, Job>();
  readonly results: JobResultStore;
  readonly address: string;
  readonly restPort: number;
  readonly warm: Promise<void>;
  readonly #warmed: () => void;
  readonly #timers: Timers;
  readonly #highAvailability: HighAvailability | undefined;
  readonly #api: RestApi;
  #workers: Workers = standaloneWorkers;
  #stage: 'booting' | 'electing' | 'leading' | 'over' = 'booting';
  #release: (() => void)[] = [];
  #idleTimer = false;
  readonly #ended = new AbortController();

  /** @throws Error when the configuration does not allow it to start */
  constructor(here: Surroundings, world: FlinkWorld, entry: JobManagerEntry, configuration: Configuration) {
    const { namespace, labels } = here.pod.metadata;
    this.here = here;
    this.world = world;
    this.entry = entry;
    this.configuration = configuration;
    this.cluster = `${namespace}/${configuration.text('kubernetes.cluster-id') ?? labels?.app ?? here.pod.metadata.name}`;
    this.version = flinkVersion(configuration.text('$internal.flink.version'), here.container.image ?? '');
    this.failures = failuresOf(here.pod, (text) => this.log('WARN', text));
    this.slotTimeoutMs = configuration.duration('slot.request.timeout', 300_000);
    this.isHighlyAvailable = isHighlyAvailable(configuration);
    this.#highAvailability = this.isHighlyAvailable
      ? new HighAvailability(here, world, configuration, this.version)
      : undefined;
    this.results = new JobResultStore(world, configuration, this.isHighlyAvailable);
    this.address = here.env._POD_IP_ADDRESS || here.pod.status?.podIP || '127.0.0.1';
    this.restPort = configuration.integer('rest.bind-port', 8081);
    this.#timers = new Timers(here.clock);
    this.#api = restApi(this);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.warm = promise;
    this.#warmed = resolve;
  }

  /** Aborts when the process ends, and with it every connection. */
  get lifetime(): AbortSignal {
    return this.#ended.signal;
  }

  get leads(): boolean {
    return this.#stage === 'leading';
  }

  /** The process begins. */
  boot(): void {
    const slow = this.world.failure(this.cluster, 'start', this.failures);
    const type = this.entry.mode === 'application' ? 'ApplicationClusterEntryPoint' : 'SessionClusterEntrypoint';
    this.log('INFO', `Starting ${type} (Version: ${this.version})`);
    this.#timers.later(2000 + this.here.random.next() * 1000 + (slow ? (slow.ms ?? 60_000) : 0), () => {
      this.#stage = 'electing';
      this.#release.push(this.world.listen(this.address, this));
      this.log('INFO', `Rest endpoint listening at ${this.address}:${this.restPort}`);
      this.#timers.later(300 + this.here.random.next() * 400, () => void this.#elect());
    });
  }

  stop(): void {
    this.log('INFO', 'RECEIVED SIGNAL 15: SIGTERM. Shutting down as requested.');
    // The lease is given up last: whoever leads next finds nothing running any more.
    this.#halt(true);
    this.#timers.later(100 + this.here.random.next() * 400, () => this.here.exit(143));
  }

  kill(): void {
    this.#halt(false);
    this.#timers.clear();
  }

  /** Nothing is done, written or answered any more. */
  #halt(graceful: boolean): void {
    if (this.#stage === 'over') return;
    this.#stage = 'over';
    this.#timers.clear();
    for (const release of this.#release) release();
    for (const job of this.jobs.values()) job.abandon();
    this.#workers.stop();
    this.#ended.abort();
    this.#highAvailability?.giveUp(graceful);
    for (const { port } of this.slots.workers) port.disconnected();
  }

  respond(port: number, request: Request): Promise<Response> | undefined {
    if (port !== this.restPort || this.#stage === 'booting' || this.#stage === 'over') return undefined;
    const leader = this.leads ? this : this.world.leaderOf(this.cluster);
    return answerRest(this, leader instanceof JobManager ? leader.#api : undefined, request);
  }

  register(worker: TaskManagerPort): void {
    this.slots.add(worker);
    this.#workers.registered(worker);
    this.log('INFO', `Registering TaskManager with ResourceID ${worker.id} (${worker.podName}) at ResourceManager`);
    this.#offer();
    this.slotsFreed();
  }

  lost(worker: TaskManagerPort): void {
    if (!this.slots.has(worker)) return;
    this.log('WARN', `TaskManager ${worker.id} is no longer reachable.`);
    const concerned = this.slots.remove(worker);
    this.#workers.lost(worker);
    for (const id of concerned) this.jobs.get(id)?.workerLost(worker);
    this.#offer();
  }

  log(level: 'INFO' | 'WARN' | 'ERROR', text: string): void {
    this.here.print(logLine(this.here.clock.now(), level, text));
  }

  slotsWanted(): void {
    this.#workers.want(this.#neededWorkers());
  }

  /** How many TaskManagers all jobs together could use. */
  #neededWorkers(): number {
    const each = Math.max(1, this.configuration.integer('taskmanager.numberOfTaskSlots', 1));
    let wanted = 0;
    for (const job of this.jobs.values()) {
      if (!job.isTerminal) wanted += Math.max(job.wanted().atMost, this.slots.heldBy(job.id));
    }
    return Math.ceil(wanted / each);
  }

  /** Whoever stays idle for a while is sent away. */
  slotsFreed(): void {
    if (this.#workers === standaloneWorkers || this.#idleTimer || this.#stage === 'over') return;
    if (!this.slots.workers.some(({ port, free }) => free === port.slots)) return;
    this.#idleTimer = true;
    this.#timers.later(this.configuration.duration('resourcemanager.taskmanager-timeout', 30_000), () => {
      this.#idleTimer = false;
      this.slotsWanted();
      let surplus = this.slots.workers.length - this.#neededWorkers();
      for (const { port, free } of this.slots.workers) {
        if (free < port.slots || surplus-- <= 0) continue;
        this.slots.remove(port);
        this.#workers.release(port);
        port.shutDown();
      }
    });
  }

  checkpointed(job: Job): void {
    if (job.isTerminal || !this.#highAvailability) return;
    this.#highAvailability.storeCheckpoints(job.id, job.checkpoints).then(
      (stored) => {
        if (!stored)
          this.log('WARN', `The ConfigMap of job ${job.id} does not exist: its checkpoints cannot be recovered.`);
      },
      (error: unknown) => this.#complain(`Could not store the checkpoints of job ${job.id}`, error),
    );
  }

  ended(job: Job, end: 'FINISHED' | 'CANCELED' | 'FAILED'): void {
    this.results.record(job.id, end);
    this.slotsWanted();
    this.slotsFreed();
    if (this.entry.mode === 'session') {
      const expiration = this.configuration.integer('jobstore.expiration-time', 3600) * 1000;
      this.#timers.later(expiration, () => this.jobs.delete(job.id));
    }
    void this.#cleanUp(job).then(() => {
      const stays =
        this.entry.mode === 'session' || !this.configuration.boolean('execution.shutdown-on-application-finish', true);
      if (!stays) void this.shutDown(exitCodes[end]);
    });
  }

  /** Takes a job up, as new or as recovered. The id must be free. */
  async submit(graph: JobGraph): Promise<Job> {
    const job = new Job(this, graph);
    this.jobs.set(graph.id, job);
    let known: { readonly retained: readonly Retained[]; readonly counter: number } = { retained: [], counter: 1 };
    try {
      await this.#highAvailability?.storeGraph(graph, this.address);
      known = (await this.#highAvailability?.checkpointsOf(graph.id)) ?? known;
    } catch (error) {
      this.#complain(`Could not use the high-availability data of job ${graph.id}`, error);
    }
    if (this.#stage === 'over') return job;
    this.log('INFO', `Received job submission '${graph.name}' (${graph.id}).`);
    job.start(known.retained, known.counter);
    return job;
  }

  /** Ends the whole cluster, as `DELETE /cluster` asks; natively its Deployment goes, and everything with it. */
  async shutDown(code = 0): Promise<void> {
    this.log('INFO', 'Shutting down the cluster.');
    if (this.entry.resources === 'native') {
      const [namespace = '', name = ''] = this.cluster.split('/');
      try {
        await apiOf(this.here).resource(kinds.deployments).delete({ namespace, name });
      } catch (error) {
        this.#complain('Could not remove the Deployment', error);
      }
    }
    this.#timers.later(100, () => this.here.exit(code));
  }

  async #elect(): Promise<void> {
    if (!this.#highAvailability) return this.#lead();
    const again = (): void => void this.#elect();
    try {
      const verdict = await this.#highAvailability.elect();
      if (this.#stage !== 'electing') return;
      if (verdict === true) return this.#lead();
      // A standby is as warm as the leader: it answers with what the leader says.
      this.#warmed();
      if (verdict === undefined) this.#release.push(this.world.onChange(again));
      else this.#timers.later(verdict, again);
    } catch (error) {
      if (this.#stage !== 'electing') return;
      this.#complain('Exception occurred while acquiring the lock of the leader election', error);
      this.#timers.later(5000, again);
    }
  }

  async #lead(): Promise<void> {
    this.log('INFO', `${this.here.pod.metadata.name} was granted leadership.`);
    if (this.entry.resources === 'native') {
      try {
        this.#workers = new NativeWorkers(this.here, this.configuration, (level, text) => this.log(level, text));
      } catch (error) {
        this.#complain('Could not start the ResourceManager', error);
      }
    }
    try {
      await this.#highAvailability?.announce(this.address, this.restPort);
      await this.#recover();
    } catch (error) {
      this.#complain('Could not recover the jobs', error);
    }
    if (this.#stage !== 'electing') return;
    this.#stage = 'leading';
    this.#release.push(this.world.lead(this.cluster, this));
    this.#warmed();
    const memory = this.world.failure(this.cluster, 'jobmanager', this.failures);
    if (memory) this.#timers.later(memory.ms ?? 10_000, () => this.#runOutOfMemory());
  }

  /** Jobs of an earlier JobManager go on; an application whose job is not among them begins, unless it has ended. */
  async #recover(): Promise<void> {
    for (const graph of (await this.#highAvailability?.graphs()) ?? []) {
      if (this.results.has(graph.id)) await this.#highAvailability?.forget(graph.id);
      else await this.submit(graph);
    }
    if (this.entry.mode !== 'application') return;
    const id = this.#applicationJobId();
    if (this.jobs.has(id)) return;
    if (this.results.has(id)) {
      this.log(
        'INFO',
        `Ignoring job '${this.configuration.text('pipeline.name')}' (${id}): it already reached a globally terminal state.`,
      );
      return;
    }
    const native = this.configuration.list('$internal.application.program-args');
    const programArguments = this.entry.resources === 'native' ? native : this.entry.programArguments;
    await this.submit(jobGraph(this.configuration, { id, programArguments }));
  }

  /** As configured; else derived from the cluster id with high availability, so that it can be recovered; else new. */
  #applicationJobId(): string {
    const configured = this.configuration.text('$internal.pipeline.job-id');
    if (configured) return configured;
    if (!this.isHighlyAvailable) return this.here.random.uuid().replaceAll('-', '');
    const name = this.configuration.text('high-availability.cluster-id') ?? this.cluster.split('/')[1] ?? '';
    let hash = 0;
    for (const letter of name) hash = (Math.imul(31, hash) + letter.charCodeAt(0)) | 0;
    return BigInt.asUintN(64, BigInt(hash)).toString(16).padStart(16, '0').padEnd(32, '0');
  }

  async #cleanUp(job: Job): Promise<void> {
    try {
      await this.#highAvailability?.forget(job.id);
      this.results.commit(job.id);
    } catch (error) {
      this.#complain(`Could not clean up after job ${job.id}`, error);
    }
  }

  #offer(): void {
    for (const job of this.jobs.values()) if (!job.isTerminal) job.slotsChanged();
  }

  #runOutOfMemory(): void {
    this.log(
      'ERROR',
      "FATAL: Thread 'flink-pekko.actor.default-dispatcher-4' produced an uncaught exception. Stopping the process...\njava.lang.OutOfMemoryError: Java heap space",
    );
    this.here.exit(239);
  }

  #complain(what: string, error: unknown): void {
    this.log('ERROR', `${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
