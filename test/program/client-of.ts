import { realClock } from '../../src/clock/real.ts';
import { Client } from '../../src/kube/client.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { findAccess } from '../../src/kube/kubeconfig/find-access.ts';

/** A client of the cluster that a kubeconfig file names; disposing of it closes it. */
export async function clientOf(kubeconfig: string): Promise<Client & AsyncDisposable> {
  const client = new Client(httpTransport(await findAccess({ kubeconfig, env: {}, clock: realClock })));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}
