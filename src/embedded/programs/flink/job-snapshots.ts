import { Timers } from '../../nodes/timers.ts';
import type { CheckpointRecord, CheckpointSettings, Checkpoints } from './checkpoints.ts';
import type { Failures } from './failures.ts';
import type { JobOwner } from './job-owner.ts';
import type { Run } from './run.ts';
import { checkpointFailed, directoryRefused, noSavepointDirectory, type Throwable } from './throwable.ts';

/** What came of a savepoint or checkpoint. */
export type SnapshotOutcome = { readonly location: string; readonly id: number } | { readonly problem: Throwable };

export interface SavepointRequest {
  /** Undefined: the one that is configured. */
  readonly directory: string | undefined;
  readonly format: 'CANONICAL' | 'NATIVE';
  /** What becomes of the job when it succeeds. */
  readonly end: 'continue' | 'stop' | 'cancel';
}

interface Taken {
  readonly id: string;
  readonly settings: CheckpointSettings;
  readonly checkpoints: Checkpoints;
  readonly failures: Failures;
}

const suspending = 'Checkpoint Coordinator is suspending.';

/** Savepoints, and checkpoints that somebody asked for, while they are under way. They end with the job's tasks. */
export class JobSnapshots {
  readonly #owner: JobOwner;
  readonly #job: Taken;
  readonly #timers: Timers;
  readonly #pending = new Set<(problem: Throwable) => void>();

  constructor(owner: JobOwner, job: Taken) {
    this.#owner = owner;
    this.#job = job;
    this.#timers = new Timers(owner.here.clock);
  }

  /** `ended` hears of a job that ends with its savepoint, after the outcome is known. */
  savepoint(
    run: Run,
    { directory: given, format, end }: SavepointRequest,
    ended: () => void,
  ): Promise<SnapshotOutcome> {
    const { world, cluster, here } = this.#owner;
    const { settings, checkpoints, failures, id } = this.#job;
    const directory = given ?? settings.savepointDirectory;
    if (directory === undefined) return Promise.resolve({ problem: noSavepointDirectory });
    const record = checkpoints.take(end === 'stop' ? 'SYNC_SAVEPOINT' : 'SAVEPOINT', format);
    const suffix = here.random.uuid().replaceAll('-', '').slice(0, 12);
    const location = `${directory}/savepoint-${id.slice(0, 6)}-${suffix}`;
    const asked = world.failure(cluster, 'savepoints', failures);
    // The barrier of a stop passes the source now: nothing after it is read, however long the savepoint takes.
    if (end !== 'continue') run.pause();
    const { state } = run;
    const limit = settings.timeoutMs;
    const chosen = asked?.mode === 'never' ? limit : asked?.mode === 'slow' ? (asked.ms ?? 30_000) : undefined;
    const duration = chosen ?? 100 + here.random.next() * 200;
    return this.#take(record, Math.min(limit, duration), {
      failed: () => run.resume(),
      judge: () => {
        if (duration >= limit) return checkpointFailed('Checkpoint expired before completing.');
        const io = 'An Exception occurred while triggering the checkpoint. IO-problem detected.';
        if (!world.isWritable(directory)) return checkpointFailed(io, directoryRefused(directory));
        return asked?.mode === 'fail' ? checkpointFailed('Asynchronous task checkpoint failed.') : undefined;
      },
      succeed: () => checkpoints.complete(record, state, location),
      after: () => {
        if (end !== 'continue') ended();
      },
    });
  }

  checkpoint(run: Run, completed: () => void): Promise<SnapshotOutcome> {
    const { world, cluster } = this.#owner;
    const { checkpoints, failures } = this.#job;
    const record = checkpoints.take('CHECKPOINT', null);
    const { state } = run;
    return this.#take(record, 60, {
      failed: () => {},
      judge: () =>
        world.failure(cluster, 'checkpoints', failures)
          ? checkpointFailed('Asynchronous task checkpoint failed.')
          : undefined,
      succeed: () => checkpoints.complete(record, state),
      after: completed,
    });
  }

  /** The tasks have ended: nothing that is under way succeeds any more. */
  abort(): void {
    this.#timers.clear();
    for (const fail of [...this.#pending]) fail(checkpointFailed(suspending));
  }

  #take(
    record: CheckpointRecord,
    ms: number,
    steps: { failed(): void; judge(): Throwable | undefined; succeed(): void; after(): void },
  ): Promise<SnapshotOutcome> {
    const { promise, resolve } = Promise.withResolvers<SnapshotOutcome>();
    const fail = (problem: Throwable): void => {
      this.#pending.delete(fail);
      this.#job.checkpoints.fail(record, problem.message);
      steps.failed();
      resolve({ problem });
    };
    this.#pending.add(fail);
    this.#timers.later(ms, () => {
      const problem = steps.judge();
      if (problem) {
        fail(problem);
        return;
      }
      this.#pending.delete(fail);
      steps.succeed();
      resolve({ location: record.path ?? '', id: record.id });
      steps.after();
    });
    return promise;
  }
}
