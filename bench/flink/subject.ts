import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { namespace } from './deployment.ts';
import { type Cost, costOf } from './process-tree.ts';
import type { World } from './world.ts';

/** An operator that is being measured. */
export interface Subject extends AsyncDisposable {
  cost(): Cost;
  /** The most memory seen so far. */
  peakMiB(): number;
  /** How many requests that write it has sent; unknown of others than ours. */
  writes(): Promise<number | undefined>;
}

const sampleMs = 200;

/** The bundled operator of this project. */
export async function startOurs(world: World): Promise<Subject> {
  const rest = `http://127.0.0.1:${world.stub.port}/clusters/{namespace}/{name}`;
  const flags = ['--no-leader-elect', '--health-port', '0', '--flink-rest', rest];
  const child = spawn(process.execPath, ['dist/cutover.js', 'operator', '--kubeconfig', world.kubeconfig, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let port: number | undefined;
  for await (const line of createInterface({ input: child.stderr })) {
    port ??= (JSON.parse(line) as { port?: number }).port;
    if (line.includes('"working"') && port !== undefined) break;
  }
  child.stderr.resume();
  return measured(
    child.pid ?? 0,
    () => end(child),
    () => writesOf(port ?? 0),
  );
}

/** Another operator for the same kinds: a command that is told by KUBECONFIG where the cluster is. */
export async function startPeer(command: string, world: World): Promise<Subject> {
  const child = spawn('bash', ['-c', `exec ${command}`], {
    env: { ...process.env, KUBECONFIG: world.kubeconfig, WATCH_NAMESPACES: namespace },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return measured(
    child.pid ?? 0,
    () => end(child),
    async () => undefined,
  );
}

function measured(pid: number, stop: () => Promise<void>, writes: Subject['writes']): Subject {
  let peak = 0;
  const sampler = setInterval(() => {
    peak = Math.max(peak, costOf(pid).residentMiB);
  }, sampleMs);
  return {
    cost: () => costOf(pid),
    peakMiB: () => peak,
    writes,
    async [Symbol.asyncDispose]() {
      clearInterval(sampler);
      await stop();
    },
  };
}

/** Requests that were sent to change something, by the operator's own count. */
async function writesOf(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const calls = text.matchAll(/^cutover_api_calls_total\{([^}]*)\} (\d+)/gm);
  const writing = [...calls].filter(([, labels = '']) => /verb="(create|update|patch|apply|delete)"/.test(labels));
  return writing.reduce((sum, [, , count]) => sum + Number(count), 0);
}

async function end(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
