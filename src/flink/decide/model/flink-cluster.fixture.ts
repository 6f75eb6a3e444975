import type { JobState } from '../../resources/job-status.ts';
import type { Operation } from '../../rest.ts';

/** A savepoint or checkpoint: how many records had been counted. */
export interface Stored {
  readonly path: string;
  readonly count: number;
}

export interface ModelJob {
  readonly id: string;
  readonly startedAt: number;
  readonly startedFrom: string;
  state: JobState;
  count: number;
  checkpoints: (Stored & { readonly id: number; readonly at: number; readonly savepoint: boolean })[];
}

/** What outlives a JobManager: files, and HA metadata by job id. */
export interface ModelStorage {
  readonly files: Map<string, number>;
  readonly ha: Map<string, { last: Stored | undefined }>;
}

/** One JobManager process with its one job. Its operations die with it; files and HA metadata do not. */
export class FlinkProcess {
  readonly jobs = new Map<string, ModelJob>();
  readonly operations = new Map<string, Operation>();
  readonly #storage: ModelStorage;
  readonly #haEnabled: boolean;
  #checkpointId = 0;

  constructor(storage: ModelStorage, haEnabled: boolean) {
    this.#storage = storage;
    this.#haEnabled = haEnabled;
  }

  /** Starts a job: from HA metadata if there is any, else from a path, else empty. */
  start(id: string, path: string | undefined, now: number): void {
    if (this.jobs.has(id)) return;
    const metadata = this.#haEnabled ? this.#storage.ha.get(id) : undefined;
    const from = metadata?.last?.path ?? path;
    if (from !== undefined && !this.#storage.files.has(from)) {
      this.jobs.set(id, { id, startedAt: now, startedFrom: from, state: 'FAILED', count: 0, checkpoints: [] });
      return;
    }
    const count = from === undefined ? 0 : (this.#storage.files.get(from) ?? 0);
    this.jobs.set(id, { id, startedAt: now, startedFrom: from ?? 'nothing', state: 'RUNNING', count, checkpoints: [] });
    if (this.#haEnabled && !metadata) this.#storage.ha.set(id, { last: undefined });
  }

  /** Time passes: jobs count, and take a checkpoint every few records. */
  tick(now: number): void {
    for (const job of this.jobs.values()) {
      if (job.state === 'CANCELLING') this.#end(job, 'CANCELED');
      if (job.state !== 'RUNNING') continue;
      job.count += 1;
      if (job.count % 3 === 0) this.#checkpoint(job, `s3://cp/${job.id}/chk-${this.#checkpointId + 1}`, now, false);
    }
  }

  stop(id: string, trigger: string, directory: string, now: number): void {
    const job = this.jobs.get(id);
    if (this.operations.has(trigger)) return;
    if (job?.state !== 'RUNNING') {
      this.operations.set(trigger, { is: 'failed', message: 'the job does not run' });
      return;
    }
    const path = `${directory}/savepoint-${id.slice(0, 6)}-${trigger.slice(0, 12)}`;
    this.#checkpoint(job, path, now, true);
    this.#end(job, 'FINISHED');
    this.operations.set(trigger, { is: 'done', location: path });
  }

  cancel(id: string): void {
    const job = this.jobs.get(id);
    if (job?.state === 'RUNNING') job.state = 'CANCELLING';
  }

  #checkpoint(job: ModelJob, path: string, now: number, savepoint: boolean): void {
    this.#checkpointId += 1;
    this.#storage.files.set(path, job.count);
    job.checkpoints.push({ id: this.#checkpointId, path, count: job.count, at: now, savepoint });
    const metadata = this.#storage.ha.get(job.id);
    if (metadata && !savepoint) metadata.last = { path, count: job.count };
  }

  #end(job: ModelJob, state: JobState): void {
    job.state = state;
    this.#storage.ha.delete(job.id);
  }
}
