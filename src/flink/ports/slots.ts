import type { Clock } from '../../clock/clock.ts';

/** A request that has waited this long for its answer costs nothing but a socket. */
const patienceMs = 1_000;

/** On whose behalf requests are sent, one at a time. `hasty` while somebody waits for what they bring. */
export interface Applicant {
  readonly hasty: boolean;
}

/**
 * Lets so many requests begin at a time; others wait for their turn, first come, first served, but those that somebody waits
 * for come first: ten thousand clusters that are looked at for the first time must not delay the one whose user has just
 * edited it. A request that hangs gives its place back after a second: it must not delay anybody else.
 */
export class Slots {
  readonly #clock: Clock;
  /** Both iterate in insertion order. */
  readonly #hasty = new Map<Applicant, () => void>();
  readonly #patient = new Map<Applicant, () => void>();
  #free: number;

  constructor(most: number, clock: Clock) {
    this.#free = most;
    this.#clock = clock;
  }

  async run<T>(applicant: Applicant, request: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(applicant);
    const cancel = this.#clock.after(patienceMs, () => leave());
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      cancel();
      this.#next();
    };
    try {
      return await request();
    } finally {
      leave();
    }
  }

  /** The applicant may have become hasty: if it waits, it waits among those now. */
  hurry(applicant: Applicant): void {
    const begin = applicant.hasty ? this.#patient.get(applicant) : undefined;
    if (!begin) return;
    this.#patient.delete(applicant);
    this.#hasty.set(applicant, begin);
  }

  #turn(applicant: Applicant): Promise<void> {
    return new Promise((resolve) => (applicant.hasty ? this.#hasty : this.#patient).set(applicant, resolve));
  }

  #next(): void {
    for (const line of [this.#hasty, this.#patient]) {
      for (const [applicant, begin] of line) {
        line.delete(applicant);
        begin();
        return;
      }
    }
    this.#free += 1;
  }
}
