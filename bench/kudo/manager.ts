import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endingWithUs } from '../../rig/command.ts';
import { type Cost, costOf } from '../flink/process-tree.ts';

/** A process that looks after Instances. */
export interface Manager extends AsyncDisposable {
  cost(): Cost;
  /** How many requests that write it has sent. */
  writes(): Promise<number>;
}

/** The bundled operator with nothing but KUDO. `flags`: more of its options. */
export async function startOurs(kubeconfig: string, flags: readonly string[] = []): Promise<Manager> {
  const own = ['--family', 'kudo', '--no-leader-elect', '--health-port', '0', ...flags];
  const command = ['dist/cutover.js', 'operator', '--kubeconfig', kubeconfig, ...own];
  const child = spawn(...endingWithUs(process.execPath, command), { stdio: ['ignore', 'ignore', 'pipe'] });
  let port: number | undefined;
  let works = false;
  let last = '';
  for await (const line of createInterface({ input: child.stderr })) {
    last = line;
    const said = line.startsWith('{') ? (JSON.parse(line) as { readonly msg?: string; readonly port?: number }) : {};
    if (said.msg?.includes('health')) port ??= said.port;
    if (said.msg === 'working') works = true;
    if (works && port !== undefined) break;
  }
  if (port === undefined) throw new Error(`the operator did not start: ${last}`);
  const metrics = `http://127.0.0.1:${port}/metrics`;
  child.stderr.resume();
  return {
    cost: () => costOf(child.pid ?? 0),
    writes: () => writesOf(metrics),
    [Symbol.asyncDispose]: () => end(child),
  };
}

/** Another manager of the same kinds. */
export interface OtherManager extends AsyncDisposable {
  readonly name: string;
  cost(): Cost;
}

/** A command that is told by KUBECONFIG where the cluster is, and says on its standard output when it works, and as which process. */
export async function startPeer(command: string, kubeconfig: string): Promise<OtherManager> {
  const child = spawn(...endingWithUs('bash', ['-c', `exec ${command}`]), {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const said = line.startsWith('{') ? (JSON.parse(line) as { phase?: string; name?: string; pid?: number }) : {};
    if (said.phase !== 'started') continue;
    child.stdout.resume();
    return {
      name: said.name ?? command,
      cost: () => costOf(said.pid ?? child.pid ?? 0),
      [Symbol.asyncDispose]: () => end(child),
    };
  }
  throw new Error(`the peer ended without having said that it has started: ${command}`);
}

export function megabytes({ residentMiB }: Cost): number {
  return (residentMiB * 1024 * 1024) / 1_000_000;
}

/** Requests that were sent to change something, by the operator's own count. */
async function writesOf(metrics: string): Promise<number> {
  const text = await (await fetch(metrics)).text();
  const calls = text.matchAll(/^cutover_api_calls_total\{([^}]*)\} (\d+)/gm);
  const writing = [...calls].filter(([, labels = '']) => /verb="(create|update|patch|apply|delete)"/.test(labels));
  return writing.reduce((sum, [, , count]) => sum + Number(count), 0);
}

async function end(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
