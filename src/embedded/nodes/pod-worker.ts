import { same } from '../kinds/checks.ts';
import type { Pod } from '../kinds/objects/pod.ts';
import { pods } from '../kinds/resource-types.ts';
import type { Files } from '../programs/program.ts';
import { StatusError } from '../status-error.ts';
import { instantOf, timestamp } from '../timestamp.ts';
import { type ContainerOwner, ContainerRun } from './container-run.ts';
import { failAnnotation } from './failure.ts';
import { filesOf, missingMount } from './files.ts';
import type { Host } from './host.ts';
import { podStatus, restarts } from './pod-status.ts';
import { Scratch } from './scratch.ts';
import { Timers } from './timers.ts';
import { within } from './timing.ts';

/**
 * One pod on its node, from its arrival to its end: sandbox, init containers in order, containers, restarts,
 * termination with grace. It reports by writing the pod's status, one write for all that changed at one instant.
 */
export class PodWorker implements ContainerOwner {
  readonly inits: readonly ContainerRun[];
  readonly containers: readonly ContainerRun[];
  readonly #host: Host;
  readonly #timers: Timers;
  readonly #scratch = new Scratch();
  #pod: Pod;
  #podIP: string | undefined;
  #startTime: string;
  #stage: 'new' | 'mounting' | 'initializing' | 'running' | 'ending' | 'gone' = 'new';
  #verdict: { readonly reason: string; readonly message: string } | undefined;
  #dirty = false;
  #writing = false;
  #lastMount: string | undefined;

  constructor(host: Host, pod: Pod) {
    this.#host = host;
    this.#timers = new Timers(host.world.clock);
    this.#pod = pod;
    this.#startTime = pod.status?.startTime ?? timestamp(host.world.clock.now());
    this.#podIP = pod.status?.podIP;
    this.inits = (pod.spec.initContainers ?? []).map((one) => new ContainerRun(host, this, one, true));
    this.containers = pod.spec.containers.map((one) => new ContainerRun(host, this, one, false));
  }

  pod(): Pod {
    return this.#pod;
  }

  get podIP(): string | undefined {
    return this.#podIP;
  }

  run(container: string): ContainerRun | undefined {
    return [...this.containers, ...this.inits].find((run) => run.container.name === container);
  }

