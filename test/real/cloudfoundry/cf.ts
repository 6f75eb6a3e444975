import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../../../rig/directories.ts';
import { provide } from '../../../rig/parts.ts';
import { silent } from '../../../rig/progress.ts';

/** A command, what it printed, and how it ended. */
export interface Step {
  /** As typed: `cf push web --strategy rolling`. */
  readonly command: string;
  readonly text: string;
  readonly exitCode: number;
}

export interface CfOptions {
  /** The user of the kubeconfig that `cf auth` takes. */
  readonly user: string;
  readonly kubeconfig: string;
  /** A file with the certificate of whoever signed for the API. */
  readonly authority?: string;
  /** Hears of each step, in the order in which they were begun. */
  readonly heard?: (step: Promise<Step>) => void;
}

/** The real `cf` in the hands of one person, who has a home of her own. */
export class Cf implements Disposable {
  readonly user: string;
  readonly #program: string;
  readonly #home = mkdtempSync(join(tmpdir(), 'cutover-cf-'));
  readonly #options: CfOptions;
  #steps = 0;

  private constructor(program: string, options: CfOptions) {
    this.user = options.user;
    this.#program = program;
    this.#options = options;
  }

  static async open(options: CfOptions): Promise<Cf> {
    const { cf } = await provide(cacheDirectory(), ['cf'], silent);
    return new Cf(join(cf, 'cf'), options);
  }

  /**
   * Types a command and waits for its end, however it ends. Nothing is typed here that a shell would take apart, except for
   * a last word of several, which is quoted.
   */
  typed(...words: readonly string[]): Promise<Step> {
    const step = this.#run(words);
    this.#options.heard?.(step);
    return step;
  }

  /** Types a command that must succeed, and returns what it printed. */
  async run(...words: readonly string[]): Promise<string> {
    const { command, text, exitCode } = await this.typed(...words);
    if (exitCode !== 0) throw new Error(`$ ${command}\n${text}\nended with ${exitCode}`);
    return text;
  }

  /** What the API answers when this person asks, past the transcript. */
  async asks<T>(path: string, ...more: readonly string[]): Promise<T> {
    const { text, exitCode, command } = await this.#run(['curl', path, ...more]);
    if (exitCode !== 0) throw new Error(`$ ${command}\n${text}\nended with ${exitCode}`);
    return JSON.parse(text) as T;
  }

  [Symbol.dispose](): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  async #run(words: readonly string[]): Promise<Step> {
    this.#steps += 1;
    const path = join(this.#home, `output-${this.#steps}`);
    // Both streams into one file: two pipes would lose the order of what was printed.
    const output = await open(path, 'a+');
    try {
      const exitCode = await this.#end(words, output);
      const text = await readFile(path, 'utf8');
      return { command: `cf ${words.map(quoted).join(' ')}`, text: text.trim(), exitCode };
    } finally {
      await output.close();
      await rm(path, { force: true });
    }
  }

  #end(words: readonly string[], output: FileHandle): Promise<number> {
    const { kubeconfig, authority } = this.#options;
    const env = {
      HOME: this.#home,
      CF_HOME: this.#home,
      KUBECONFIG: kubeconfig,
      // Minutes: a command that waits longer waits in vain.
      CF_STARTUP_TIMEOUT: '2',
      ...(authority !== undefined && { SSL_CERT_FILE: authority }),
      CF_COLOR: 'false',
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
      PATH: process.env.PATH ?? '',
    };
    return new Promise((resolve, reject) => {
      const child = spawn(this.#program, words, { env, stdio: ['ignore', output.fd, output.fd] });
      child.on('error', reject);
      child.on('close', (code) => resolve(code ?? -1));
    });
  }
}

function quoted(word: string): string {
  return /^[\w./:@=-]+$/.test(word) ? word : `'${word}'`;
}
