import { realClock } from '../clock/real.ts';
import { Client, type ClientOptions } from './client.ts';
import { httpTransport } from './http-transport.ts';
import type { ClusterAccess } from './kubeconfig/cluster-access.ts';
import { type FindAccessOptions, findAccess } from './kubeconfig/find-access.ts';

export interface ConnectOptions extends ClientOptions, Omit<FindAccessOptions, 'clock'> {}

/**
 * A client for the cluster that this process belongs to or was pointed at. Nothing is sent yet.
 *
 * Errors: `KubeconfigError`, one line.
 */
export async function connect(options: ConnectOptions): Promise<{ client: Client; access: ClusterAccess }> {
  const clock = options.clock ?? realClock;
  const access = await findAccess({ ...options, clock });
  return { client: new Client(httpTransport({ ...access, clock }), options), access };
}
