import type { Clock } from '../../clock/clock.ts';
import type { IdentitySource } from '../identity.ts';
import { accessFromKubeconfig } from './access-from-kubeconfig.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { inClusterAccess, isInCluster } from './in-cluster-access.ts';
import { kubeconfigPaths, readKubeconfig } from './kubeconfig.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { rereadIdentity } from './reread-identity.ts';

export interface FindAccessOptions {
  /** A kubeconfig file that must exist. */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig instead of the current one. */
  readonly context?: string | undefined;
  /** `process.env` */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/**
 * How this process reaches its cluster: the kubeconfig it was given, else `KUBECONFIG`, else the pod it runs in, else
 * the kubeconfig in the home directory.
 *
 * Errors: `KubeconfigError`, one line.
 */
export async function findAccess(options: FindAccessOptions): Promise<ClusterAccess> {
  const { kubeconfig, context, env, clock } = options;
  if (kubeconfig !== undefined) return accessFromFiles([kubeconfig], context, clock);
  if (!env.KUBECONFIG && isInCluster(env)) {
    if (context) throw new KubeconfigError(`context "${context}" was asked for, but in a pod there is no kubeconfig`);
    return inClusterAccess({ env, clock });
  }
  return accessFromFiles(kubeconfigPaths(env), context, clock);
}

/** Credentials that are renewed in the files are found there: those of the same context, for the same server. */
async function accessFromFiles(
  paths: readonly string[],
  asked: string | undefined,
  clock: Clock,
): Promise<ClusterAccess> {
  const kubeconfig = await readKubeconfig(paths);
  const context = asked ?? kubeconfig.currentContext;
  const access = await accessFromKubeconfig(kubeconfig, { context, clock });
  const again = async (): Promise<IdentitySource> => {
    const { server, identity } = await accessFromKubeconfig(await readKubeconfig(paths), { context, clock });
    if (server !== access.server) throw new KubeconfigError(`the context is about ${server} now: nobody is told there`);
    return identity;
  };
  return { ...access, identity: rereadIdentity(access.identity, again, clock) };
}
