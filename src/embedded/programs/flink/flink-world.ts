import type { Clock } from '../../../clock/clock.ts';
import { type Audit, audit } from './audit.ts';
import type { Failures } from './failures.ts';
import type { Run, RunOrigin } from './run.ts';
import { MemoryStorage, type ObjectStorage } from './storage.ts';

/** A JobManager as TaskManagers of the same network reach it. */
export interface JobManagerPort {
  /** Whether it takes TaskManagers now: only a leader does. */
  readonly leads: boolean;
  register(worker: TaskManagerPort): void;
  /** A connection broke: the TaskManager's process has ended. */
  lost(worker: TaskManagerPort): void;
}

/** A TaskManager as its JobManager reaches it. */
export interface TaskManagerPort {
  /** Flink's resource id. */
  readonly id: string;
  readonly podName: string;
  readonly address: string;
  readonly slots: number;
  /** The JobManager's process has ended, or it no longer leads. */
  disconnected(): void;
  /** The JobManager wants it gone. */
  shutDown(): void;
}

/** How many ended runs are remembered. */
const mostRuns = 10_000;

/**
 * What the Flink clusters of one embedded Kubernetes share, beyond pods and API: their storage, the network between
 * JobManagers and TaskManagers, and the record of every run, which is what tests ask.
 */
export class FlinkWorld {
  readonly #storage: ObjectStorage;
  readonly #jobManagers = new Map<string, JobManagerPort>();
  readonly #leaders = new Map<string, JobManagerPort>();
  readonly #leases = new Map<string, 'held' | number>();
  readonly #waiting = new Set<() => void>();
  readonly #settlers = new Set<() => void>();
  readonly #refused = new Set<string>();
  readonly #failures = new Map<string, Failures>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #used = new Map<string, number>();
  readonly #runs: Run[] = [];

  constructor(storage: ObjectStorage = new MemoryStorage()) {
    this.#storage = storage;
  }

  /** Every run since this process started, oldest first; of one cluster (`namespace/name`), job or label if asked. */
  runs(where: Partial<Pick<RunOrigin, 'cluster' | 'jobId' | 'label'>> = {}): readonly Run[] {
    const asked = Object.entries(where) as [keyof RunOrigin, unknown][];
    return this.#runs.filter((run) => asked.every(([key, value]) => run.origin[key] === value));
  }

  /** What became of the records that those runs have read: what a test of "nothing lost, nothing doubled" asks. */
  audit(where: Parameters<FlinkWorld['runs']>[0] = {}): Audit {
    return audit(this.runs(where));
  }

  /** Makes things go wrong in a cluster (`namespace/name`) from now on, on top of what its pods' annotations say. */
  fail(cluster: string, failures: Failures): void {
    this.#failures.set(cluster, failures);
    for (const key of this.#used.keys()) if (key.startsWith(`${cluster}/`)) this.#used.delete(key);
    for (const listener of [...(this.#listeners.get(cluster) ?? [])]) listener();
  }

  /** Writing below this path fails from now on. */
  refuseWrites(prefix: string): void {
    this.#refused.add(prefix);
  }

  /** The storage, with every checkpoint in it that is due by now. */
  get storage(): ObjectStorage {
    for (const settle of this.#settlers) settle();
    return this.#storage;
  }

  /** Whether something can be written there. */
  isWritable(path: string): boolean {
    return !path.startsWith('file:/proc') && ![...this.#refused].some((prefix) => path.startsWith(prefix));
  }

  /** Calls before the storage is read, so that what is written lazily is there. Returns the way to call it off. */
  beforeReading(settle: () => void): () => void {
    this.#settlers.add(settle);
    return () => void this.#settlers.delete(settle);
  }

  /** The same storage without settling: for whoever settles. */
  get unsettled(): ObjectStorage {
    return this.#storage;
  }

  record(run: Run): void {
    this.#runs.push(run);
    if (this.#runs.length > mostRuns) this.#runs.shift();
  }

  /** A failure that was asked for, if its times are not used up. `use` counts one. */
  failure<What extends keyof Failures>(
    cluster: string,
    what: What,
    own: Failures,
    use = true,
  ): NonNullable<Failures[What]> | undefined {
    const found = { ...own, ...this.#failures.get(cluster) }[what];
    if (!found) return undefined;
    const key = `${cluster}/${what}`;
    const used = this.#used.get(key) ?? 0;
    if ('times' in found && found.times !== undefined && used >= found.times) return undefined;
    if (use) this.#used.set(key, used + 1);
    return found;
  }

  /** Calls whenever `fail` was called for a cluster. Returns the way to call it off. */
  onFailures(cluster: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(cluster) ?? new Set();
    this.#listeners.set(cluster, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(cluster);
    };
  }

  /** A JobManager listens at an address from now on. Returns the way to end it. */
  listen(address: string, port: JobManagerPort): () => void {
    this.#jobManagers.set(address, port);
    return () => void (this.#jobManagers.get(address) === port && this.#jobManagers.delete(address));
  }

  jobManagerAt(address: string): JobManagerPort | undefined {
    return this.#jobManagers.get(address);
  }

  /** A JobManager leads its cluster from now on. Returns the way to end it. */
  lead(cluster: string, port: JobManagerPort): () => void {
    this.#leaders.set(cluster, port);
    return () => void (this.#leaders.get(cluster) === port && this.#leaders.delete(cluster));
  }

  leaderOf(cluster: string): JobManagerPort | undefined {
    return this.#leaders.get(cluster);
  }

  /** An HA lease is taken by a living process. */
  holdLease(identity: string): void {
    this.#leases.set(identity, 'held');
  }

  /** Its process has ended: the lease runs out at a monotonic instant. */
  endLease(identity: string, clock: Clock, leaseMs: number): void {
    this.#leases.set(identity, clock.monotonic() + leaseMs);
    this.wake();
  }

  /** Until when (monotonic) a lease holds; `held` while its process lives; undefined when nobody knows of it. */
  leaseOf(identity: string): 'held' | number | undefined {
    return this.#leases.get(identity);
  }

  /** Calls once when a lease was given up or a JobManager began to lead. Returns the way to call it off. */
  onChange(listener: () => void): () => void {
    this.#waiting.add(listener);
    return () => void this.#waiting.delete(listener);
  }

  wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const listener of waiting) listener();
  }
}
