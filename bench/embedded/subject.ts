import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { residentMiB } from '../resident.ts';

/** A Kubernetes API server that is being measured. */
export interface Subject {
  readonly server: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** From start to the first `ok` of /readyz. */
  readonly readyMs: number;
  /** Resident memory now, of all processes it consists of, in MiB. */
  residentMiB(): number;
  stop(): Promise<void>;
}

/** Starts the bundled program; with `data` it keeps its objects in a new directory. */
export async function startOurs(options: { readonly data: boolean }): Promise<Subject> {
  const home = mkdtempSync(join(tmpdir(), 'cutover-bench-'));
  const kubeconfig = join(home, 'kubeconfig');
  const args = ['dist/cutover.js', 'embedded', '--port', '0', '--kubeconfig', kubeconfig];
  if (options.data) args.push('--data', join(home, 'data'));
  const began = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('kubeconfig')) break;
  child.stdout?.resume();
  const readyMs = performance.now() - began;
  return {
    ...credentials(kubeconfig),
    readyMs,
    residentMiB: () => residentMiB([child.pid ?? 0]),
    async stop() {
      await end(child);
      rmSync(home, { recursive: true });
    },
  };
}

/**
 * Starts the peer: a command that prints one JSON line `{ "ready": true, "kubeconfig": PATH, "pids": { NAME: PID },
 * "readyMs": N }` when its API server answers, and ends when its standard input does.
 */
export async function startPeer(command: string): Promise<Subject> {
  const child = spawn('bash', ['-c', `exec ${command}`], { stdio: ['pipe', 'pipe', 'inherit'] });
  let ready: { kubeconfig: string; pids: Record<string, number>; readyMs: number } | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    ready = JSON.parse(line);
    break;
  }
  if (!ready) throw new Error(`the peer ended before it was ready: ${command}`);
  child.stdout?.resume();
  const { kubeconfig, pids, readyMs } = ready;
  const counted = Object.entries(pids).filter(([name]) => /etcd|apiserver/.test(name));
  return {
    ...credentials(kubeconfig),
    readyMs,
    residentMiB: () => residentMiB(counted.map(([, pid]) => pid)),
    async stop() {
      child.stdin?.end();
      await end(child);
      // The command may end before the servers it started; the next round must not share the machine with them.
      while (Object.values(pids).some((pid) => existsSync(`/proc/${pid}`))) await delay(50);
    },
  };
}

function credentials(path: string): Pick<Subject, 'server' | 'ca' | 'cert' | 'key'> {
  const config = parse(readFileSync(path, 'utf8'));
  const { cluster } = config.clusters[0];
  const { user } = config.users[0];
  const text = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
  return {
    server: cluster.server,
    ca: text(cluster['certificate-authority-data']),
    cert: text(user['client-certificate-data']),
    key: text(user['client-key-data']),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
