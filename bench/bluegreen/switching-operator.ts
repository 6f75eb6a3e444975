import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { namespace } from '../flink/deployment.ts';

/** The bundled operator with nothing but its blue/green controller, as beside an operator of FlinkDeployments. */
export interface SwitchingOperator extends AsyncDisposable {
  /** How many requests that write it has sent, events left out. */
  writes(): Promise<number>;
}

const others = ['flinkdeployment', 'flinksessionjob', 'flinkstatesnapshot'];

export async function startSwitchingOperator(kubeconfig: string): Promise<SwitchingOperator> {
  const flags = ['--no-leader-elect', '--health-port', '0', ...others.flatMap((name) => ['--off', name])];
  const child = spawn(process.execPath, ['dist/cutover.js', 'operator', '--kubeconfig', kubeconfig, ...flags], {
    env: { ...process.env, WATCH_NAMESPACES: namespace },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let port: number | undefined;
  let last = '';
  for await (const line of createInterface({ input: child.stderr })) {
    last = line;
    port ??= line.startsWith('{') ? (JSON.parse(line) as { port?: number }).port : undefined;
    if (line.includes('"working"') && port !== undefined) break;
  }
  if (port === undefined) throw new Error(`the operator did not start: ${last}`);
  child.stderr.resume();
  return {
    writes: () => writesOf(port),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** By the operator's own count of its requests. */
async function writesOf(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return [...text.matchAll(/^cutover_api_calls_total\{([^}]*)\} (\d+)/gm)]
    .filter(
      ([, labels = '']) => /verb="(create|update|patch|apply|delete)"/.test(labels) && !labels.includes('="events'),
    )
    .reduce((sum, [, , count]) => sum + Number(count), 0);
}
