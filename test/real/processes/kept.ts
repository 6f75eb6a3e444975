import { setTimeout as delay } from 'node:timers/promises';
import type { End, Program } from '../../program/start-program.ts';

const pauseMs = 500;

/** A program that is started again whenever it ends, as a kubelet does. Disposing of it ends it for good. */
export class Kept implements AsyncDisposable {
  /** How earlier ones ended. */
  readonly ends: End[] = [];
  /** All that were there; the last one runs. */
  readonly programs: Program[] = [];
  readonly #start: () => Program;
  readonly #running: Promise<void>;
  #over = false;

  constructor(start: () => Program) {
    this.#start = start;
    this.programs.push(start());
    this.#running = this.#keep();
  }

  /** The one that runs, or has just ended. */
  get now(): Program {
    return this.programs.at(-1) as Program;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true;
    this.now.kill('SIGKILL');
    await this.#running;
    for (const program of this.programs) await program[Symbol.asyncDispose]();
  }

  async #keep(): Promise<void> {
    for (;;) {
      const end = await this.now.ended;
      if (this.#over) return;
      this.ends.push(end);
      await delay(pauseMs);
      if (this.#over) return;
      this.programs.push(this.#start());
    }
  }
}
