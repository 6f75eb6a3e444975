import { type Program, startProgram } from '../start-program.ts';
import type { Moment } from './plan.ts';
import type { Stage } from './stage.ts';

/** When nothing has been written for so long, the operator waits for the world: then it is killed while it waits. */
const quietMs = 2_000;

/** Keeps an operator running, and kills it at the given moments: another one follows at once. */
export class Killer {
  /** How often it has killed. */
  kills = 0;
  /** How often it has killed while a resource was there. */
  readonly states = new Map<string, number>();
  /** What operators themselves call a bug. There must be none. */
  readonly bugs: string[] = [];
  readonly #stage: Stage;
  readonly #moments: Iterator<Moment, never>;
  readonly #programs: readonly string[];
  readonly #stop = new AbortController();
  #last: Program | undefined;

  /** The programs take turns. */
  constructor(stage: Stage, moments: Iterator<Moment, never>, programs: readonly string[]) {
    this.#stage = stage;
    this.#moments = moments;
    this.#programs = programs;
  }

  /** Until it is stopped. */
  async run(): Promise<void> {
    for (let turn = 0; !this.#stop.signal.aborted; turn++) {
      const main = this.#programs[turn % this.#programs.length];
      const args = ['operator', '--kubeconfig', this.#stage.kubeconfig, '--no-leader-elect', '--health-port', '0'];
      await using program = startProgram(args, {}, main);
      this.#last = program;
      await program.says(/"msg":"working"/);
      await this.#strikes(program, this.#moments.next().value);
      this.bugs.push(...program.output.stderr.split('\n').filter((line) => line.includes('"msg":"a bug')));
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  /** The last words of the operator that runs now. */
  lastWords(): string {
    return this.#last?.output.stderr.split('\n').slice(-40).join('\n') ?? '';
  }

  /** Kills in the very moment in which the last of the writes is stored, or so much later. Resolves when it is dead. */
  async #strikes(program: Program, { writes, afterMs }: Moment): Promise<void> {
    const strike = (): void => {
      if (this.#stop.signal.aborted) return;
      program.kill('SIGKILL');
      this.#count();
    };
    let left = writes;
    let timer = setTimeout(strike, quietMs);
    const stopListening = this.#stage.onWrite(() => {
      left -= 1;
      clearTimeout(timer);
      if (left > 0) timer = setTimeout(strike, quietMs);
      else {
        stopListening();
        if (afterMs === 0) strike();
        else timer = setTimeout(strike, afterMs);
      }
    });
    const stopped = new Promise<void>((resolve) => {
      this.#stop.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([program.ended, stopped]);
    stopListening();
    clearTimeout(timer);
  }

  #count(): void {
    this.kills += 1;
    for (const { status } of this.#stage.all()) {
      const state = status?.transition?.phase ?? 'at rest';
      this.states.set(state, (this.states.get(state) ?? 0) + 1);
    }
  }
}
