import { Timers } from '../../nodes/timers.ts';
import { type CheckpointSettings, Checkpoints, type Retained } from './checkpoints.ts';
import { Configuration } from './configuration.ts';
import { type CountProgram, type CountState, countProgram, nothingCounted } from './counting.ts';
import { type Failures, failuresOfProgram } from './failures.ts';
import type { TaskManagerPort } from './flink-world.ts';
import { type InitialState, initialState } from './initial-state.ts';
import { failureToStart, finalFailure, type JobFailure } from './job-failure.ts';
import { checkpointSettings, type JobGraph } from './job-graph.ts';
import type { JobOwner } from './job-owner.ts';
import { JobSnapshots, type SavepointRequest, type SnapshotOutcome } from './job-snapshots.ts';
import { type JobStatus, JobStatuses } from './job-status.ts';
import { type RestartStrategy, restartStrategy } from './restart-strategy.ts';
import { Run, type RunEnd } from './run.ts';
import { RunWatch } from './run-watch.ts';
import { induced, noSlots, stackTrace, type Throwable, taskManagerLost, tasksNotRunning } from './throwable.ts';

/** As wide as a reactive job gets, and as any job. */
const [widestReactive, widest] = [128, 32_768];

/** How long an adaptive job waits for more slots to come, and after it was last rescaled. */
const [stabilizationMs, cooldownMs] = [1000, 30_000];

/** How long an adaptive job that could begin with fewer slots waits for the rest. */
const patienceMs = 10_000;

/** One job in one JobManager, from its submission to its end or to the JobManager's. */
export class Job {
  readonly graph: JobGraph;
  readonly settings: CheckpointSettings;
  readonly program: CountProgram;
  readonly checkpoints: Checkpoints;
  readonly strategy: RestartStrategy;
  readonly statuses: JobStatuses;
  readonly failures: JobFailure[] = [];
  readonly scheduler: 'Default' | 'Adaptive';
  readonly isReactive: boolean;
  restarts = 0;
  /** The tasks that run now. */
  run: Run | undefined;
  /** The tasks that ran last, which may be the same. */
  last: Run | undefined;
  workers: readonly TaskManagerPort[] = [];
  /** What the adaptive scheduler was asked for. */
  bounds: { readonly lower: number; readonly upper: number };
  parallelism: number;
  /** Resolves when it has got its state, or has failed to. */
  readonly initialized: Promise<void>;
  readonly #initialized: () => void;
  readonly #owner: JobOwner;
  readonly #own: Failures;
  readonly #timers: Timers;
  /** Timers of the tasks that run now; they go with them. */
  readonly #runTimers: Timers;
  readonly #snapshots: JobSnapshots;
  readonly #watch: RunWatch;
  readonly #forget: () => void;
  #attempt = 0;
  #willRescale = false;
  #initial: InitialState = { state: nothingCounted, from: undefined };

