import type { Clock, Instant } from '../../../clock/clock.ts';
import type { CountState } from './counting.ts';
import type { FlinkWorld } from './flink-world.ts';
import type { Run } from './run.ts';
import { removeSnapshot, type Snapshot, sourceUid, writeSnapshot } from './snapshot-file.ts';

export type Retention = 'RETAIN_ON_CANCELLATION' | 'DELETE_ON_CANCELLATION' | 'NO_EXTERNALIZED_CHECKPOINTS';

export interface CheckpointSettings {
  /** Undefined: no periodic checkpoints. */
  readonly intervalMs: number | undefined;
  /** Undefined: they stay in the JobManager's memory. */
  readonly directory: string | undefined;
  readonly savepointDirectory: string | undefined;
  readonly retained: number;
  readonly retention: Retention;
  readonly tolerableFailures: number;
  readonly timeoutMs: number;
  /** Whether the job owns, and in time deletes, the snapshot it was restored from. */
  readonly claims: boolean;
}

export type CheckpointKind = 'CHECKPOINT' | 'SAVEPOINT' | 'SYNC_SAVEPOINT';

/** One line of the checkpoint history. */
export interface CheckpointRecord {
  readonly id: number;
  readonly kind: CheckpointKind;
  readonly format: 'CANONICAL' | 'NATIVE' | null;
  readonly triggeredAt: Instant;
  status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  durationMs: number;
  path: string | undefined;
  message?: string;
  discarded: boolean;
}

/** A snapshot that the job would restart from. */
export interface Retained {
  readonly id: number;
  /** Undefined when it lives in memory only. */
  readonly path: string | undefined;
  readonly isSavepoint: boolean;
  readonly state: CountState;
  /** Whether it goes when newer ones push it out. */
  readonly owned: boolean;
}

export interface Restored {
  readonly id: number;
  readonly at: Instant;
  readonly isSavepoint: boolean;
  readonly path: string | undefined;
}

export const notAddressable = '<checkpoint-not-externally-addressable>';

const historySize = 10;

/** How long a checkpoint takes: derived from its id, so that it needs no chance at the moment someone looks. */
const durationOf = (id: number): number => 20 + ((id * 37) % 60);

/**
 * The checkpoints of one job in one JobManager. Periodic ones cost no timer: `catchUp` works out which have completed
 * by now, keeps the newest in the storage and counts the rest. Savepoints are taken one by one.
 */
export class Checkpoints {
  readonly counts = { restored: 0, completed: 0, failed: 0 };
  readonly history: CheckpointRecord[] = [];
  readonly latest: { completed?: CheckpointRecord; savepoint?: CheckpointRecord; failed?: CheckpointRecord } = {};
  restored: Restored | undefined;
  readonly #clock: Clock;
  readonly #world: FlinkWorld;
  readonly #jobId: string;
  readonly #countUid: string;
  readonly #settings: CheckpointSettings;
  readonly #fails: (use: boolean) => boolean;
  #retained: Retained[] = [];
  #next = 1;
  #run: Run | undefined;
  #nextAt: number | undefined;
  #failuresInARow = 0;

  constructor(
    clock: Clock,
    world: FlinkWorld,
    job: { readonly id: string; readonly countUid: string },
    settings: CheckpointSettings,
    /** Whether checkpoints shall fail now; `use` counts one that does. */
    fails: (use: boolean) => boolean,
  ) {
    this.#clock = clock;
    this.#world = world;
    this.#jobId = job.id;
    this.#countUid = job.countUid;
    this.#settings = settings;
    this.#fails = fails;
  }

  /** Newest last. */
  get retained(): readonly Retained[] {
    return this.#retained;
  }

  /** The id that the next one gets. */
  get counter(): number {
    return this.#next;
  }

  get inProgress(): number {
    return this.history.filter(({ status }) => status === 'IN_PROGRESS').length;
  }

  get tooManyFailures(): boolean {
    return this.#failuresInARow > this.#settings.tolerableFailures;
  }

