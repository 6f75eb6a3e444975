import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Level } from './run.ts';

/** A cluster that another process holds for us. It ends with `stop`, or when this process dies. */
export interface HeldCluster {
  readonly kubeconfig: string;
  readonly url: string;
  /** Directories for the front of `PATH`. */
  readonly path: readonly string[];
  readonly readyMs: number;
  /** The command line that runs a program where the cluster's addresses are reachable. */
  inside(command: string, args: readonly string[]): readonly [string, readonly string[]];
  stop(): Promise<void>;
}

interface Announcement {
  readonly holder: number;
  readonly url: string;
  readonly kubeconfig: string;
  readonly path: readonly string[];
  readonly readyMs: number;
}

/** Starts `rig serve` as a child and waits until its cluster is ready. Its progress goes to our error output. */
export async function holdCluster(level: Level, flags: readonly string[] = []): Promise<HeldCluster> {
  const main = join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, [main, 'serve', '--level', level, ...flags], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let lastLine = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLine = line;
    process.stderr.write(`  ${line}\n`);
  });
  child.stdin.on('error', () => {}); // it ended before we did
  const ended = once(child, 'close');
  const ready = new Promise<Announcement>((resolve) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line) as Announcement));
  });
  const announced = await Promise.race([ready, ended]);
  if (Array.isArray(announced)) throw new Error(lastLine || `the rig ended with ${announced[0]}`);
  return {
    kubeconfig: announced.kubeconfig,
    url: announced.url,
    path: announced.path,
    readyMs: announced.readyMs,
    inside: (command, args) => besideHolder(level, announced.holder, command, args),
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

/** The command line that runs a program where a held cluster is reachable: a node has a network of its own. */
export function besideHolder(
  level: Level,
  holder: number,
  command: string,
  args: readonly string[],
): readonly [string, readonly string[]] {
  if (level === 'control-plane') return [command, args];
  return ['nsenter', ['--net', '--target', String(holder), '--', command, ...args]];
}
