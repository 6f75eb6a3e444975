import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { pruneCache } from './cache.ts';
import { cacheDirectory, runsDirectory } from './directories.ts';
import { besideHolder } from './held.ts';
import type { NodeOptions } from './node.ts';
import { currentEntries, IMAGE_PARTS, type ImagePart, PARTS, type Part, provide } from './parts.ts';
import { identify, isAlive, type ProcessIdentity, residentBytes, sendSignal } from './process.ts';
import { reportTo } from './progress.ts';
import { type Level, listRuns, pruneRuns, type RunState, readRun } from './run.ts';
import { DETACHED, serve } from './serve.ts';

const progress = reportTo((line) => process.stderr.write(line));
const DEFAULT_RUN = 'default';

interface ClusterFlags {
  readonly level: Level;
  readonly name?: string;
  readonly kwokNodes: number;
  readonly controllers: boolean;
  readonly fsync?: boolean;
  readonly apiServerFlag: readonly string[];
  readonly image: readonly ImagePart[];
  readonly archive: readonly string[];
}

const program = new Command('rig')
  .description('A real Kubernetes from package registries, for tests and benchmarks')
  .enablePositionalOptions();

clusterCommand('up', 'start a cluster in the background').action(async (flags: ClusterFlags) => {
  await up({ ...flags, name: flags.name ?? DEFAULT_RUN });
});

clusterCommand('serve', 'run a cluster in the foreground; print a line of JSON when it is ready').action(
  async (flags: ClusterFlags) => {
    process.exit(await serve(flags.level, optionsOf(flags), progress));
  },
);

program
  .command('down')
  .description('end a cluster and remove what it wrote')
  .argument('[name]', 'of the run', DEFAULT_RUN)
  .action(down);

program.command('status').description('list the clusters and what they use').action(status);

program
  .command('env')
  .description('print what a shell needs to use a cluster: eval "$(npm run -s rig -- env)"')
  .argument('[name]', 'of the run', DEFAULT_RUN)
  .action((name: string) => {
    const { ready, level } = readyRun(name);
    if (level === 'node') throw new Error(`"${name}" has a network of its own: use \`exec\``);
    console.log(`export KUBECONFIG='${ready.kubeconfig}'`);
    console.log(`export PATH='${ready.path.join(':')}':"$PATH"`);
  });

program
  .command('exec')
  .description('run a command where a cluster is reachable, with its KUBECONFIG and PATH')
  .option('--name <name>', 'of the run', DEFAULT_RUN)
  .argument('<command...>')
  .passThroughOptions()
  .action(async (command: readonly string[], flags: { readonly name: string }) => {
    process.exitCode = await execute(flags.name, command);
  });