  /** Milliseconds until the next periodic checkpoint will have completed; undefined when there is none. */
  get untilNext(): number | undefined {
    if (this.#nextAt === undefined) return undefined;
    return Math.max(0, this.#nextAt + durationOf(this.#next) - this.#clock.monotonic());
  }

  /** The job was given this state; it counts as its first retained checkpoint. */
  restore(from: Retained): void {
    this.restored = { id: from.id, at: this.#clock.now(), isSavepoint: from.isSavepoint, path: from.path };
    this.counts.restored += 1;
    this.#next = Math.max(this.#next, from.id + 1);
    if (!this.#retained.some(({ id, path }) => id === from.id && path === from.path)) this.#retained.push(from);
  }

  /** Older ones that a JobManager before this one had retained. */
  adopt(retained: readonly Retained[], counter: number): void {
    this.#retained = [...retained];
    this.#next = Math.max(this.#next, counter);
  }

  /** Tasks run: periodic checkpoints begin. */
  begin(run: Run): void {
    this.#run = run;
    this.#failuresInARow = 0;
    const { intervalMs } = this.#settings;
    this.#nextAt = intervalMs === undefined ? undefined : this.#clock.monotonic() + intervalMs;
  }

  /** Tasks run no longer: nothing more comes, and what was in progress has failed. */
  end(): void {
    this.catchUp();
    this.#nextAt = undefined;
    this.#run = undefined;
    for (const record of this.history) {
      if (record.status === 'IN_PROGRESS') this.fail(record, 'Checkpoint Coordinator is suspending.');
    }
  }

  /** Brings everything up to now. */
  catchUp(): void {
    const { intervalMs } = this.#settings;
    const now = this.#clock.monotonic();
    const run = this.#run;
    if (intervalMs === undefined || this.#nextAt === undefined || !run) return;
    const due = Math.floor((now - this.#nextAt) / intervalMs) + 1;
    const skipped = Math.max(0, due - Math.max(historySize, this.#settings.retained) - 1);
    if (skipped > 0 && !this.#fails(false)) {
      this.counts.completed += skipped;
      this.#next += skipped;
      this.#nextAt += skipped * intervalMs;
    }
    while (this.#nextAt !== undefined && this.#nextAt + durationOf(this.#next) <= now) {
      const at: number = this.#nextAt;
      this.#nextAt = at + intervalMs;
      const record = this.#begin('CHECKPOINT', null, this.#instant(at));
      if (this.#fails(true))
        this.#failAt(record, this.#instant(at) + durationOf(record.id), 'Asynchronous task checkpoint failed.');
      else this.#complete(record, run.stateAt(at), durationOf(record.id));
      if (this.tooManyFailures) return;
    }
  }

  /** Begins a savepoint, or a checkpoint that somebody asked for. */
  take(kind: CheckpointKind, format: CheckpointRecord['format']): CheckpointRecord {
    this.catchUp();
    return this.#begin(kind, format, this.#clock.now());
  }

  /** It succeeded: the state goes to `path`, or to the job's own checkpoint directory. */
  complete(record: CheckpointRecord, state: CountState, path?: string): void {
    if (record.status !== 'IN_PROGRESS') return;
    this.#complete(record, state, this.#clock.now() - record.triggeredAt, path);
  }

  fail(record: CheckpointRecord, message: string): void {
    if (record.status === 'IN_PROGRESS') this.#failAt(record, this.#clock.now(), message);
  }

  /** The job has ended for good: its retention decides what stays. Savepoints always do. */
  discard(end: 'FINISHED' | 'CANCELED' | 'FAILED'): void {
    const { retention } = this.#settings;
    const keeps =
      end === 'CANCELED'
        ? retention === 'RETAIN_ON_CANCELLATION'
        : end === 'FAILED'
          ? retention !== 'NO_EXTERNALIZED_CHECKPOINTS'
          : false;
    if (keeps) return;
    for (const one of this.#retained) this.#remove(one);
    this.#retained = [];
  }

  #begin(kind: CheckpointKind, format: CheckpointRecord['format'], triggeredAt: Instant): CheckpointRecord {
    const id = this.#next++;
    const status = 'IN_PROGRESS';
    const record: CheckpointRecord = {
      id,
      kind,
      format,
      triggeredAt,
      status,
      durationMs: 0,
      path: undefined,
      discarded: false,
    };
    this.history.unshift(record);
    this.history.splice(historySize);
    return record;
  }

  #complete(record: CheckpointRecord, state: CountState, durationMs: number, path?: string): void {
    const { directory, retained } = this.#settings;
    const isSavepoint = record.kind !== 'CHECKPOINT';
    const own = directory === undefined ? undefined : `${directory}/${this.#jobId}/chk-${record.id}`;
    record.status = 'COMPLETED';
    record.durationMs = durationMs;
    record.path = path ?? own;
    this.counts.completed += 1;
    this.#failuresInARow = 0;
    this.latest[isSavepoint ? 'savepoint' : 'completed'] = record;
    const snapshot: Snapshot = {
      jobId: this.#jobId,
      id: record.id,
      isSavepoint,
      sourceUid,
      countUid: this.#countUid,
      state,
    };
    if (record.path !== undefined) writeSnapshot(this.#world, record.path, snapshot);
    if (isSavepoint) return;
    this.#retained.push({ id: record.id, path: record.path, isSavepoint: false, state, owned: true });
    for (const old of this.#retained.splice(0, Math.max(0, this.#retained.length - retained))) this.#remove(old);
  }

  #failAt(record: CheckpointRecord, at: Instant, message: string): void {
    record.status = 'FAILED';
    record.durationMs = at - record.triggeredAt;
    record.message = message;
    this.counts.failed += 1;
    if (record.kind === 'CHECKPOINT') this.#failuresInARow += 1;
    this.latest.failed = record;
  }

  #remove(one: Retained): void {
    if (one.path !== undefined && one.owned) removeSnapshot(this.#world, one.path);
    const record = this.history.find(({ id }) => id === one.id);
    if (record && one.owned) record.discarded = true;
  }

  #instant(monotonic: number): Instant {
    return this.#clock.now() - (this.#clock.monotonic() - monotonic);
  }
}
