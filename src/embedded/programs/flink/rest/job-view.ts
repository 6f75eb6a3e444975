import type { Clock, Instant } from '../../../../clock/clock.ts';
import type { CheckpointRecord, Restored } from '../checkpoints.ts';
import type { Job } from '../job.ts';
import type { JobFailure } from '../job-failure.ts';
import type { JobStatus, TaskStatus } from '../job-status.ts';

/** A job as it was at one moment: what REST answers from. */
export interface JobView {
  readonly status: JobStatus;
  readonly entered: Readonly<Partial<Record<JobStatus, Instant>>>;
  readonly startedAt: Instant;
  readonly modifiedAt: Instant;
  readonly endedAt: Instant | undefined;
  readonly tasks: TaskStatus;
  readonly hasTasks: boolean;
  readonly parallelism: number;
  readonly runStartedAt: Instant | undefined;
  readonly records: number;
  readonly failures: readonly JobFailure[];
  readonly checkpoints: {
    readonly counts: Readonly<Record<'restored' | 'completed' | 'failed', number>>;
    readonly inProgress: number;
    readonly history: readonly CheckpointRecord[];
    readonly latest: Readonly<Partial<Record<'completed' | 'savepoint' | 'failed', CheckpointRecord>>>;
    readonly restored: Restored | undefined;
  };
}

export function viewOf(job: Job): JobView {
  const { checkpoints, statuses, last } = job;
  checkpoints.catchUp();
  return {
    status: statuses.current,
    entered: { ...statuses.entered },
    startedAt: statuses.startedAt,
    modifiedAt: statuses.modifiedAt,
    endedAt: statuses.endedAt,
    tasks: statuses.tasks,
    hasTasks: statuses.hasTasks,
    parallelism: job.parallelism,
    runStartedAt: last?.startedAt,
    records: last ? last.to - last.from : 0,
    failures: [...job.failures],
    checkpoints: {
      counts: { ...checkpoints.counts },
      inProgress: checkpoints.inProgress,
      history: checkpoints.history.map((one) => ({ ...one })),
      latest: Object.fromEntries(Object.entries(checkpoints.latest).map(([key, one]) => [key, { ...one }])),
      restored: checkpoints.restored,
    },
  };
}

const mostViews = 1000;

/** How long a view of either kind is good for, in milliseconds. */
export interface Refresh {
  readonly graph: number;
  readonly checkpoints: number;
}

/** The views that REST has taken: it looks at a job only so often, and repeats itself in between. */
export class JobViews {
  readonly #clock: Clock;
  readonly #refresh: Refresh;
  readonly #taken = new Map<string, { readonly at: number; readonly view: JobView }>();

  constructor(clock: Clock, refresh: Refresh) {
    this.#clock = clock;
    this.#refresh = refresh;
  }

  /** Of the details (`graph`) or of the checkpoints, which are refreshed apart. */
  of(job: Job, what: keyof Refresh): JobView {
    const key = `${what}/${job.id}`;
    const now = this.#clock.monotonic();
    const known = this.#taken.get(key);
    if (known && now - known.at < this.#refresh[what]) return known.view;
    const view = viewOf(job);
    if (this.#taken.size >= mostViews) this.#taken.clear();
    this.#taken.set(key, { at: now, view });
    return view;
  }
}
