import { fstatSync } from 'node:fs';
import { type ControlPlaneOptions, startControlPlane } from './control-plane.ts';
import type { ProcessIdentity } from './process.ts';
import { identify } from './process.ts';
import type { Progress } from './progress.ts';
import type { Level, RunState } from './run.ts';

/** A cluster of either level, as far as its holder must know it. */
export interface Cluster {
  readonly state: Required<RunState>;
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

/** Starts a cluster of the given level. */
export async function startCluster(level: Level, options: ControlPlaneOptions): Promise<Cluster> {
  if (level === 'node') {
    const { startNode } = await import('./node.ts');
    return startNode(options);
  }
  const plane = await startControlPlane(options);
  const state = {
    name: plane.run.name,
    level,
    holder: identify(process.pid) as ProcessIdentity,
    ready: {
      url: plane.url,
      kubeconfig: plane.kubeconfig,
      path: [plane.binaries],
      processes: plane.processes(),
      readyMs: plane.readyMs,
    },
  };
  await plane.run.save(state);
  return { state, broken: plane.broken, stop: plane.stop };
}

/**
 * Holds a cluster in the foreground: prints one line of JSON when it is ready, and ends it on SIGTERM, SIGINT, or when
 * standard input, if it is a pipe, ends. Resolves with the exit code.
 */
export async function serve(level: Level, options: ControlPlaneOptions, progress: Progress): Promise<number> {
  let wanted = true;
  const asked = new Promise<void>((resolve) => {
    const stop = (): void => {
      wanted = false;
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
    const input = fstatSync(0);
    if (input.isFIFO() || input.isSocket()) process.stdin.on('end', stop).on('error', stop).resume();
  });
  const cluster = await startCluster(level, { ...options, progress });
  let code = 0;
  try {
    if (wanted) {
      process.stdout.write(`${JSON.stringify(announcement(cluster.state))}\n`);
      const reason = await Promise.race([asked, cluster.broken]);
      if (typeof reason === 'string') {
        progress.note(reason);
        code = 1;
      }
    }
  } finally {
    await progress.step('stopping', () => cluster.stop());
    process.stdin.destroy();
  }
  return code;
}

/** The line that other programs wait for. */
function announcement(state: Required<RunState>): Readonly<Record<string, unknown>> {
  const { url, kubeconfig, path, processes, readyMs } = state.ready;
  const pids = Object.fromEntries(Object.entries(processes).map(([name, { pid }]) => [name, pid]));
  return {
    ready: true,
    name: state.name,
    level: state.level,
    holder: state.holder.pid,
    url,
    kubeconfig,
    path,
    pids,
    readyMs,
  };
}
