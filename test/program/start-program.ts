import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Nothing here takes this long: whoever waits longer waits in vain. */
const limitMs = 110_000;

const source = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The program in a process of its own, in an empty directory that is also its home. Disposing of it kills it. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
  /** Its working directory and its home. */
  readonly home: string;
  /** All it has printed. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<End>;
  /** Resolves when what it has printed matches, with the match. Rejects when it ends before, or takes too long. */
  says(pattern: RegExp): Promise<RegExpMatchArray>;
  kill(signal: NodeJS.Signals): void;
}

/** Runs `cutover` with these arguments, from its source unless `main` is another file. */
export function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  main: string = source,
): Program {
  const home = mkdtempSync(join(tmpdir(), 'cutover-program-'));
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [main, ...args], {
    cwd: home,
    env: { PATH, HOME: home, USERPROFILE: home, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of [...listeners]) listener();
  };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
      changed();
    });
  }
  let end: End | undefined;
  const ended = new Promise<End>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      end = { code, signal };
      resolve(end);
      changed();
    });
  });
  return {
    pid: child.pid ?? 0,
    home,
    output,
    ended,
    says(pattern) {
      return new Promise((resolve, reject) => {
        const settle = (): void => {
          clearTimeout(timer);
          listeners.delete(look);
        };
        const fail = (why: string): void => {
          settle();
          reject(new Error(`${why} before it said ${pattern}; it said:\n${output.stdout}${output.stderr}`));
        };
        const look = (): void => {
          const match = (output.stdout + output.stderr).match(pattern);
          if (match) {
            settle();
            resolve(match);
          } else if (end) fail(`it ended with ${end.code ?? end.signal}`);
        };
        const timer = setTimeout(() => fail(`${limitMs / 1000} s passed`), limitMs);
        listeners.add(look);
        look();
      });
    },
    kill: (signal) => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
