import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeCgroups } from './cgroup.ts';
import { identify, isAlive, type ProcessIdentity } from './process.ts';

/** What a running cluster says about itself, for people and for other processes. */
export interface RunState {
  readonly name: string;
  readonly level: Level;
  /** The process everything else of the run ends with. */
  readonly holder: ProcessIdentity;
  /** Missing while it starts. */
  readonly ready?: {
    readonly url: string;
    readonly kubeconfig: string;
    /** Directories for the front of `PATH`: the cluster's own programs. */
    readonly path: readonly string[];
    readonly processes: Readonly<Record<string, ProcessIdentity>>;
    /** From the start of etcd until the API server said it was ready. */
    readonly readyMs: number;
  };
}

export type Level = 'control-plane' | 'node';

/** One run's directory: certificates, data, logs. Nobody else writes there. */
export interface Run {
  readonly name: string;
  readonly directory: string;
  path(...parts: string[]): string;
  save(state: RunState): Promise<void>;
  /** Removes everything of the run. Only after its processes have ended. */
  remove(): Promise<void>;
}

/** Claims a name for a new run of this process; without a name, one that nobody has. */
export async function createRun(runs: string, level: Level, name = randomBytes(4).toString('hex')): Promise<Run> {
  if (!/^[a-z0-9][a-z0-9-]{0,30}$/.test(name)) {
    throw new Error(`"${name}" is no name for a run: use up to 31 lower-case letters, digits and dashes`);
  }
  await mkdir(runs, { recursive: true, mode: 0o700 });
  const owner = await lstat(runs);
  if (!owner.isDirectory() || owner.uid !== process.getuid?.()) throw new Error(`${runs} belongs to somebody else`);
  await pruneRuns(runs);
  const holder = identify(process.pid);
  if (holder === undefined) throw new Error('the rig needs Linux: /proc is missing');
  // Made aside and renamed: a run that has its name also says who holds it.
  const aside = openRun(runs, `.${name}.${process.pid}`);
  await mkdir(aside.directory, { mode: 0o700 });
  await aside.save({ name, level, holder });
  await mkdir(aside.path('logs'));
  await mkdir(aside.path('data'), { mode: 0o700 });
  try {
    await rename(aside.directory, join(runs, name));
  } catch (error) {
    await rm(aside.directory, { recursive: true });
    throw new Error(`the run "${name}" is already up`, { cause: error });
  }
  return openRun(runs, name);
}

function openRun(runs: string, name: string): Run {
  const directory = join(runs, name);
  const path = (...parts: string[]): string => join(directory, ...parts);
  return {
    name,
    directory,
    path,
    async save(state) {
      await writeFile(path('run.json.new'), `${JSON.stringify(state, undefined, 2)}\n`);
      await rename(path('run.json.new'), path('run.json'));
    },
    remove: () => removeRun(runs, name),
  };
}

/** What the run of this name says about itself, dead or alive; undefined when there is none. */
export function readRun(runs: string, name: string): RunState | undefined {
  try {
    return JSON.parse(readFileSync(join(runs, name, 'run.json'), 'utf8')) as RunState;
  } catch {
    return undefined;
  }
}

/** All runs, dead or alive. */
export function listRuns(runs: string): readonly RunState[] {
  return directoriesIn(runs)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => readRun(runs, name) ?? []);
}

/** Removes what runs left behind whose holder was killed before it could clean up. Returns their names. */
export async function pruneRuns(runs: string): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const directory of directoriesIn(runs)) {
    const state = readRun(runs, directory);
    if (state === undefined || isAlive(state.holder)) continue;
    await removeRun(runs, directory);
    removed.push(state.name);
  }
  return removed;
}

function directoriesIn(runs: string): readonly string[] {
  if (!existsSync(runs)) return [];
  return readdirSync(runs, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

async function removeRun(runs: string, name: string): Promise<void> {
  await removeCgroups(name);
  await rm(join(runs, name), { recursive: true, force: true });
}
