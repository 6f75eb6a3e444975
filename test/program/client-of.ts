import { realClock } from '../../src/clock/real.ts';
import { Client } from '../../src/kube/client.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { findAccess } from '../../src/kube/kubeconfig/find-access.ts';

/**
 * A client of the cluster that a kubeconfig file names; disposing of it closes it. It keeps its connections longer than
 * any test takes: whoever waits for them to be dropped waits too long.
 */
export async function clientOf(kubeconfig: string): Promise<Client & AsyncDisposable> {
  const access = await findAccess({ kubeconfig, env: {}, clock: realClock });
  const client = new Client(httpTransport({ ...access, idleTimeoutMs: 600_000 }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}