program
  .command('build')
  .description('have parts ready in the cache')
  .argument('[parts...]', `of ${PARTS.join(', ')}; all if none is named`)
  .action(async (names: readonly string[]) => {
    const unknown = names.filter((name) => !PARTS.includes(name as Part));
    if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(', ')} (there are ${PARTS.join(', ')})`);
    await provide(cacheDirectory(), names.length > 0 ? (names as Part[]) : PARTS, progress);
  });

program
  .command('generate')
  .description('write what the embedded server takes from a real one: src/embedded/generated')
  .action(async () => {
    const { generate } = await import('./generate/generate.ts');
    for (const path of await generate(progress)) console.log(path);
  });

program
  .command('prune')
  .description('remove what killed runs left behind')
  .option('--cache', 'also remove parts that this version of the rig does not use')
  .action(async (flags: { readonly cache?: boolean }) => {
    const runs = await pruneRuns(runsDirectory());
    const entries = flags.cache ? await pruneCache(cacheDirectory(), currentEntries(cacheDirectory(), progress)) : [];
    for (const removed of [...runs.map((name) => `run ${name}`), ...entries]) console.log(`removed ${removed}`);
  });

function clusterCommand(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .addOption(
      new Option('--level <level>', 'how much of a cluster')
        .choices(['control-plane', 'node'])
        .default('control-plane'),
    )
    .option('--name <name>', 'of the run')
    .option('--kwok-nodes <count>', 'simulated nodes', wholeNumber, 0)
    .option('--no-controllers', 'only etcd and the API server')
    .option('--fsync', 'let etcd wait for the disk')
    .option('--api-server-flag <flag>', 'one more flag for the API server; may be repeated', collect, [])
    .option('--image <part>', `an image for the node: ${IMAGE_PARTS.join(', ')}; may be repeated`, collectImage, [])
    .option('--archive <file>', 'an image for the node, as an archive; may be repeated', collect, []);
}

function optionsOf(flags: ClusterFlags): NodeOptions {
  return {
    ...(flags.name === undefined ? {} : { name: flags.name }),
    controllers: flags.controllers,
    kwokNodes: flags.kwokNodes,
    fsync: flags.fsync ?? false,
    apiServerFlags: flags.apiServerFlag,
    images: flags.image,
    archives: flags.archive,
  };
}

/** Starts `serve` as a holder of its own that outlives this process, and waits for it. */
async function up(flags: ClusterFlags & { readonly name: string }): Promise<void> {
  const running = readRun(runsDirectory(), flags.name);
  if (running?.ready && isAlive(running.holder)) return console.log(`"${flags.name}" is already up`);
  mkdirSync(runsDirectory(), { recursive: true, mode: 0o700 });
  const log = join(runsDirectory(), `${flags.name}.log`);
  const output = openSync(log, 'w');
  const args = process.argv.slice(process.argv.indexOf('up') + 1).filter((_arg, index, all) => !isName(all, index));
  const holder = spawn(process.execPath, [import.meta.filename, 'serve', '--name', flags.name, ...args], {
    detached: true,
    env: { ...process.env, [DETACHED]: '1' },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  holder.unref();
  const identity = identify(holder.pid ?? 0);
  try {
    const state = await untilReady(flags.name, identity, log);
    console.log(`ready: ${state.ready.url}`);
    const [env, name] = flags.name === DEFAULT_RUN ? ['env', ''] : [`env ${flags.name}`, ` --name ${flags.name}`];
    console.log(
      flags.level === 'node'
        ? `  npm run -s rig -- exec${name} kubectl get nodes`
        : `  eval "$(npm run -s rig -- ${env})"`,
    );
  } finally {
    rmSync(log, { force: true });
  }
}

/** Waits for the holder, and shows meanwhile what it says. */
async function untilReady(name: string, holder: ProcessIdentity | undefined, log: string): Promise<Required<RunState>> {
  let shown = 0;
  for (;;) {
    const alive = holder !== undefined && isAlive(holder);
    const said = readFileSync(log, 'utf8');
    process.stderr.write(said.slice(shown).replace(/^\{"ready":true.*\n/m, ''));
    shown = said.length;
    if (!alive) throw new Error(`"${name}" did not come up`);
    const state = readRun(runsDirectory(), name);
    if (state?.ready && state.holder.started === holder.started) return state as Required<RunState>;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function down(name: string): Promise<void> {
  const state = readRun(runsDirectory(), name);
  if (state === undefined) console.log(`"${name}" is not up`);
  if (state !== undefined && sendSignal(state.holder, 'SIGTERM')) {
    await progress.step(`ending "${name}"`, async () => {
      while (isAlive(state.holder)) await new Promise((resolve) => setTimeout(resolve, 50));
    });
  }
  await pruneRuns(runsDirectory());
}

function status(): void {
  const runs = listRuns(runsDirectory());
  if (runs.length === 0) console.log('no cluster is running');
  for (const run of runs) {
    const alive = isAlive(run.holder);
    console.log(`${run.name}  ${run.level}  ${alive ? (run.ready?.url ?? 'starting') : 'dead, `prune` removes it'}`);
    for (const [name, identity] of Object.entries(run.ready?.processes ?? {})) {
      const megabytes = (residentBytes(identity) / 1e6).toFixed(0);
      console.log(`  ${name.padEnd(24)} ${isAlive(identity) ? `pid ${identity.pid}, ${megabytes} MB` : 'ended'}`);
    }
  }
}

/** Runs a command beside the cluster's processes and returns its exit code. */
async function execute(name: string, [command = '', ...args]: readonly string[]): Promise<number> {
  const { holder, level, ready } = readyRun(name);
  const [program_, programArgs] = besideHolder(level, holder.pid, command, args);
  const child = spawn(program_, programArgs, {
    stdio: 'inherit',
    env: {
      ...process.env,
      KUBECONFIG: ready.kubeconfig,
      PATH: [...ready.path, process.env.PATH ?? ''].join(delimiter),
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

function readyRun(name: string): Required<RunState> {
  const state = readRun(runsDirectory(), name);
  if (state?.ready === undefined || !isAlive(state.holder)) throw new Error(`"${name}" is not up`);
  return state as Required<RunState>;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('a whole number is needed');
  return Number(text);
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}

function collectImage(part: string, earlier: readonly ImagePart[]): readonly ImagePart[] {
  const known = IMAGE_PARTS.find((name) => name === part);
  if (known === undefined) throw new InvalidArgumentError(`there are ${IMAGE_PARTS.join(', ')}`);
  return [...earlier, known];
}

/** Is this argument `--name`, its value, or `--name=VALUE`? */
function isName(args: readonly string[], index: number): boolean {
  return args[index] === '--name' || args[index - 1] === '--name' || (args[index]?.startsWith('--name=') ?? false);
}

program.exitOverride();
try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed its own line already.
  if (!(error instanceof Error && 'exitCode' in error))
    console.error(`rig: ${error instanceof Error ? error.message : error}`);
  process.exitCode = error instanceof Error && 'exitCode' in error ? Number(error.exitCode) : 1;
}