  constructor(owner: JobOwner, graph: JobGraph) {
    const { here, world } = owner;
    const configuration = new Configuration(graph.configuration);
    this.#owner = owner;
    this.graph = graph;
    this.program = countProgram(graph.programArguments);
    this.settings = checkpointSettings(graph);
    this.strategy = restartStrategy(configuration, this.settings.intervalMs !== undefined, owner.version);
    this.isReactive = configuration.text('scheduler-mode')?.toLowerCase() === 'reactive';
    const isAdaptive = this.isReactive || configuration.text('jobmanager.scheduler')?.toLowerCase() === 'adaptive';
    this.scheduler = isAdaptive ? 'Adaptive' : 'Default';
    this.bounds = { lower: 1, upper: this.isReactive ? widestReactive : graph.parallelism };
    this.parallelism = graph.parallelism;
    this.#own = { ...owner.failures, ...failuresOfProgram(graph.programArguments) };
    this.#timers = new Timers(here.clock);
    this.#runTimers = new Timers(here.clock);
    this.statuses = new JobStatuses(here.clock);
    const identity = { id: graph.id, countUid: this.program.countUid };
    const fails = (use: boolean): boolean => world.failure(owner.cluster, 'checkpoints', this.#own, use) !== undefined;
    this.checkpoints = new Checkpoints(here.clock, world, identity, this.settings, fails);
    const { id, settings, checkpoints } = this;
    this.#snapshots = new JobSnapshots(owner, { id, settings, checkpoints, failures: this.#own });
    this.#watch = new RunWatch(owner, this.#own, checkpoints, {
      checkpointed: () => owner.checkpointed(this),
      fail: (throwable) => this.fail(throwable),
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.initialized = promise;
    this.#initialized = resolve;
    const unsettle = world.beforeReading(() => this.checkpoints.catchUp());
    const unhear = world.onFailures(owner.cluster, () => this.#watch.failuresChanged());
    this.#forget = () => {
      unsettle();
      unhear();
    };
  }

  get id(): string {
    return this.graph.id;
  }

  get status(): JobStatus {
    return this.statuses.current;
  }

  get isTerminal(): boolean {
    return this.statuses.isTerminal;
  }

  /** What it has counted, as of now. */
  get state(): CountState {
    return this.last?.state ?? this.#initial.state;
  }

  /** Begins with what a JobManager before this one had retained, if anything, else with the savepoint it was given. */
  start(recovered: readonly Retained[], counter: number): void {
    this.#timers.later(20 + this.#owner.here.random.next() * 60, () => {
      this.#initialize(recovered, counter);
      this.#initialized();
    });
  }

  /** Whether its tasks wait for slots. */
  get #isWaiting(): boolean {
    return this.statuses.tasks === 'SCHEDULED' && !this.isTerminal;
  }

  wanted(): { readonly atLeast: number; readonly atMost: number } {
    if (!this.#isWaiting && !(this.scheduler === 'Adaptive' && this.statuses.tasks === 'RUNNING'))
      return { atLeast: 0, atMost: 0 };
    const { lower, upper } = this.bounds;
    return this.scheduler === 'Adaptive'
      ? { atLeast: Math.min(lower, upper), atMost: upper }
      : { atLeast: this.parallelism, atMost: this.parallelism };
  }

  slotsChanged(): void {
    if (this.statuses.tasks === 'SCHEDULED') this.#allocate();
    else this.#considerRescaling();
  }

  /** The slots of a TaskManager are gone. */
  workerLost(worker: TaskManagerPort): void {
    if (this.isTerminal || !this.workers.includes(worker)) return;
    this.fail(taskManagerLost(worker.podName, `${worker.address}/${worker.address}`), worker);
  }

  /** Changes the bounds of an adaptive job. */
  require(bounds: { readonly lower: number; readonly upper: number }): void {
    this.bounds = bounds;
    this.#owner.slotsWanted();
    this.slotsChanged();
  }

  cancel(): void {
    if (this.isTerminal || this.status === 'CANCELLING') return;
    this.statuses.enter('CANCELLING');
    this.statuses.tasks = this.statuses.tasks === 'RUNNING' ? 'CANCELING' : 'CANCELED';
    this.#stopTasks('CANCELED');
    this.#timers.clear();
    this.#timers.later(20 + this.#owner.here.random.next() * 60, () => {
      this.statuses.tasks = 'CANCELED';
      this.#finish('CANCELED');
    });
  }

  /** Takes a savepoint; the job may end with it. Resolves when it has come to an end. */
  savepoint(request: SavepointRequest): Promise<SnapshotOutcome> {
    const { run } = this;
    if (!run || this.status !== 'RUNNING') return Promise.resolve({ problem: tasksNotRunning(this.id) });
    return this.#snapshots.savepoint(run, request, () =>
      this.#endWith(request.end === 'stop' ? 'FINISHED' : 'CANCELED'),
    );
  }

  /** Takes a checkpoint now. */
  checkpoint(): Promise<SnapshotOutcome> {
    const { run } = this;
    if (!run || this.status !== 'RUNNING') return Promise.resolve({ problem: tasksNotRunning(this.id) });
    return this.#snapshots.checkpoint(run, () => this.#owner.checkpointed(this));
  }

  /** The JobManager's process ends: nothing is written any more, and what ran is lost. */
  abandon(): void {
    this.#snapshots.abort();
    this.checkpoints.end();
    this.run?.finish('lost');
    this.#timers.clear();
    this.#runTimers.clear();
    this.#watch.end();
    this.#forget();
    this.#initialized();
  }

  /** Something in the job failed: it is started again, or has failed for good. */
  fail(throwable: Throwable, worker?: TaskManagerPort): void {
    if (this.isTerminal || this.status === 'CANCELLING') return;
    const failure: JobFailure = {
      at: this.#owner.here.clock.now(),
      throwable,
      task: this.run
        ? `keyed-count -> discard: Writer (1/${this.parallelism}) - execution #${this.#attempt - 1}`
        : undefined,
      worker: worker ?? this.workers[0],
      concurrent: [],
    };
    const delay = this.strategy.delay(this.restarts + 1);
    this.#owner.log('WARN', `Job ${this.graph.name} (${this.id}): ${stackTrace(throwable).split('\n', 1)[0]}`);
    if (delay === undefined) {
      this.#failForGood(failure);
      return;
    }
    this.failures.unshift(failure);
    this.restarts += 1;
    this.statuses.enter('RESTARTING');
    this.statuses.tasks = 'CANCELED';
    this.#stopTasks('restarted');
    this.#timers.clear();
    this.#timers.later(delay, () => this.#schedule());
  }

  #initialize(recovered: readonly Retained[], counter: number): void {
    const { world, cluster } = this.#owner;
    this.checkpoints.adopt(recovered, counter);
    const last = recovered.at(-1);
    const { countUid } = this.program;
    const found =
      world.failure(cluster, 'job', this.#own, false)?.mode === 'at-start' && world.failure(cluster, 'job', this.#own)
        ? { problem: induced('induced failure at start') }
        : initialState(world, this.graph, last, { countUid, claims: this.settings.claims });
    if ('problem' in found) {
      this.#failToStart(found.problem);
      return;
    }
    this.#initial = found;
    if (found.from) {
      this.checkpoints.restore(found.from);
      const what = `${last ? 'Checkpoint' : 'Savepoint'} ${found.from.id}`;
      this.#owner.log('INFO', `Restoring job ${this.id} from ${what} located at ${found.from.path}.`);
    }
    this.statuses.enter('CREATED');
    this.#owner.checkpointed(this);
    this.#schedule();
  }

  #failToStart(problem: Throwable): void {
    this.statuses.hasTasks = false;
    const failure = failureToStart(this.#owner.here.clock.now(), problem);
    this.failures.unshift(failure);
    this.#owner.log('ERROR', stackTrace(failure.throwable).trimEnd());
    this.#finish('FAILED');
  }

  #failForGood(failure: JobFailure): void {
    this.failures.unshift(finalFailure(this.strategy.name, failure));
    this.statuses.enter('FAILING');
    this.statuses.tasks = 'FAILED';
    this.#stopTasks('FAILED');
    this.#timers.clear();
    this.#timers.later(20, () => this.#finish('FAILED'));
  }

  /** Tasks wait for slots. The default scheduler says RUNNING already; the adaptive one only when it has them. */
  #schedule(): void {
    this.statuses.tasks = 'SCHEDULED';
    if (this.scheduler === 'Default') this.statuses.enter('RUNNING');
    else if (this.status === 'RESTARTING') this.statuses.enter('CREATED');
    this.#owner.slotsWanted();
    this.#allocate();
    if (this.statuses.tasks !== 'SCHEDULED' || this.scheduler === 'Adaptive') return;
    this.#timers.later(this.#owner.slotTimeoutMs, () => this.statuses.tasks === 'SCHEDULED' && this.fail(noSlots()));
  }

  #allocate(isPatient = true): void {
    const { slots } = this.#owner;
    const { atLeast, atMost } = this.wanted();
    const count = Math.min(atMost, slots.free, widest);
    if (count < Math.max(1, atLeast)) return;
    if (isPatient && count < atMost && !this.isReactive) {
      // An adaptive job that could begin waits a while for all that it wants.
      this.#timers.clear();
      this.#timers.later(patienceMs, () => this.#allocate(false));
      return;
    }
    this.#timers.clear();
    this.parallelism = count;
    this.workers = slots.take(this.id, count);
    this.statuses.tasks = 'DEPLOYING';
    this.#runTimers.later(200 + this.#owner.here.random.next() * 300, () => this.#deployed());
  }

  #deployed(): void {
    const { here, world, cluster } = this.#owner;
    const retained = this.checkpoints.retained.at(-1);
    const again: InitialState = { state: retained?.state ?? nothingCounted, from: retained };
    const { state: base, from } = this.#attempt === 0 ? this.#initial : again;
    if (this.#attempt > 0 && from) this.checkpoints.restore(from);
    const run = new Run(here.clock, {
      cluster,
      jobId: this.id,
      jobName: this.graph.name,
      label: this.program.label,
      attempt: this.#attempt,
      restoredFrom: from ? (from.path ?? `checkpoint ${from.id} in memory`) : undefined,
      base,
      rate: this.program.rate,
      keys: this.program.keys,
      taskManagers: this.workers.map(({ podName }) => podName),
    });
    this.#attempt += 1;
    this.run = run;
    this.last = run;
    world.record(run);
    if (this.status !== 'RUNNING') this.statuses.enter('RUNNING');
    this.statuses.tasks = 'RUNNING';
    this.checkpoints.begin(run);
    this.#watch.begin();
    this.#considerRescaling();
  }

  /** How wide an adaptive job could be with the slots that are there. */
  get #possible(): number {
    const { slots } = this.#owner;
    return Math.min(this.bounds.upper, slots.free + slots.heldBy(this.id), widest);
  }

  /** An adaptive job takes what it can get, but not again and again while slots come one by one. */
  #considerRescaling(): void {
    const { run } = this;
    if (this.scheduler !== 'Adaptive' || !run || this.#willRescale || this.#possible === this.parallelism) return;
    this.#willRescale = true;
    this.#runTimers.later(Math.max(stabilizationMs, cooldownMs - run.ageMs), () => {
      this.#willRescale = false;
      if (this.#possible !== this.parallelism) this.#rescale();
    });
  }

  #rescale(): void {
    this.#owner.log('INFO', `Rescaling job ${this.id} to the available slots.`);
    this.statuses.enter('RESTARTING');
    this.statuses.tasks = 'CANCELED';
    this.#stopTasks('restarted');
    this.#timers.later(100, () => this.#schedule());
  }

  #endWith(end: 'FINISHED' | 'CANCELED'): void {
    this.statuses.tasks = end;
    this.#stopTasks(end);
    this.#finish(end);
  }

  #stopTasks(end: RunEnd): void {
    this.checkpoints.end();
    this.run?.finish(end);
    this.run = undefined;
    this.#runTimers.clear();
    this.#watch.end();
    this.#willRescale = false;
    this.#snapshots.abort();
    this.workers = [];
    this.#owner.slots.release(this.id);
    this.#owner.slotsFreed();
  }

  #finish(end: 'FINISHED' | 'CANCELED' | 'FAILED'): void {
    const last = this.state;
    this.statuses.enter(end);
    this.#timers.clear();
    this.checkpoints.discard(end);
    this.#forget();
    this.#owner.log(
      'INFO',
      `Job ${this.graph.name} (${this.id}) reached terminal state ${end} after ${last.offset} records.`,
    );
    this.#owner.ended(this, end);
  }
}
