import { fstatSync } from 'node:fs';
import { startControlPlane } from './control-plane.ts';
import { cacheDirectory } from './directories.ts';
import type { NodeOptions } from './node.ts';
import { type Part, provide } from './parts.ts';
import { identify, type ProcessIdentity } from './process.ts';
import type { Progress } from './progress.ts';
import type { Level, RunState } from './run.ts';
import { onStarterGone } from './starter.ts';

/** A cluster of either level, as far as its holder must know it. */
export interface Cluster {
  readonly state: Required<RunState>;
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

/** What must be in the cache before a cluster of a level can start. */
const PARTS_OF: Readonly<Record<Level, readonly Part[]>> = {
  'control-plane': ['kubernetes', 'kwok'],
  node: ['kubernetes', 'kwok', 'coredns', 'images'],
};

/** Starts a cluster of the given level. */
async function startCluster(level: Level, options: NodeOptions): Promise<Cluster> {
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

/** Set for a holder that is to outlive whoever started it. */
export const DETACHED = 'CUTOVER_RIG_DETACHED';

/**
 * Holds a cluster in the foreground: prints one line of JSON when it is ready, and ends it on SIGTERM, SIGINT, when
 * standard input, if it is a pipe, ends, or when whoever started us is gone. Resolves with the exit code.
 */
export async function serve(level: Level, options: NodeOptions, progress: Progress): Promise<number> {
  if (level !== 'node' && (options.images?.length || options.archives?.length))
    throw new Error('only the node level has images: add --level node');
  let wanted = true;
  let stopLooking = (): void => {};
  const asked = new Promise<void>((resolve) => {
    const stop = (): void => {
      wanted = false;
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
    const input = fstatSync(0);
    if (input.isFIFO() || input.isSocket()) process.stdin.on('end', stop).on('error', stop).resume();
    if (process.env[DETACHED] === undefined) stopLooking = onStarterGone(stop);
  });
  let cluster: Cluster | undefined;
  try {
    // Who is asked to end in the middle of a build ends at once, and the build with it.
    await Promise.race([asked, provide(cacheDirectory(), [...PARTS_OF[level], ...(options.images ?? [])], progress)]);
    if (!wanted) return 1;
    cluster = await startCluster(level, { ...options, progress });
    if (!wanted) return 0;
    process.stdout.write(`${JSON.stringify(announcement(cluster.state))}\n`);
    const reason = await Promise.race([asked, cluster.broken]);
    if (typeof reason !== 'string') return 0;
    progress.note(reason);
    return 1;
  } finally {
    stopLooking();
    process.stdin.destroy();
    if (cluster !== undefined) await progress.step('stopping', cluster.stop);
  }
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
