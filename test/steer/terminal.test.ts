import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { install } from '../../src/cli/install.ts';
import type { Client } from '../../src/kube/client.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { definitions } from '../../src/kudo/family.ts';
import { instance } from '../../src/kudo/resources/instance.ts';
import { operatorVersion } from '../../src/kudo/resources/operator-version.ts';
import { clientOf } from '../program/client-of.ts';
import { startProgram } from '../program/start-program.ts';
import { complete, ledger, ledgerVersion, running } from './ledger.ts';

const source = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** Of util-linux. */
const pseudoTerminal = 'script';

/** A command in a pseudo-terminal of its own, 100 columns wide and 24 rows high. */
class Terminal implements Disposable {
  out = '';
  readonly ended: Promise<number | null>;
  readonly #child;
  readonly #listeners = new Set<() => void>();

  constructor(command: string, env: Readonly<Record<string, string>>) {
    const { PATH = '' } = process.env;
    const line = `stty cols 100 rows 24; exec ${process.execPath} ${source} ${command}`;
    this.#child = spawn(pseudoTerminal, ['-q', '-e', '-f', '-c', line, '/dev/null'], {
      env: { PATH, TERM: 'xterm', SHELL: '/bin/sh', NODE_NO_WARNINGS: '1', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
      for (const listener of [...this.#listeners]) listener();
    });
    this.ended = new Promise((resolve) => this.#child.on('close', (code) => resolve(code)));
  }

  /** Resolves when it was printed; a test that waits in vain ends by its own time limit. */
  async shows(text: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!this.out.includes(text)) return;
        this.#listeners.delete(look);
        resolve();
      };
      this.#listeners.add(look);
      look();
    });
  }

  type(text: string): void {
    this.#child.stdin.write(text);
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }
}

async function report(client: Client, status: Readonly<Record<string, unknown>>): Promise<void> {
  const body = { status: { observedGeneration: 1, ...status } };
  await client.resource(instance.type).status.patch({ namespace: 'default', name: 'ledger' }, { type: 'merge', body });
}

describe('a real terminal', () => {
  it.runIf(process.platform === 'linux')('is redrawn without being cleared, and given back on Ctrl-C', async () => {
    await using cluster = startProgram(['embedded', '--port', '0', '--kubeconfig', 'kubeconfig']);
    await cluster.says(/Ctrl-C stops it/);
    const KUBECONFIG = join(cluster.home, 'kubeconfig');
    await using client = await clientOf(KUBECONFIG);
    await install(client, definitions(), new AbortController().signal);
    await client.resource<KubeObject>(operatorVersion.type).create(ledgerVersion);
    await client.resource<KubeObject>(instance.type).create(ledger('ledger'));
    await report(client, complete);

    using terminal = new Terminal('get ledger -w', { KUBECONFIG, HOME: cluster.home });
    await terminal.shows('healthy (deploy COMPLETE)');
    expect(terminal.out.indexOf('\u001b[?1049h\u001b[?25l\u001b[H')).toBeGreaterThanOrEqual(0);
    await report(client, running);
    await terminal.shows('\u001b[36m◌ progressing (deploy IN_PROGRESS)');
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(0);
    const { out } = terminal;
    // Nothing is cleared before it is written over, and no frame is higher than the terminal.
    expect(out).not.toContain('\u001b[2J');
    const frames = out.split('\u001b[H').slice(1);
    expect(frames.length).toBeGreaterThanOrEqual(2);
    for (const frame of frames) expect((frame.split('\u001b[J')[0] ?? '').split('\r\n').length).toBeLessThanOrEqual(24);
    // The cursor is shown again, the former screen is back, and the last page is on it.
    const [, after = ''] = out.split('\u001b[?25h\u001b[?1049l');
    expect(after).toMatch(/^\S*Name:/);
    expect(after).toContain('You can:');

    using plain = new Terminal('list --no-color', { KUBECONFIG, HOME: cluster.home });
    expect(await plain.ended).toBe(0);
    expect(plain.out).toMatch(/^NAME +KIND +STATUS/m);
    expect(plain.out).not.toContain('\u001b');
    using dumb = new Terminal('list', { KUBECONFIG, HOME: cluster.home, TERM: 'dumb' });
    expect(await dumb.ended).toBe(0);
    expect(dumb.out).not.toContain('\u001b');
    using asked = new Terminal('list', { KUBECONFIG, HOME: cluster.home });
    expect(await asked.ended).toBe(0);
    expect(asked.out).toContain('\u001b[36m◌ progressing\u001b[0m');
  });
});

it('has the exit code that it should also for those who do not read the output', async () => {
  const manifest = JSON.stringify({
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'a' },
    spec: 7,
  });
  const child = spawn(process.execPath, [source, 'plan', '--offline', '-f', '-'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH ?? '', NODE_NO_WARNINGS: '1' },
  });
  child.stdout.destroy();
  child.stdin.end(manifest);
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(1);
}, 30_000);
