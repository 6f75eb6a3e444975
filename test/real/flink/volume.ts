import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Attempt, attemptsIn, flawsIn } from '../../../rig/flink/counts.ts';

/** How many keys the counting job counts for. */
export const KEYS = 4;

/** A directory that all pods and the test share: what jobs write, their checkpoints, savepoints and recovery metadata. */
export interface Volume extends AsyncDisposable {
  /** On this machine. */
  readonly directory: string;
  /** Where pods see it. */
  readonly mountPath: string;
  /** The lives of the job of a resource. */
  attempts(name: string): readonly Attempt[];
  /** What is wrong with everything that job ever counted. */
  flaws(name: string): readonly string[];
  /** The savepoints of a resource that are complete, as Flink names them, sorted by name. */
  savepoints(name: string): readonly string[];
  /** From now on no snapshot of any job ends, until `release`. */
  hold(): Promise<void>;
  release(): Promise<void>;
}

/** A new one. Without a `mountPath` for pods it is where it is. */
export async function openVolume(options: { readonly mountPath?: string } = {}): Promise<Volume> {
  const directory = await mkdtemp(join(tmpdir(), 'cutover-flink-'));
  for (const folder of ['.', 'out', 'checkpoints', 'savepoints', 'ha']) {
    await mkdir(join(directory, folder), { recursive: true });
    await chmod(join(directory, folder), 0o777); // pods run as another user
  }
  const lines = (name: string): string => {
    const file = join(directory, 'out', `${name}.jsonl`);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  return {
    directory,
    mountPath: options.mountPath ?? directory,
    attempts: (name) => attemptsIn(lines(name)),
    flaws: (name) => flawsIn(lines(name), KEYS),
    savepoints(name) {
      const folder = join(directory, 'savepoints', name);
      if (!existsSync(folder)) return [];
      return readdirSync(folder)
        .filter((savepoint) => existsSync(join(folder, savepoint, '_metadata')))
        .sort();
    },
    hold: () => writeFile(join(directory, 'hold'), ''),
    release: () => rm(join(directory, 'hold'), { force: true }),
    // Jobs whose pods are still ending may write once more.
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true, maxRetries: 60, retryDelay: 50 }),
  };
}
