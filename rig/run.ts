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
  const directory = join(runs, name);
  const earlier = readRun(runs, name);
  if (earlier !== undefined && isAlive(earlier.holder)) throw new Error(`the run "${name}" is already up`);
  if (earlier !== undefined) await removeRun(runs, name);
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    throw new Error(`the run "${name}" is being started by somebody else`, { cause: error });
  }
  const run = openRun(runs, name);
  const holder = identify(process.pid);
  if (holder === undefined) throw new Error('the rig needs Linux: /proc is missing');
  await run.save({ name, level, holder });
  await mkdir(run.path('logs'));
  await mkdir(run.path('data'), { mode: 0o700 });
  return run;
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

export function listRuns(runs: string): readonly RunState[] {
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .sort()
    .flatMap((name) => readRun(runs, name) ?? []);
}

/** Removes what runs left behind whose holder was killed before it could clean up. Returns their names. */
export async function pruneRuns(runs: string): Promise<readonly string[]> {
  const dead = listRuns(runs).filter((state) => !isAlive(state.holder));
  for (const state of dead) await removeRun(runs, state.name);
  return dead.map((state) => state.name);
}

async function removeRun(runs: string, name: string): Promise<void> {
  await removeCgroups(name);
  await rm(join(runs, name), { recursive: true, force: true });
}
