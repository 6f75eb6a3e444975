import type { Request, Response } from '../../kube/transport.ts';
import type { Container, ContainerState, ContainerStatus, Pod } from '../kinds/objects/pod.ts';
import type { Files, Running } from '../programs/program.ts';
import { timestamp } from '../timestamp.ts';
import { environmentOf } from './environment.ts';
import { type Failure, failureOf } from './failure.ts';
import type { Host } from './host.ts';
import { fullImageName, imageId, isNowhere } from './image.ts';
import { ImagePull } from './image-pull.ts';
import { launch } from './launch.ts';
import { LogBook } from './log-book.ts';
import { probeFailure } from './probe-failure.ts';
import { Timers } from './timers.ts';
import { backOff, goDuration, within } from './timing.ts';

/** Who wants to know what becomes of a container. */
export interface ContainerOwner {
  /** The pod as it is now. */
  pod(): Pod;
  /** The files that a container sees when it starts. */
  freshFiles(run: ContainerRun): Files;
  /** Something that shows in the pod's status changed. */
  changed(): void;
  /** A run has ended with this code, by itself or by the node. */
  ended(run: ContainerRun, code: number): void;
}

/** A run this long counts as success: the next failure starts the back-off afresh. */
const goodRun = 600_000;

/** One container of a pod through all its starts: image, process, probes, log, restarts. */
export class ContainerRun {
  readonly container: Container;
  readonly isInit: boolean;
  /** An init container that keeps running beside the others. */
  readonly isSidecar: boolean;
  state: ContainerState;
  lastState: ContainerState = {};
  restartCount = 0;
  ready = false;
  started = false;
  log: LogBook | undefined;
  previousLog: LogBook | undefined;
  /** The image it was last started with. */
  image: string;
  readonly #host: Host;
  readonly #owner: ContainerOwner;
  readonly #timers: Timers;
  readonly #pull: ImagePull;
  #running: Running | undefined;
  #id: string | undefined;
  #failures = 0;
  #waitsForConfig = false;
  #exitReason: string | undefined;

