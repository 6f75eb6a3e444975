import { Timers } from '../../nodes/timers.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Failures } from './failures.ts';
import type { JobOwner } from './job-owner.ts';
import { induced, type Throwable, tooManyFailedCheckpoints } from './throwable.ts';

/** Who wants to know what befalls running tasks. */
interface Listener {
  checkpointed(): void;
  fail(throwable: Throwable): void;
}

/**
 * Waits, while tasks run, for what must not be noticed late: with high availability each checkpoint is told at once,
 * failing checkpoints may end the job, and so may a failure that was asked for. Where none of this can happen, nothing
 * waits.
 */
export class RunWatch {
  readonly #owner: JobOwner;
  readonly #failures: Failures;
  readonly #checkpoints: Checkpoints;
  readonly #listener: Listener;
  readonly #timers: Timers;
  #isOn = false;
  #waitsForCheckpoint = false;

  constructor(owner: JobOwner, failures: Failures, checkpoints: Checkpoints, listener: Listener) {
    this.#owner = owner;
    this.#failures = failures;
    this.#checkpoints = checkpoints;
    this.#listener = listener;
    this.#timers = new Timers(owner.here.clock);
  }

  /** Tasks run from now on, or other failures are asked for. */
  begin(): void {
    this.#isOn = true;
    this.#awaitFailure();
    this.#awaitCheckpoint();
  }

  failuresChanged(): void {
    if (this.#isOn) this.begin();
  }

  end(): void {
    this.#isOn = false;
    this.#waitsForCheckpoint = false;
    this.#timers.clear();
  }

  #awaitFailure(): void {
    const { world, cluster } = this.#owner;
    const asked = world.failure(cluster, 'job', this.#failures, false);
    if (asked?.mode !== 'after') return;
    const { ms = 0 } = asked;
    this.#timers.later(ms, () => {
      if (world.failure(cluster, 'job', this.#failures)) this.#listener.fail(induced(`induced failure after ${ms} ms`));
    });
  }

  #awaitCheckpoint(): void {
    const { isHighlyAvailable, world, cluster } = this.#owner;
    const wait = this.#checkpoints.untilNext;
    const matters = isHighlyAvailable || world.failure(cluster, 'checkpoints', this.#failures, false) !== undefined;
    if (wait === undefined || this.#waitsForCheckpoint || !matters) return;
    this.#waitsForCheckpoint = true;
    this.#timers.later(wait, () => {
      this.#waitsForCheckpoint = false;
      this.#checkpoints.catchUp();
      if (this.#checkpoints.tooManyFailures) {
        this.#listener.fail(tooManyFailedCheckpoints());
        return;
      }
      this.#listener.checkpointed();
      this.#awaitCheckpoint();
    });
  }
}
