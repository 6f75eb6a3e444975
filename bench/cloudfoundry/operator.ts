import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endingWithUs } from '../../rig/command.ts';
import { residentMiB } from '../resident.ts';

/** The bundled operator with nothing but Cloud Foundry: controllers and API in one process. */
export interface CloudFoundryOperator extends AsyncDisposable {
  /** Where the CF API is. */
  readonly url: string;
  residentMiB(): number;
}

export async function startOperator(kubeconfig: string): Promise<CloudFoundryOperator> {
  const flags = ['--family', 'cloudfoundry', '--no-leader-elect', '--health-port', '0'];
  const door = ['--cf-api-host', '127.0.0.1', '--cf-api-port', '0'];
  const command = ['dist/cutover.js', 'operator', '--kubeconfig', kubeconfig, ...flags, ...door];
  const child = spawn(...endingWithUs(process.execPath, command), { stdio: ['ignore', 'ignore', 'pipe'] });
  let port: number | undefined;
  let works = false;
  let last = '';
  for await (const line of createInterface({ input: child.stderr })) {
    last = line;
    const { msg, port: at } = line.startsWith('{') ? (JSON.parse(line) as { msg?: string; port?: number }) : {};
    if (msg === 'the CF API is served') port = at;
    if (msg === 'working') works = true;
    if (works && port !== undefined) break;
  }
  if (port === undefined) throw new Error(`the operator did not start: ${last}`);
  child.stderr.resume();
  return {
    url: `http://127.0.0.1:${port}`,
    residentMiB: () => residentMiB([child.pid ?? 0]),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
