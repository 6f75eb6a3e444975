import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endingWithUs } from '../../rig/command.ts';
import { type Cost, costOf } from '../flink/process-tree.ts';

/** The bundled operator with its dashboard. */
export interface DashboardOperator extends AsyncDisposable {
  /** Of the dashboard. */
  readonly url: string;
  cost(): Cost;
  /** How many requests it has sent to the API server, by its own count. */
  requests(): Promise<number>;
}

interface Line {
  readonly msg?: string;
  readonly port?: number;
  readonly url?: string;
}

export async function startWithDashboard(kubeconfig: string): Promise<DashboardOperator> {
  const flags = ['--family', 'kudo', '--no-leader-elect', '--health-port', '0', '--dashboard-port', '0'];
  const command = ['dist/cutover.js', 'operator', '--kubeconfig', kubeconfig, ...flags];
  const child = spawn(...endingWithUs(process.execPath, command), { stdio: ['ignore', 'ignore', 'pipe'] });
  const found: { port?: number; url?: string; works?: boolean } = {};
  let last = '';
  for await (const line of createInterface({ input: child.stderr })) {
    last = line;
    const said = line.startsWith('{') ? (JSON.parse(line) as Line) : {};
    if (said.msg?.includes('health') && said.port !== undefined) found.port ??= said.port;
    if (said.msg === 'the dashboard is served' && said.url !== undefined) found.url = said.url;
    if (said.msg === 'working') found.works = true;
    if (found.works && found.port !== undefined && found.url !== undefined) break;
  }
  const { port, url } = found;
  if (port === undefined || url === undefined) throw new Error(`the operator did not start: ${last}`);
  child.stderr.resume();
  return {
    url,
    cost: () => costOf(child.pid ?? 0),
    requests: () => requestsOf(`http://127.0.0.1:${port}/metrics`),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function requestsOf(metrics: string): Promise<number> {
  const text = await (await fetch(metrics)).text();
  const calls = text.matchAll(/^cutover_api_calls_total\{([^}]*)\} (\d+)/gm);
  // The server ends each watch after some minutes, and it is begun anew, whoever looks.
  return [...calls]
    .filter(([, labels = '']) => !/verb="watch"/.test(labels))
    .reduce((sum, [, , count]) => sum + Number(count), 0);
}