  constructor(host: Host, owner: ContainerOwner, container: Container, isInit: boolean) {
    this.#host = host;
    this.#owner = owner;
    this.#timers = new Timers(host.world.clock);
    this.#pull = new ImagePull(host, this.#timers, {
      tell: (type, reason, message) => this.#tell(type, reason, message),
      pulled: () => this.#create(),
      waits: (reason, message) => this.#wait(reason, message),
      again: () => this.begin(),
    });
    this.container = container;
    this.image = container.image ?? '';
    this.isInit = isInit;
    this.isSidecar = isInit && container.restartPolicy === 'Always';
    const waits = !isInit && (owner.pod().spec.initContainers ?? []).length > 0;
    this.state = { waiting: { reason: waits || isInit ? 'PodInitializing' : 'ContainerCreating' } };
  }

  get isRunning(): boolean {
    return this.state.running !== undefined;
  }

  get isTerminated(): boolean {
    return this.state.terminated !== undefined;
  }

  get exitCode(): number | undefined {
    return this.state.terminated?.exitCode;
  }

  /** From nothing to a running process, or to the reason why not. */
  begin(): void {
    const failure = this.#failure();
    if (failure?.mode === 'unknown') {
      this.#tell(
        'Warning',
        'InvalidFailure',
        `The failure "${failure.text}" is not known; the container runs normally`,
      );
    }
    const image = this.#currentImage();
    this.image = image;
    const refused = failure?.mode === 'image-pull' && this.#pull.failures < failure.times;
    if (refused || isNowhere(image)) this.#pull.fail(image);
    else this.#pull.succeed(image, this.container.imagePullPolicy === 'Always');
  }

  /** Takes over a container that was running before this process: as if it had never been away. */
  resume(status: ContainerStatus): void {
    Object.assign(this, {
      state: status.state,
      lastState: status.lastState ?? {},
      restartCount: status.restartCount,
      ready: status.ready,
      started: status.started ?? false,
    });
    this.#id = status.containerID;
    if (!this.isRunning) return;
    this.#launch();
    if (!this.ready) this.#warmUp();
  }

  /** Tries again what a container was waiting for before this process: it has failed as often as it had. */
  retry(status: ContainerStatus): void {
    this.restartCount = status.restartCount;
    this.lastState = status.lastState ?? {};
    this.#failures = status.restartCount;
    this.begin();
  }

  /** A ConfigMap or Secret of the namespace changed. */
  configChanged(): void {
    if (!this.#waitsForConfig) return;
    this.#waitsForConfig = false;
    this.#create();
  }

  /** The pod's annotations changed: what they say about readiness holds from now on. */
  reconsiderReadiness(): void {
    if (!this.isRunning) return;
    if (this.#failure()?.mode === 'never-ready') this.#setReady(false);
    else if (!this.ready) this.#warmUp();
  }

  /** Asks the process to end and, after `graceMs`, ends it. The owner hears of it by `ended`. */
  stop(graceMs: number, reason = `Stopping container ${this.container.name}`): void {
    this.#timers.clear();
    this.#waitsForConfig = false;
    if (!this.isRunning) return;
    this.#tell('Normal', 'Killing', reason);
    const hook = this.container.lifecycle?.preStop?.sleep?.seconds ?? 0;
    const ask = (): void => {
      if (this.#failure()?.mode !== 'slow-stop') this.#running?.stop();
    };
    if (hook > 0) this.#timers.later(Math.min(hook * 1000, graceMs), ask);
    else ask();
    this.#timers.later(graceMs, () => this.#exit(137));
  }

  /** The pod is gone: no farewell, no word to the owner. */
  abandon(): void {
    this.#timers.clear();
    this.#running?.kill();
    this.#running = undefined;
    this.log?.close(this.#now());
  }

  /** Starts again after an end: the first time at once, then after growing pauses. */
  restart(): void {
    const ranFor = this.#now() - Date.parse(this.state.terminated?.startedAt ?? '');
    this.#failures = ranFor >= goodRun ? 1 : this.#failures + 1;
    const again = (): void => {
      this.restartCount += 1;
      this.begin();
    };
    if (this.#failures === 1) {
      this.#timers.later(1000, () => {
        this.lastState = this.state;
        again();
      });
      return;
    }
    const pause = backOff(this.#failures - 1);
    const { name, namespace, uid } = this.#owner.pod().metadata;
    const where = `pod=${name}_${namespace}(${uid})`;
    this.lastState = this.state;
    const message = `back-off ${goDuration(pause)} restarting failed container=${this.container.name} ${where}`;
    this.#wait('CrashLoopBackOff', message);
    const told = `Back-off restarting failed container ${this.container.name} in pod ${name}_${namespace}(${uid})`;
    this.#tell('Warning', 'BackOff', told);
    this.#timers.later(pause, again);
  }

  respond(port: number, request: Request): Promise<Response> | undefined {
    return this.#running?.respond?.(port, request);
  }

  status(): ContainerStatus {
    return {
      name: this.container.name,
      image: this.#id ? fullImageName(this.image) : this.image,
      imageID: this.#id ? imageId(this.image) : '',
      ...(this.#id && { containerID: this.#id }),
      ready: this.isInit && !this.isSidecar ? this.exitCode === 0 : this.ready,
      started: this.started,
      restartCount: this.restartCount,
      state: this.state,
      lastState: this.lastState,
    };
  }

  #create(): void {
    const environment = environmentOf(this.#host.world, this.#owner.pod(), this.container);
    if ('missing' in environment) {
      this.#tell('Warning', 'Failed', `Error: ${environment.missing}`);
      this.#waitsForConfig = true;
      this.#wait('CreateContainerConfigError', environment.missing);
      return;
    }
    this.#tell('Normal', 'Created', 'Container created');
    this.#timers.later(within(this.#host.timing.start, this.#host.world.random), () => {
      const random = this.#host.world.random;
      this.#id = `containerd://${`${random.uuid()}${random.uuid()}`.replaceAll('-', '')}`;
      this.state = { running: { startedAt: timestamp(this.#now()) } };
      this.#tell('Normal', 'Started', 'Container started');
      this.#launch();
      if (!this.isRunning) return;
      this.#warmUp();
      this.#owner.changed();
    });
  }

  /** Starts the program, with the failures that were asked for. */
  #launch(): void {
    this.previousLog = this.log ?? this.previousLog;
    const log = new LogBook(this.#now());
    this.log = log;
    const { container, image } = this;
    const exit = (code: number): void => this.#exit(code);
    this.#running = launch(this.#host, {
      pod: this.#owner.pod(),
      container,
      image,
      files: this.#owner.freshFiles(this),
      log,
      exit,
    });
    this.#scheduleFailure(log);
  }

  #scheduleFailure(log: LogBook): void {
    const failure = this.#failure();
    if (!failure || !('after' in failure) || this.restartCount >= failure.times) return;
    this.#timers.later(failure.after, () => {
      if (failure.mode === 'crash-loop') {
        log.write(this.#now(), `fatal: exiting with code ${failure.exit} as asked by annotation`);
        this.#exit(failure.exit);
      } else if (failure.mode === 'out-of-memory') {
        this.#exitReason = 'OOMKilled';
        this.#exit(137);
      } else {
        this.#tell('Warning', 'Unhealthy', 'Liveness probe failed: HTTP probe failed with statuscode: 500');
        const name = this.container.name;
        this.stop(this.#grace(), `Container ${name} failed liveness probe, will be restarted`);
      }
    });
  }

  #grace(): number {
    return (this.#owner.pod().spec.terminationGracePeriodSeconds ?? 30) * 1000;
  }

  /** Waits for a program that says when it is warm; not for others. */
  #warmUp(): void {
    const running = this.#running;
    const probe = (): void => {
      if (this.#running === running) this.#probe();
    };
    if (running?.warm) void running.warm.then(probe);
    else this.#probe();
  }

  /**
   * When the probes will have succeeded. They are believed, unless the annotation makes one fail or the program says where
   * it listens: then it is asked, once, for what it answers does not change.
   */
  #probe(): void {
    const running = this.#running;
    if (running?.listens) void this.#ask(running);
    else this.#believe();
  }

  async #ask(running: Running): Promise<void> {
    const { container } = this;
    const pod = this.#owner.pod();
    const { startupProbe, readinessProbe } = container;
    const startup = startupProbe && (await probeFailure(running, container, pod, startupProbe));
    const readiness = readinessProbe && (await probeFailure(running, container, pod, readinessProbe));
    if (this.#running !== running) return;
    if (startup === undefined && readiness === undefined) return this.#believe();
    const failed = startup === undefined ? readinessProbe : startupProbe;
    const text = startup === undefined ? `Readiness probe failed: ${readiness}` : `Startup probe failed: ${startup}`;
    if (startup === undefined) this.started = true;
    this.#timers.later(this.#probeDelay(failed?.initialDelaySeconds), () => {
      this.#tell('Warning', 'Unhealthy', text);
      this.#owner.changed();
    });
    if (startup === undefined || !startupProbe) return;
    const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 } = startupProbe;
    this.#timers.later((initialDelaySeconds + periodSeconds * failureThreshold) * 1000, () => {
      this.stop(this.#grace(), `Container ${container.name} failed startup probe, will be restarted`);
    });
  }

  #believe(): void {
    const failure = this.#failure();
    const { startupProbe: startup, readinessProbe: probe } = this.container;
    const start = startup ? this.#probeDelay(startup.initialDelaySeconds) : 0;
    const begun = (): void => {
      this.started = true;
      this.#owner.changed();
    };
    if (start === 0) this.started = true;
    else if (!this.started) this.#timers.later(start, begun);
    if (failure?.mode === 'never-ready') {
      this.#timers.later(this.#probeDelay(probe?.initialDelaySeconds), () => {
        this.#tell('Warning', 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503');
      });
      return;
    }
    let wait = start;
    if (probe) {
      const more = Math.max(0, (probe.successThreshold ?? 1) - 1) * (probe.periodSeconds ?? 10) * 1000;
      wait += this.#probeDelay(probe.initialDelaySeconds) + more;
    }
    if (failure?.mode === 'slow-start') wait = Math.max(wait, failure.for);
    if (wait === 0) this.#setReady(true);
    else this.#timers.later(wait, () => this.#setReady(true));
  }

  #probeDelay(initialSeconds = 0): number {
    return initialSeconds * 1000 + within(this.#host.timing.warmUp, this.#host.world.random);
  }

  #setReady(ready: boolean): void {
    if (this.ready === ready) return;
    this.ready = ready;
    this.#owner.changed();
  }

  #exit(code: number): void {
    const startedAt = this.state.running?.startedAt;
    if (startedAt === undefined) return;
    this.#timers.clear();
    this.#running?.kill();
    this.#running = undefined;
    this.log?.close(this.#now());
    this.ready = false;
    this.started = false;
    this.state = {
      terminated: {
        exitCode: code,
        reason: this.#exitReason ?? (code === 0 ? 'Completed' : 'Error'),
        startedAt,
        finishedAt: timestamp(this.#now()),
        ...(this.#id && { containerID: this.#id }),
      },
    };
    this.#exitReason = undefined;
    this.#owner.ended(this, code);
    this.#owner.changed();
  }

  #wait(reason: string, message: string): void {
    this.state = { waiting: { reason, message } };
    this.#owner.changed();
  }

  #failure(): Failure | undefined {
    return failureOf(this.#owner.pod(), this.container.name, this.isInit);
  }

  #currentImage(): string {
    const { containers, initContainers = [] } = this.#owner.pod().spec;
    const list = this.isInit ? initContainers : containers;
    return list.find((one) => one.name === this.container.name)?.image ?? this.image;
  }

  #tell(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const list = this.isInit ? 'initContainers' : 'containers';
    this.#host.tell(this.#owner.pod(), type, reason, message, `spec.${list}{${this.container.name}}`);
  }

  #now(): number {
    return this.#host.world.clock.now();
  }
}
