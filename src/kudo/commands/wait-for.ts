import { sleep } from '../../clock/clock.ts';
import { isKubeError, KubeError } from '../../kube/error.ts';
import { CommandError, exitCodes } from '../../portrait/text/command-error.ts';
import type { OpenedCluster, Shell } from '../../portrait/text/shell.ts';
import type { Instance } from '../resources/instance.ts';
import { kudoOf } from './cluster-objects.ts';

/** How often an Instance is looked at, and for how long by default. */
const pollMs = 500;
export const defaultWaitSeconds = 300;

export interface Waiting<T> {
  readonly instance: string;
  /** What is waited for, as it follows `waiting for`. */
  readonly what: string;
  readonly seconds: number;
  /** The result, or undefined to go on. The Instance is undefined when it is gone. */
  see(instance: Instance | undefined): T | undefined | Promise<T | undefined>;
}

/**
 * Looks at an Instance until `see` has a result. An API server that is away for a moment is waited for, too.
 *
 * Errors: a `CommandError` with its own exit code when time is up.
 */
export async function waitFor<T>(shell: Shell, cluster: OpenedCluster, waiting: Waiting<T>): Promise<T> {
  const { instance: name, what, seconds, see } = waiting;
  const end = shell.clock.monotonic() + seconds * 1000;
  const instances = kudoOf(cluster).instances;
  let trouble: KubeError | undefined;
  for (;;) {
    const found = await look();
    if (!(found instanceof KubeError)) {
      const result = await see(found);
      if (result !== undefined) return result;
    }
    trouble = found instanceof KubeError ? found : undefined;
    const left = end - shell.clock.monotonic();
    if (left <= 0) throw tooLate();
    await sleep(shell.clock, Math.min(pollMs, left));
  }

  async function look(): Promise<Instance | undefined | KubeError> {
    try {
      return await instances.get({ namespace: cluster.namespace, name });
    } catch (error) {
      if (isKubeError(error, 'not-found')) return undefined;
      if (error instanceof KubeError && error.transient) return error;
      throw error;
    }
  }

  function tooLate(): CommandError {
    const why = trouble ? `: ${trouble.message}` : '; it goes on without us, look with `kudo plan status`';
    return new CommandError(`timed out after ${seconds} seconds waiting for ${what}${why}`, exitCodes.timedOut);
  }
}
