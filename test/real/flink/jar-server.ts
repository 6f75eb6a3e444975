import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../../../rig/directories.ts';
import { FLINK_JOB } from '../../../rig/flink/distribution.ts';
import { type ImagePart, provide } from '../../../rig/parts.ts';
import { silent } from '../../../rig/progress.ts';

/**
 * An address of this machine that the operator reaches: an installed one runs in a pod, whose loopback is another one. Nobody outside
 * is reached by either: the cluster's network is its own.
 */
function reachable(): string {
  if (!process.env.CUTOVER_INSTALLED) return '127.0.0.1';
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

/** Serves the counting job, as compiled for a Flink, on this machine only. */
export async function serveJar(flink: ImagePart): Promise<{ readonly url: string } & AsyncDisposable> {
  const part = await provide(cacheDirectory(), [flink], silent);
  const jar = await readFile(join(part[flink], FLINK_JOB.inPart));
  const server = createServer((request, answer) => {
    if (request.url !== '/countjob.jar') return void answer.writeHead(404).end();
    answer.writeHead(200, { 'content-type': 'application/java-archive' }).end(jar);
  });
  const host = reachable();
  server.listen(0, host);
  await once(server, 'listening');
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/countjob.jar`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
