import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock/clock.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { fileTokenIdentity } from './file-token-identity.ts';
import { firstLine, KubeconfigError } from './kubeconfig-error.ts';

const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether this process runs in a pod. */
export function isInCluster(env: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(env.KUBERNETES_SERVICE_HOST && env.KUBERNETES_SERVICE_PORT);
}

/** The access that every pod is given: the ServiceAccount's token, renewed by the kubelet, and the cluster's CA. */
export async function inClusterAccess(options: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Default: where kubelets put it. */
  readonly folder?: string;
}): Promise<ClusterAccess> {
  const { env, clock, folder = serviceAccountFolder } = options;
  const host = env.KUBERNETES_SERVICE_HOST ?? '';
  const port = env.KUBERNETES_SERVICE_PORT ?? '443';
  const identity = fileTokenIdentity(join(folder, 'token'), { clock });
  try {
    await identity.current();
    return {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      tls: { ca: await readFile(join(folder, 'ca.crt')) },
      identity,
      namespace: (await readFile(join(folder, 'namespace'), 'utf8').catch(() => '')).trim() || 'default',
      source: 'the service account of this pod',
    };
  } catch (error) {
    throw new KubeconfigError(`in-cluster access: ${firstLine(error)}`, { cause: error });
  }
}
