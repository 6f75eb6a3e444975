import type { Instant } from '../clock/clock.ts';
import type { JobState } from './resources/job-status.ts';

/**
 * What is known of one Flink cluster over REST. It cannot be watched, so everything carries the instant when it was
 * told; what was told by an earlier JobManager process is forgotten. Values were checked: an answer that is not JSON,
 * is cut off, or speaks of another job than asked is trouble, not a value.
 */
export interface Rest {
  /** Whether there is anybody to ask: some JobManager pod is ready. */
  readonly asked: boolean;
  /** Set while the last try failed. */
  readonly trouble: Trouble | undefined;
  readonly jobs: Told<readonly JobOverview[]> | undefined;
  readonly version: Told<{ readonly version: string; readonly revision: string }> | undefined;
  readonly taskManagers: Told<number> | undefined;
  /** Of the job that was asked for. */
  readonly job: JobTold;
  /** Of the triggers that were asked for, by trigger id. */
  readonly operations: Readonly<Record<string, Told<Operation>>>;
}

export interface Told<T> {
  readonly at: Instant;
  readonly value: T;
}

export interface Trouble {
  /**
   * - `unreachable`: no connection, or no answer in time
   * - `not ready`: 503, or another answer that says to come again
   * - `nonsense`: an answer that cannot be read, or that speaks of something else
   * - `refused`: an answer that says no
   */
  readonly kind: 'unreachable' | 'not ready' | 'nonsense' | 'refused';
  readonly message: string;
  /** When it first failed without a success in between, and when it failed last. */
  readonly since: Instant;
  readonly at: Instant;
}

/** States that a job never leaves. */
export function terminal(state: string | undefined): boolean {
  return state === 'FAILED' || state === 'CANCELED' || state === 'FINISHED';
}

export interface JobOverview {
  readonly id: string;
  readonly name: string;
  readonly state: JobState;
  readonly startedAt: Instant;
  /** When its state, or that of one of its tasks, changed last, by Flink's clock. */
  readonly changedAt?: Instant;
  /** It says RUNNING, but some tasks do not run yet: whoever asks for a savepoint now is told that it failed. */
  readonly starting?: true;
  /** Some of its tasks have no slot yet. */
  readonly waiting?: true;
}

export interface JobTold {
  readonly checkpoints: Told<Checkpoints> | undefined;
  /** Newest first. */
  readonly exceptions: Told<readonly JobException[]> | undefined;
  /** Why it failed; asked only of FAILED jobs. */
  readonly failure: Told<{ readonly summary: string; readonly stack: string }> | undefined;
  /** `numRestarts` or `fullRestarts`, `numberOfCompletedCheckpoints`; asked only when health is checked. */
  readonly metrics: Told<Readonly<Record<string, number>>> | undefined;
  /** Bounds per vertex; asked only when a job is to be rescaled in place. */
  readonly requirements: Told<Readonly<Record<string, { readonly lower: number; readonly upper: number }>>> | undefined;
}

export interface Checkpoints {
  /** The newest of completed checkpoint, savepoint and restored one, by id. */
  readonly last: CheckpointSeen | undefined;
  readonly lastCompleted: CheckpointSeen | undefined;
  readonly lastSavepoint: CheckpointSeen | undefined;
  readonly inProgress: { readonly id: number; readonly triggeredAt: Instant } | undefined;
  readonly counts: { readonly completed: number; readonly failed: number };
}

export interface CheckpointSeen {
  readonly id: number;
  /** Absent when it is not externally addressable: such state can be carried over only by HA metadata. */
  readonly path: string | undefined;
  readonly triggeredAt: Instant;
  readonly sizeBytes: number;
}

export interface JobException {
  readonly name: string;
  readonly stack: string;
  readonly at: Instant;
  readonly task: string | undefined;
  readonly endpoint: string | undefined;
  readonly taskManager: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

/** What became of a savepoint, a stop with savepoint or a checkpoint that was triggered. */
export type Operation =
  | { readonly is: 'in progress' }
  | { readonly is: 'done'; readonly location?: string; readonly checkpointId?: number }
  | { readonly is: 'failed'; readonly message: string }
  /** 404: the JobManager does not know the trigger. It restarted, or forgot it after a while. */
  | { readonly is: 'unknown' };

/** What may be asked of a cluster, beside its jobs. */
export type Want = 'checkpoints' | 'exceptions' | 'failure' | 'metrics' | 'requirements' | 'cluster info';

/** What a controller wants to know of a cluster. Asked for at every look; what nobody asks for any more is not fetched. */
export interface Interest {
  readonly cluster: ClusterAddress;
  /** Of the JobManager process; `undefined` while no JobManager pod is ready: then nobody is asked. */
  readonly incarnation: string | undefined;
  /** For how long Flink repeats what it said of a job, whatever happens to it meanwhile. */
  readonly repeatsMs: number;
  readonly jobId?: string;
  readonly wants: readonly Want[];
  /** Wanted as well, but a change of these is no reason to look again. */
  readonly background?: readonly Want[];
  readonly operations: readonly {
    readonly id: string;
    readonly of: 'savepoint' | 'checkpoint';
    readonly jobId: string;
  }[];
  /** How long until it is asked again. */
  readonly everyMs: number;
}

export type ClusterAddress = {
  readonly namespace: string;
  readonly name: string;
  /** Of the Service `NAME-rest`. */
  readonly port: number;
  readonly tls: boolean;
};
