import { type Child, startChild } from './child.ts';
import { childrenOf, identify, isAlive, type ProcessIdentity, programOf } from './process.ts';
import type { Run } from './run.ts';

/**
 * The pid and mount namespaces in which a node's containers live.
 *
 * Containers and their shims detach from whoever started them. Here the kernel ends them all, with every mount they
 * made, the moment the namespace's first process ends; and that one ends with us.
 */
export interface ContainerSpace {
  readonly identity: ProcessIdentity;
  /** The command line that runs a program in there. */
  inside(command: string, args: readonly string[]): readonly [string, readonly string[]];
  /** Resolves with the reason if it ends. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * The container runtime and the kubelet insist on a few directories of the machine; they get their own: an empty `/run`,
 * and a `/var/lib` whose changes stay in the run's directory.
 */
const SET_UP = `
mkdir -p "$1/upper" "$1/work"
mount -t tmpfs -o mode=755 tmpfs /run
mount -t overlay overlay -o "lowerdir=/var/lib,upperdir=$1/upper,workdir=$1/work" /var/lib
exec "$2"
`;

/** `init`: a program that reaps orphans and does nothing else. */
export async function openContainerSpace(run: Run, init: string): Promise<ContainerSpace> {
  const log = run.path('logs', 'container-space.log');
  const unshare = startChild('container space', {
    command: 'unshare',
    args: [
      ...['--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private', '--'],
      ...['sh', '-ec', SET_UP, 'sh', run.path('data', 'var-lib'), init],
    ],
    cwd: run.directory,
    log,
  });
  const identity = await firstProcess(unshare, init);
  return {
    identity,
    ended: unshare.ended,
    inside: (command, args) => [
      'nsenter',
      ['--target', String(identity.pid), '--pid', '--mount', `--wdns=${run.directory}`, '--', command, ...args],
    ],
    async stop() {
      await unshare.stop(0);
      while (isAlive(identity)) await new Promise((resolve) => setTimeout(resolve, 10));
    },
  };
}

/** Waits until the set-up is done and the first process is `init`. */
async function firstProcess(unshare: Child, init: string): Promise<ProcessIdentity> {
  for (;;) {
    const pid = childrenOf(unshare.identity.pid)[0];
    const identity = pid === undefined ? undefined : identify(pid);
    if (pid !== undefined && identity !== undefined && programOf(pid) === init) return identity;
    if (!isAlive(unshare.identity)) throw new Error(`could not make namespaces for containers: ${unshare.logTail()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
