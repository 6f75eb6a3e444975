import { type ChildProcess, spawn } from 'node:child_process';
import { TerminalScreen } from './terminal-screen.ts';

/** Generous: a machine may be busy with others. */
const patienceMs = 90_000;
const [columns, rows] = [160, 50];

/** The exit code of the command before, and a sign that nothing else prints. */
const prompt = /\[(\d+)\]» ?$/;

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A shell in a real pseudo-terminal, and somebody who types and looks. Disposing of it closes the terminal, and so ends all in it. */
export class Terminal implements AsyncDisposable {
  readonly screen = new TerminalScreen(columns, rows);
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #listeners = new Set<() => void>();
  #trouble: unknown;

  constructor({ cwd, env }: TerminalOptions) {
    // Without a terminal above it that could tell, the size has to be said.
    const shell = `stty cols ${columns} rows ${rows}; exec bash --noprofile --norc -i`;
    const environment = { ...env, PS1: '[$?]» ', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', HISTFILE: '' };
    this.#process = spawn('script', ['-qfec', shell, '/dev/null'], { cwd, env: environment });
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      try {
        this.screen.write(text);
      } catch (error) {
        this.#trouble = error;
      }
      for (const listener of [...this.#listeners]) listener();
    });
    this.#ended = new Promise((resolve) => {
      this.#process.on('error', (error) => {
        this.#trouble = error;
        resolve();
      });
      this.#process.on('close', () => resolve());
    });
  }

  /** A line, and Enter. */
  type(line: string): void {
    this.#process.stdin?.write(`${line}\r`);
  }

  /** Ctrl-C */
  interrupt(): void {
    this.#process.stdin?.write('\u0003');
  }

  /** Resolves when what is visible matches. */
  shows(pattern: RegExp): Promise<RegExpMatchArray> {
    return this.until(`it shows ${pattern}`, () => this.screen.text.match(pattern) ?? undefined);
  }

  /** Resolves when the shell waits for a line, with the exit code of the one before. */
  async ready(): Promise<number> {
    const [, code] = await this.shows(prompt);
    return Number(code);
  }

  /** Types a line, and resolves with what was printed when its command has ended. */
  async run(line: string): Promise<{ readonly text: string; readonly code: number }> {
    await this.ready();
    const before = this.screen.all.length;
    this.type(line);
    await this.until('there is another prompt', () => this.screen.all.slice(before).match(prompt) ?? undefined);
    const code = await this.ready();
    return { text: this.screen.all.slice(before), code };
  }

  /** Looks whenever something was written, until there is an answer. */
  until<T>(what: string, answer: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(look);
      };
      const fail = (why: string): void => {
        settle();
        reject(new Error(`${why} before ${what}; the screen shows:\n${this.screen.text}`, { cause: this.#trouble }));
      };
      const look = (): void => {
        const found = answer();
        if (found !== undefined) {
          settle();
          resolve(found);
        } else if (this.#trouble !== undefined) fail(String(this.#trouble));
      };
      const timer = setTimeout(() => fail(`${patienceMs / 1000} s passed`), patienceMs);
      this.#listeners.add(look);
      look();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGTERM');
    await this.#ended;
  }
}
