import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { type Benchmark, median, ratioRow } from './benchmark.ts';
import { residentMiB } from './resident.ts';

/** What an idle operator costs: its resident memory beside a bundle that merely imports the same dependencies. */
export const operator: Benchmark = {
  name: 'operator',
  about:
    'resident memory of the bundled operator, idle with ten watched kinds; the floor imports the same dependencies',
  async run({ smoke, progress }) {
    const home = mkdtempSync(join(tmpdir(), 'cutover-bench-'));
    try {
      progress('bundling');
      for (const name of ['idle', 'imports', 'cluster']) await bundle(name, home);
      const kubeconfig = join(home, 'kubeconfig');
      const cluster = await start(join(home, 'cluster.js'), { CUTOVER_BENCH_KUBECONFIG: kubeconfig });
      const rounds = smoke ? 1 : 5;
      const restMs = smoke ? 500 : 10_000;
      const idle: number[] = [];
      const floor: number[] = [];
      for (let round = 1; round <= rounds; round++) {
        progress(`round ${round} of ${rounds}`);
        idle.push(await resident(join(home, 'idle.js'), restMs, { KUBECONFIG: kubeconfig }));
        floor.push(await resident(join(home, 'imports.js'), restMs));
      }
      await cluster.stop();
      const ours = { metric: 'idle operator, resident memory', unit: 'MiB', ours: median(idle) };
      return [ratioRow(ours, { name: 'a bundle of the same dependencies', value: median(floor) }, { most: 1.3 })];
    } finally {
      rmSync(home, { recursive: true });
    }
  },
};

async function bundle(name: string, home: string): Promise<void> {
  const build = await rolldown({
    input: { [name]: join(import.meta.dirname, 'operator', `${name}.ts`) },
    platform: 'node',
    logLevel: 'silent',
  });
  await build.write({
    dir: home,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${name}-[name].js`,
    minify: true,
  });
  await build.close();
}

interface Running {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a bundle and waits for its `ready`. */
async function start(file: string, env: Record<string, string> = {}): Promise<Running> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) if (line === 'ready') break;
  child.stdout.resume();
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function resident(file: string, restMs: number, env?: Record<string, string>): Promise<number> {
  const running = await start(file, env);
  await delay(restMs);
  const mib = residentMiB([running.pid]);
  await running.stop();
  return mib;
}
