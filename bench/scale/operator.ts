import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endingWithUs } from '../../rig/command.ts';
import { type Cost, costOf } from '../flink/process-tree.ts';
import type { StandingCluster } from './standing-cluster.ts';

/** The bundled operator, in a process of its own. */
export interface MeasuredOperator extends AsyncDisposable {
  /** Milliseconds from its start until its caches held everything and it began to work. */
  readonly syncMs: number;
  cost(): Cost;
  /** What it says of itself. */
  counts(): Promise<Counts>;
}

export interface Counts {
  /** Requests to the API server that write. */
  readonly writes: number;
  readonly heapMiB: number;
}

interface Line {
  readonly msg?: string;
  readonly port?: number;
  readonly controller?: string;
}

const controller = 'flinkdeployment';

export async function startOperator(
  { kubeconfig, flinkRest }: StandingCluster,
  nodeFlags: readonly string[] = [],
): Promise<MeasuredOperator> {
  const flags = ['--family', 'flink', '--no-leader-elect', '--health-port', '0', '--flink-rest', flinkRest];
  const command = [...nodeFlags, 'dist/cutover.js', 'operator', '--kubeconfig', kubeconfig, ...flags];
  const began = performance.now();
  const child = spawn(...endingWithUs(process.execPath, command), { stdio: ['ignore', 'ignore', 'pipe'] });
  let port: number | undefined;
  let works = false;
  let last = '';
  for await (const line of createInterface({ input: child.stderr })) {
    last = line;
    const said = line.startsWith('{') ? (JSON.parse(line) as Line) : {};
    port ??= said.port;
    works ||= said.msg === 'working' && said.controller === controller;
    if (works && port !== undefined) break;
  }
  if (!works || port === undefined) throw new Error(`the operator did not start: ${last}`);
  const syncMs = performance.now() - began;
  child.stderr.resume();
  return {
    syncMs,
    cost: () => costOf(child.pid ?? 0),
    counts: () => countsOf(`http://127.0.0.1:${port}/metrics`),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function countsOf(metrics: string): Promise<Counts> {
  const text = await (await fetch(metrics)).text();
  const calls = [...text.matchAll(/^cutover_api_calls_total\{([^}]*)\} (\d+)/gm)];
  const writes = calls.filter(([, labels = '']) => /verb="(create|update|patch|apply|delete)"/.test(labels));
  const heap = /^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1];
  return { writes: writes.reduce((sum, [, , count]) => sum + Number(count), 0), heapMiB: Number(heap) / 1024 / 1024 };
}
