import type { Surroundings } from '../program.ts';
import type { Failures } from './failures.ts';
import type { FlinkWorld } from './flink-world.ts';
import type { Job } from './job.ts';
import type { Slots } from './slots.ts';

/** What a job needs of the JobManager that runs it. */
export interface JobOwner {
  readonly here: Pick<Surroundings, 'clock' | 'random'>;
  readonly world: FlinkWorld;
  /** `namespace/name`. */
  readonly cluster: string;
  /** Flink's release. */
  readonly version: string;
  readonly failures: Failures;
  readonly slots: Slots;
  readonly slotTimeoutMs: number;
  readonly isHighlyAvailable: boolean;
  log(level: 'INFO' | 'WARN' | 'ERROR', text: string): void;
  /** A job's wish for slots changed. */
  slotsWanted(): void;
  /** A job gave slots back. */
  slotsFreed(): void;
  /** The retained checkpoints of a job changed. */
  checkpointed(job: Job): void;
  /** A job has ended for good. */
  ended(job: Job, end: 'FINISHED' | 'CANCELED' | 'FAILED'): void;
}
