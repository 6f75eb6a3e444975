import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { normalise } from './normalise.ts';
import type { Step } from './transcript.ts';

/** A shell with kubectl on its path, a namespace of its own, and the committed files beside it. */
export interface Shell {
  run(command: string): Promise<Step>;
  close(): Promise<void>;
}

const files = new URL('files/', import.meta.url).pathname;

/** Opens a shell on the cluster of a kubeconfig; `namespace` is made now and deleted on close. */
export async function openShell(kubeconfig: string, namespace: string): Promise<Shell> {
  const home = mkdtempSync(join(tmpdir(), 'cutover-kubectl-'));
  const config = parse(kubeconfig);
  for (const { context } of config.contexts) context.namespace = namespace;
  const path = join(home, 'kubeconfig');
  writeFileSync(path, stringify(config));
  chmodSync(path, 0o600);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    KUBECONFIG: path,
    NAMESPACE: namespace,
    TZ: 'UTC',
    LC_ALL: 'C.UTF-8',
  };

  const bash = (command: string): Promise<{ text: string; exitCode: number }> =>
    new Promise((resolve, reject) => {
      const child = spawn('bash', ['-c', `exec 2>&1\n${command}`], {
        cwd: files,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      child.on('error', reject);
      child.on('close', (code) => resolve({ text, exitCode: code ?? 1 }));
    });

  const made = await bash(`kubectl create namespace ${namespace}`);
  if (made.exitCode !== 0) throw new Error(`no namespace to work in: ${made.text}`);
  return {
    async run(command) {
      const { text, exitCode } = await bash(command);
      return { command, output: normalise(text, namespace), exitCode };
    },
    async close() {
      await bash(`kubectl delete namespace ${namespace} --wait=false`);
      rmSync(home, { recursive: true });
    },
  };
}
