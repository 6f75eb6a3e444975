import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { type Benchmark, type BenchmarkOptions, median, type Row, ratioRow } from './benchmark.ts';

const serverFile = fileURLToPath(import.meta.resolve('./reflector/server.ts'));
const clientFile = fileURLToPath(import.meta.resolve('./reflector/client.ts'));
const rulerFile = fileURLToPath(import.meta.resolve('./reflector/measure.ts'));

interface Size {
  readonly objects: number;
  readonly events: number;
  readonly runs: number;
}

/** The figures of one run of one client. */
interface Figures {
  readonly name: string;
  readonly syncMs: number;
  readonly burstMs: number;
  readonly peakMb: number;
  readonly stallMs: number;
}

export const reflector: Benchmark = {
  name: 'reflector',
  about: 'time, memory and stalls to hold every pod of a large cluster and to follow a burst of changes',
  async run(options) {
    const [small, large] = options.smoke
      ? [sized(200, 100, 1), sized(400, 100, 1)]
      : [sized(10_000, 20_000, 5), sized(50_000, 20_000, 5)];
    const bundles = await mkdtemp(join(tmpdir(), 'cutover-bench-'));
    try {
      await bundle(bundles);
      const few = await compare(small, bundles, options);
      const many = await compare(large, bundles, options);
      return [
        row(few, small, 'time to sync', 'ms', 'syncMs', 0.75),
        row(few, small, 'peak memory', 'MB', 'peakMb', 0.4),
        row(few, small, `burst of ${amount(small.events)} events`, 'ms', 'burstMs', 1),
        row(many, large, 'time to sync', 'ms', 'syncMs', 0.5),
        row(many, large, 'peak memory', 'MB', 'peakMb', 0.3),
        row(many, large, 'longest stall', 'ms', 'stallMs', 0.05),
        row(many, large, `burst of ${amount(large.events)} events`, 'ms', 'burstMs', 1),
      ];
    } finally {
      await rm(bundles, { recursive: true });
    }
  },
};

/** As in production: plain JavaScript, since Node's own translation of TypeScript takes memory that would be counted. */
async function bundle(to: string): Promise<void> {
  await build({
    input: { client: clientFile, ruler: rulerFile },
    platform: 'node',
    output: { dir: to, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
    logLevel: 'silent',
  });
}

const sized = (objects: number, events: number, runs: number): Size => ({ objects, events, runs });
const amount = (value: number): string => value.toLocaleString('en');

interface Comparison {
  readonly ours: readonly Figures[];
  readonly peer: readonly Figures[];
}

function row(
  { ours, peer }: Comparison,
  size: Size,
  metric: string,
  unit: string,
  figure: Exclude<keyof Figures, 'name'>,
  most: number,
): Row {
  const middle = (runs: readonly Figures[]): number => median(runs.map((run) => run[figure]));
  const name = `${metric}, ${amount(size.objects)} pods`;
  const ratio = median(peer.map((run, index) => (ours[index]?.[figure] ?? Number.NaN) / run[figure]));
  const theirs = peer[0] && { name: peer[0].name, value: middle(peer), ratio };
  return ratioRow({ metric: name, unit, ours: middle(ours) }, theirs, { most });
}

/** Ours and the peer in turns, against one server. */
async function compare(size: Size, bundles: string, { peer, progress }: BenchmarkOptions): Promise<Comparison> {
  progress(`${amount(size.objects)} pods: starting the server`);
  const server = spawn(process.execPath, [serverFile, String(size.objects)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [address] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
    const env = { BENCH_SERVER: address, BENCH_EVENTS: String(size.events), BENCH_RULER: join(bundles, 'ruler.mjs') };
    const ourClient = { command: process.execPath, args: [join(bundles, 'client.mjs')] };
    const theirClient = peer && { command: '/bin/sh', args: ['-c', `exec ${peer}`] };
    // The first run of a peer may install it, and fills the disk cache for both.
    if (theirClient) await measureClient(theirClient, env, size);
    const ours: Figures[] = [];
    const theirs: Figures[] = [];
    for (let run = 1; run <= size.runs; run++) {
      ours.push(await measureClient(ourClient, env, size));
      if (theirClient) theirs.push(await measureClient(theirClient, env, size));
      progress(
        `${amount(size.objects)} pods, run ${run} of ${size.runs}: ${described(ours, 'ours')}${described(theirs, '; peer')}`,
      );
    }
    return { ours, peer: theirs };
  } finally {
    server.kill('SIGKILL');
  }
}

function described(runs: readonly Figures[], who: string): string {
  const last = runs.at(-1);
  if (!last) return '';
  const [sync, burst, peak, stall] = [last.syncMs, last.burstMs, last.peakMb, last.stallMs].map(Math.round);
  return `${who} sync ${sync} ms, burst ${burst} ms, peak ${peak} MB, stall ${stall} ms`;
}

/** One run of a client in a process of its own. */
async function measureClient(
  client: { readonly command: string; readonly args: readonly string[] },
  env: Readonly<Record<string, string>>,
  size: Size,
): Promise<Figures> {
  const child: ChildProcess = spawn(client.command, client.args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'exit');
  const told = new Map<string, Record<string, unknown>>();
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith('{')) continue;
      const report = JSON.parse(line) as Record<string, unknown>;
      told.set(String(report.phase), report);
    }
  }
  const [code] = await ended;
  const what = [client.command, ...client.args].join(' ');
  if (code !== 0) throw new Error(`${what} ended with code ${code}`);
  const number = (phase: string, field: string): number => {
    const value = told.get(phase)?.[field];
    if (typeof value !== 'number') throw new Error(`${what} did not print "${field}" of phase "${phase}"`);
    return value;
  };
  const objects = number('synced', 'objects');
  if (objects !== size.objects) throw new Error(`${what} holds ${objects} pods, not ${size.objects}`);
  return {
    name: String(told.get('started')?.name ?? what),
    syncMs: number('synced', 'ms'),
    burstMs: number('burst', 'ms'),
    peakMb: number('done', 'peakMb'),
    stallMs: number('done', 'stallMs'),
  };
}
