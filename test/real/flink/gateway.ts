import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One address before the JobManagers of many clusters. */
export interface Gateway extends AsyncDisposable {
  /** With `{namespace}` and `{name}` in it. */
  readonly url: string;
}

/** Passes `/NAMESPACE/NAME/…` on to the port of that cluster, on this machine. */
export async function openGateway(portOf: (cluster: string) => Promise<number>): Promise<Gateway> {
  const server = createServer(async (asked, answer) => {
    const [, , cluster = '', path = ''] = /^\/([^/]+)\/([^/]+)(\/.*)$/.exec(asked.url ?? '') ?? [];
    const { method, headers } = asked;
    const onward = request({ host: '127.0.0.1', port: await portOf(cluster), method, path, headers }, (heard) => {
      answer.writeHead(heard.statusCode ?? 502, heard.headers);
      heard.pipe(answer);
    });
    // Nobody there: as with a Service that has no ready pod, the connection comes to nothing.
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/{namespace}/{name}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