  files({ container }: ContainerRun): Files {
    return filesOf(this.#host.world, this.#pod, container, this.#host.tokenFor(this.#pod), this.#scratch);
  }

  freshFiles(run: ContainerRun): Files {
    this.#scratch.restart(run.container.name);
    return this.files(run);
  }

  /** Begins, or takes over what was running before this process started. */
  start(): void {
    const { phase } = this.#pod.status ?? {};
    this.#armDeadline();
    if (phase === 'Running' || phase === 'Succeeded' || phase === 'Failed') {
      this.#resume();
    } else {
      this.#publish();
      this.#timers.later(within(this.#host.timing.sandbox, this.#host.world.random), () => this.#mount());
    }
    if (this.#pod.metadata.deletionTimestamp) this.#end();
  }

  /** The stored pod changed. */
  update(pod: Pod): void {
    const before = this.#pod;
    this.#pod = pod;
    if (this.#stage === 'gone') return;
    if (pod.metadata.deletionTimestamp) {
      const shortened = pod.metadata.deletionGracePeriodSeconds !== before.metadata.deletionGracePeriodSeconds;
      if (this.#stage !== 'ending' || shortened) this.#end();
      return;
    }
    if (pod.metadata.annotations?.[failAnnotation] !== before.metadata.annotations?.[failAnnotation]) {
      for (const run of this.containers) run.reconsiderReadiness();
    }
    for (const run of this.containers) this.#replaceImage(run);
    if (pod.spec.activeDeadlineSeconds !== before.spec.activeDeadlineSeconds) this.#armDeadline();
    if (!same(pod.status?.conditions, before.status?.conditions)) this.#publish();
    if (pod.metadata.generation !== before.metadata.generation) this.#publish();
  }

  /** A ConfigMap, Secret or claim of the pod's namespace changed. */
  surroundingsChanged(): void {
    if (this.#stage === 'mounting') this.#mount();
    for (const run of [...this.inits, ...this.containers]) run.configChanged();
  }

  /** The pod is no longer stored, or the node stops: everything ends without a word. */
  abandon(): void {
    this.#stage = 'gone';
    this.#timers.clear();
    for (const run of [...this.inits, ...this.containers]) run.abandon();
    if (this.#podIP) this.#host.returnAddress(this.#podIP);
  }

  changed(): void {
    this.#publish();
  }

  ended(run: ContainerRun): void {
    if (this.#stage === 'ending') this.#finishWhenDone();
    if (this.#stage === 'ending' || this.#stage === 'gone' || this.#verdict) return;
    if (run.isInit && !run.isSidecar && run.exitCode === 0) this.#nextInit();
    else if (restarts(run, this.#pod.spec.restartPolicy ?? 'Always')) run.restart();
    else if (this.containers.every((one) => one.isTerminated)) this.#stopSidecars();
  }

  #resume(): void {
    this.#stage = 'running';
    const statuses = [
      ...(this.#pod.status?.initContainerStatuses ?? []),
      ...(this.#pod.status?.containerStatuses ?? []),
    ];
    const ended = this.#pod.status?.phase !== 'Running';
    for (const run of [...this.inits, ...this.containers]) {
      const status = statuses.find((one) => one.name === run.container.name);
      if (status && (ended || status.state.running || status.state.terminated)) run.resume(status);
      else if (!ended && !run.isInit) {
        if (status) run.retry(status);
        else run.begin();
      }
      // It ended while nobody was there to start it again.
      if (!ended && run.isTerminated && restarts(run, this.#pod.spec.restartPolicy ?? 'Always')) run.restart();
    }
  }

  #mount(): void {
    const missing = missingMount(this.#host.world, this.#pod);
    if (missing) {
      this.#stage = 'mounting';
      const text = `MountVolume.SetUp failed for volume "${missing.volume}" : ${missing.why}`;
      if (text !== this.#lastMount) this.#host.tell(this.#pod, 'Warning', 'FailedMount', text);
      this.#lastMount = text;
      return;
    }
    this.#stage = 'initializing';
    this.#podIP ??= this.#pod.spec.hostNetwork ? this.#host.address : this.#host.takeAddress();
    this.#publish();
    this.#nextInit();
  }

  /** Init containers run one after the other; a sidecar only has to have started. */
  #nextInit(): void {
    const next = this.inits.find((run) => (run.isSidecar ? !run.isRunning : run.exitCode !== 0));
    if (!next) {
      if (this.#stage !== 'initializing') return;
      this.#stage = 'running';
      for (const run of this.containers) run.begin();
      return;
    }
    next.begin();
    if (next.isSidecar) this.#whenStarted(next);
  }

  #whenStarted(sidecar: ContainerRun): void {
    if (this.#stage !== 'initializing') return;
    if (sidecar.isRunning) this.#nextInit();
    else this.#timers.later(50, () => this.#whenStarted(sidecar));
  }

  #replaceImage(run: ContainerRun): void {
    const wanted = this.#pod.spec.containers.find((one) => one.name === run.container.name)?.image;
    if (!run.isRunning || wanted === undefined || wanted === run.image) return;
    run.image = wanted;
    const grace = (this.#pod.spec.terminationGracePeriodSeconds ?? 30) * 1000;
    run.stop(grace, `Container ${run.container.name} definition changed, will be restarted`);
  }

  #stopSidecars(): void {
    for (const run of this.inits) if (run.isSidecar) run.stop(30_000);
  }

  #armDeadline(): void {
    const seconds = this.#pod.spec.activeDeadlineSeconds;
    if (seconds === undefined || this.#pod.status?.phase === 'Succeeded' || this.#pod.status?.phase === 'Failed')
      return;
    const due = instantOf(this.#startTime) + seconds * 1000 - this.#host.world.clock.now();
    this.#timers.later(Math.max(0, due), () => this.#condemn());
  }

  #condemn(): void {
    if (this.#stage === 'ending' || this.containers.every((run) => run.isTerminated)) return;
    const message = 'Pod was active on the node longer than the specified deadline';
    this.#verdict = { reason: 'DeadlineExceeded', message };
    this.#host.tell(this.#pod, 'Normal', 'DeadlineExceeded', message);
    for (const run of [...this.inits, ...this.containers]) run.stop(0);
    this.#publish();
  }

  #end(): void {
    this.#stage = 'ending';
    this.#timers.clear();
    const grace = (this.#pod.metadata.deletionGracePeriodSeconds ?? 30) * 1000;
    for (const run of [...this.containers, ...this.inits]) run.stop(grace);
    this.#finishWhenDone();
  }

  #finishWhenDone(): void {
    if ([...this.containers, ...this.inits].some((run) => run.isRunning)) return;
    this.#timers.later(50, () => void this.#finish());
  }

  async #finish(): Promise<void> {
    if (this.#stage === 'gone') return;
    await this.#write();
    const { metadata } = this.#pod;
    const stored = this.#host.world.get<Pod>(pods, metadata.namespace, metadata.name ?? '');
    if (stored?.metadata.uid !== metadata.uid || !stored) return;
    try {
      await this.#host.world.remove(pods, stored, { graceSeconds: 0 });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.#timers.later(1000, () => void this.#finish());
    }
  }

  /** Writes soon what the status should be; changes until then are part of the same write. */
  #publish(): void {
    this.#dirty = true;
    if (this.#writing) return;
    this.#writing = true;
    queueMicrotask(() => {
      void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#dirty && this.#stage !== 'gone') {
      this.#dirty = false;
      if (!(await this.#write())) this.#dirty = true;
    }
    this.#writing = false;
  }

  /** Whether it need not be tried again. */
  async #write(): Promise<boolean> {
    const { world } = this.#host;
    const { namespace, name = '', uid } = this.#pod.metadata;
    const stored = world.get<Pod>(pods, namespace, name);
    if (!stored || stored.metadata.uid !== uid) return true;
    this.#pod = stored;
    const status = podStatus({
      pod: stored,
      inits: this.inits,
      containers: this.containers,
      hostIP: this.#host.address,
      podIP: this.#podIP,
      startTime: this.#startTime,
      verdict: this.#verdict,
      now: world.clock.now(),
    });
    if (same(stored.status, status)) return true;
    try {
      await world.updateStatus(pods, { ...stored, status });
      return true;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (error.status.code >= 500) this.#timers.later(10_000, () => this.#publish());
      return error.status.reason !== 'Conflict';
    }
  }
}
