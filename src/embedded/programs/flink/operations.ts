import type { Clock } from '../../../clock/clock.ts';
import type { SnapshotOutcome } from './job-snapshots.ts';

interface Operation {
  outcome: SnapshotOutcome | undefined;
  endedAt: number;
}

/** Finished ones are remembered for so long; then their ids are as if they had never been. */
const rememberedMs = 300_000;

/**
 * Savepoints, stops and checkpoints that somebody triggered under an id. The same id is never started twice, whatever
 * else the second request says. All of it dies with the JobManager.
 */
export class Operations {
  readonly #clock: Clock;
  readonly #known = new Map<string, Operation>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Starts an operation unless one is known under this key. */
  start(key: string, begin: () => Promise<SnapshotOutcome>): void {
    if (this.#find(key)) return;
    for (const old of [...this.#known.keys()]) this.#find(old);
    const operation: Operation = { outcome: undefined, endedAt: Number.POSITIVE_INFINITY };
    this.#known.set(key, operation);
    void begin().then((outcome) => {
      operation.outcome = outcome;
      operation.endedAt = this.#clock.monotonic();
    });
  }

  /** Undefined for an unknown key; otherwise the outcome, undefined while it is in progress. */
  status(key: string): { readonly outcome: SnapshotOutcome | undefined } | undefined {
    return this.#find(key);
  }

  #find(key: string): Operation | undefined {
    const found = this.#known.get(key);
    if (!found || this.#clock.monotonic() - found.endedAt < rememberedMs) return found;
    this.#known.delete(key);
    return undefined;
  }
}
