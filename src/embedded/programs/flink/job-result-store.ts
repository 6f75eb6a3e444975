import type { Configuration } from './configuration.ts';
import type { FlinkWorld } from './flink-world.ts';
import { normalPath } from './storage.ts';

/**
 * Remembers which jobs have ended for good, so that a JobManager that comes later does not run them again. Kept in the
 * HA storage; without high availability it lives and dies with the JobManager.
 */
export class JobResultStore {
  readonly #world: FlinkWorld;
  readonly #path: string | undefined;
  readonly #deleteOnCommit: boolean;
  readonly #here = new Set<string>();

  constructor(world: FlinkWorld, configuration: Configuration, isHighlyAvailable: boolean) {
    const cluster = configuration.text('high-availability.cluster-id') ?? configuration.text('kubernetes.cluster-id');
    const usual = `${configuration.text('high-availability.storageDir')}/job-result-store/${cluster}`;
    this.#world = world;
    this.#path = isHighlyAvailable
      ? normalPath(configuration.text('job-result-store.storage-path') ?? usual)
      : undefined;
    this.#deleteOnCommit = configuration.boolean('job-result-store.delete-on-commit', true);
  }

  has(jobId: string): boolean {
    if (this.#here.has(jobId)) return true;
    return this.#path !== undefined && this.#world.storage.list(`${this.#path}/${jobId}`).length > 0;
  }

  /** The job has ended; what it left behind is still to be cleaned up. */
  record(jobId: string, end: string): void {
    this.#here.add(jobId);
    if (this.#path === undefined) return;
    const result = { result: { id: jobId, 'application-status': end, 'net-runtime': 0 }, version: 1 };
    this.#world.unsettled.write(`${this.#path}/${jobId}_DIRTY.json`, JSON.stringify(result));
  }

  /** Everything is cleaned up. */
  commit(jobId: string): void {
    if (this.#path === undefined) return;
    const dirty = `${this.#path}/${jobId}_DIRTY.json`;
    const content = this.#world.unsettled.read(dirty);
    this.#world.unsettled.remove(dirty);
    if (!this.#deleteOnCommit && content !== undefined) {
      this.#world.unsettled.write(`${this.#path}/${jobId}.json`, content);
    }
  }
}
