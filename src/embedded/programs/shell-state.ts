import type { Surroundings } from './program.ts';

/** What a script runs in. */
export interface ShellWorld extends Pick<Surroundings, 'pod' | 'container' | 'env' | 'files' | 'clock' | 'random'> {
  write(stream: 'stdout' | 'stderr', output: string | Uint8Array): void;
  /** Resolves after `ms`; never, once the script is killed. */
  pause(ms: number): Promise<void>;
  /** What is left to read, until its end. */
  readInput(): Promise<string>;
}

/** What a command needs beyond its arguments. */
export interface ShellState extends ShellWorld {
  readonly variables: Map<string, string>;
}

/** A command of the shell. Answers its exit code. */
export type Command = (args: readonly string[], state: ShellState) => number | Promise<number>;

/** Ends a script from within. */
export class ShellExit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}
