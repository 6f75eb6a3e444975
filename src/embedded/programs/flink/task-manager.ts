import { Timers } from '../../nodes/timers.ts';
import type { Running, Surroundings } from '../program.ts';
import type { Configuration } from './configuration.ts';
import type { FlinkWorld, JobManagerPort, TaskManagerPort } from './flink-world.ts';
import { isHighlyAvailable, leaderAddress } from './high-availability.ts';
import { logLine } from './log-line.ts';

const retryMs = 1000;

/** One TaskManager process: finds the JobManager that leads, registers, and offers its slots until either ends. */
export class TaskManager implements TaskManagerPort, Running {
  readonly id: string;
  readonly podName: string;
  readonly address: string;
  readonly slots: number;
  readonly murmur: NonNullable<Running['murmur']>;
  readonly #here: Surroundings;
  readonly #world: FlinkWorld;
  readonly #configuration: Configuration;
  readonly #timers: Timers;
  #jobManager: JobManagerPort | undefined;
  #giveUpAt: number;
  #isOver = false;

  constructor(here: Surroundings, world: FlinkWorld, configuration: Configuration) {
    const { clock, random } = here;
    this.#here = here;
    this.#world = world;
    this.#configuration = configuration;
    this.#timers = new Timers(clock);
    this.podName = here.pod.metadata.name ?? '';
    this.address = here.env._POD_IP_ADDRESS || here.pod.status?.podIP || '127.0.0.1';
    this.slots = Math.max(1, configuration.integer('taskmanager.numberOfTaskSlots', 1));
    const suffix = random.uuid().slice(0, 6);
    this.id = configuration.text('taskmanager.resource-id') ?? `${this.address}:6122-${suffix}`;
    this.#giveUpAt = Number.POSITIVE_INFINITY;
    const startedAt = clock.monotonic();
    const everyMs = 60_000;
    this.murmur = { everyMs, line: (count) => this.#output(startedAt + count * everyMs) };
  }

  boot(): void {
    this.#log('INFO', `Starting TaskManager with ResourceID: ${this.id}`);
    this.#timers.later(1500 + this.#here.random.next() * 1000, () => this.#connect());
  }

  stop(): void {
    this.#log('INFO', 'RECEIVED SIGNAL 15: SIGTERM. Shutting down as requested.');
    this.#timers.clear();
    this.#timers.later(50 + this.#here.random.next() * 200, () => this.#here.exit(143));
  }

  kill(): void {
    this.#isOver = true;
    this.#timers.clear();
    this.#jobManager?.lost(this);
    this.#jobManager = undefined;
  }

  disconnected(): void {
    this.#jobManager = undefined;
    if (this.#isOver) return;
    this.#log('WARN', 'The connection to the JobManager was lost. Trying to connect again.');
    this.#connect();
  }

  shutDown(): void {
    this.#jobManager = undefined;
    this.#log('INFO', 'The JobManager does not need this TaskManager any more. Shutting down.');
    this.#timers.later(50, () => this.#here.exit(0));
  }

  /** Tries until it has registered, and ends itself when that takes too long. */
  #connect(): void {
    const { clock } = this.#here;
    this.#giveUpAt = clock.monotonic() + this.#configuration.duration('taskmanager.registration.timeout', 300_000);
    void this.#register();
  }

  async #register(): Promise<void> {
    const found = await this.#find();
    if (this.#isOver || this.#jobManager) return;
    if (found?.leads) {
      this.#jobManager = found;
      this.#log('INFO', 'Successful registration at the ResourceManager.');
      return found.register(this);
    }
    if (this.#here.clock.monotonic() >= this.#giveUpAt) {
      this.#log(
        'ERROR',
        'Could not register at the ResourceManager within the specified maximum registration duration. This indicates a problem with this instance. Terminating now.',
      );
      return this.#here.exit(1);
    }
    this.#timers.later(retryMs, () => void this.#register());
  }

  async #find(): Promise<JobManagerPort | undefined> {
    if (!isHighlyAvailable(this.#configuration)) {
      const host = this.#configuration.text('jobmanager.rpc.address') ?? 'localhost';
      return this.#here
        .resolve(host)
        .map((address) => this.#world.jobManagerAt(address))
        .find((one) => one !== undefined);
    }
    try {
      const address = await leaderAddress(this.#here, this.#configuration);
      return address === undefined ? undefined : this.#world.jobManagerAt(address);
    } catch (error) {
      this.#log('WARN', `Could not find the leader: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  /** What the sinks in its slots had shown at an instant: the job's output, for whoever reads the log. */
  #output(at: number): string {
    const running = this.#world.runs().filter((run) => run.origin.taskManagers.includes(this.podName) && run.ranAt(at));
    const texts = running.map((run) => {
      const { offset, counts } = run.stateAt(at);
      return `${run.origin.jobName} (${run.origin.jobId}): ${offset} records, counts ${counts.join(' ')}`;
    });
    return texts.length > 0 ? texts.join('; ') : 'no tasks';
  }

  #log(level: 'INFO' | 'WARN' | 'ERROR', text: string): void {
    this.#here.print(logLine(this.#here.clock.now(), level, text));
  }
}
