import type { Clock, Instant } from '../../../clock/clock.ts';

export const jobStatuses = [
  'INITIALIZING',
  'CREATED',
  'RUNNING',
  'FAILING',
  'FAILED',
  'CANCELLING',
  'CANCELED',
  'FINISHED',
  'RESTARTING',
  'SUSPENDED',
  'RECONCILING',
] as const;

export type JobStatus = (typeof jobStatuses)[number];

/** All tasks of a job are in one of these at a time; the simulation knows no stragglers. */
export const taskStatuses = [
  'CREATED',
  'SCHEDULED',
  'DEPLOYING',
  'INITIALIZING',
  'RUNNING',
  'FINISHED',
  'CANCELING',
  'CANCELED',
  'FAILED',
  'RECONCILING',
] as const;

export type TaskStatus = (typeof taskStatuses)[number];

/** Which state a job is in, and when it entered which. */
export class JobStatuses {
  readonly startedAt: Instant;
  readonly entered: Partial<Record<JobStatus, Instant>>;
  tasks: TaskStatus = 'CREATED';
  /** When the tasks last began to run, and ended. */
  tasksStartedAt: Instant | undefined;
  /** A job that could not be initialised has none. */
  hasTasks = true;
  modifiedAt: Instant;
  endedAt: Instant | undefined;
  readonly #clock: Clock;
  #current: JobStatus = 'INITIALIZING';

  constructor(clock: Clock) {
    this.#clock = clock;
    this.startedAt = clock.now();
    this.modifiedAt = this.startedAt;
    this.entered = { INITIALIZING: this.startedAt };
  }

  get current(): JobStatus {
    return this.#current;
  }

  get isTerminal(): boolean {
    return this.endedAt !== undefined;
  }

  enter(status: JobStatus): void {
    this.#current = status;
    this.modifiedAt = this.#clock.now();
    this.entered[status] = this.modifiedAt;
    if (status === 'FINISHED' || status === 'CANCELED' || status === 'FAILED') this.endedAt = this.modifiedAt;
  }
}

export const isTerminalStatus = (status: JobStatus): boolean =>
  status === 'FINISHED' || status === 'CANCELED' || status === 'FAILED';
