import type { Clock, Instant } from '../../../clock/clock.ts';
import { type CountState, count } from './counting.ts';

/** How a run ended: as its job did, or `restarted` after a failure, or `lost` with its JobManager. */
export type RunEnd = 'FINISHED' | 'CANCELED' | 'FAILED' | 'restarted' | 'lost';

/** What a run is made of. */
export interface RunOrigin {
  /** `namespace/name` of the Flink cluster. */
  readonly cluster: string;
  readonly jobId: string;
  readonly jobName: string;
  /** The program's `--label`. */
  readonly label: string;
  /** From 0, counted anew by every JobManager. */
  readonly attempt: number;
  /** Where its state came from; undefined when it began empty. */
  readonly restoredFrom: string | undefined;
  readonly base: CountState;
  readonly rate: number;
  readonly keys: number;
  /** Pods that its tasks run in. */
  readonly taskManagers: readonly string[];
}

/**
 * One execution of a job's tasks, from deployment to their end: the records `from` … `to − 1`, in one stretch. Nothing
 * is done per record: how far it is follows from the clock.
 */
export class Run {
  readonly origin: RunOrigin;
  readonly startedAt: Instant;
  readonly #clock: Clock;
  readonly #start: number;
  /** Time during which nothing was read (a stop-with-savepoint that failed). */
  #idle = 0;
  #pausedAt: number | undefined;
  #endedAt: number | undefined;
  #end: RunEnd | undefined;

  constructor(clock: Clock, origin: RunOrigin) {
    this.origin = origin;
    this.startedAt = clock.now();
    this.#clock = clock;
    this.#start = clock.monotonic();
  }

  get from(): number {
    return this.origin.base.offset;
  }

  /** One past the last record read so far. */
  get to(): number {
    return this.#offsetAt(this.#clock.monotonic());
  }

  get ageMs(): number {
    return this.#clock.monotonic() - this.#start;
  }

  get end(): RunEnd | undefined {
    return this.#end;
  }

  get isLive(): boolean {
    return this.#end === undefined;
  }

  /** What its sink has shown last. */
  get state(): CountState {
    return this.stateAt(this.#clock.monotonic());
  }

  /** As of a monotonic instant. */
  stateAt(at: number): CountState {
    return count(this.origin.base, this.#offsetAt(at), this.origin.keys);
  }

  /** Whether it was running at a monotonic instant. */
  ranAt(at: number): boolean {
    return at >= this.#start && at <= (this.#endedAt ?? Number.POSITIVE_INFINITY);
  }

  /** The source stops reading: the barrier of a stop-with-savepoint has passed it. */
  pause(): void {
    this.#pausedAt ??= this.#clock.monotonic();
  }

  resume(): void {
    if (this.#pausedAt === undefined || !this.isLive) return;
    this.#idle += this.#clock.monotonic() - this.#pausedAt;
    this.#pausedAt = undefined;
  }

  finish(end: RunEnd): void {
    if (!this.isLive) return;
    this.#endedAt = this.#clock.monotonic();
    this.#end = end;
  }

  #offsetAt(at: number): number {
    const until = Math.min(at, this.#pausedAt ?? at, this.#endedAt ?? at);
    const busy = Math.max(0, until - this.#start - this.#idle);
    return this.from + Math.floor((busy * this.origin.rate) / 1000);
  }
}
