import { join } from 'node:path';
import { cacheDirectory } from '../../../rig/directories.ts';
import { FLINK_JOB } from '../../../rig/flink/distribution.ts';
import { provide } from '../../../rig/parts.ts';
import { freePorts } from '../../../rig/ports.ts';
import { silent } from '../../../rig/progress.ts';
import type { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { Ports } from './flink-process.ts';
import { openGateway } from './gateway.ts';
import { ProcessNode } from './process-node.ts';
import { openVolume, type Volume } from './volume.ts';

/** Where Flink runs. */
export interface Place extends AsyncDisposable {
  readonly volume: Volume;
  /** The counting job, where Flink finds it. */
  readonly jarURI: string;
  /** How the operator reaches JobManagers. */
  readonly operatorFlags: readonly string[];
  /** What a JobManager answers, past the operator. */
  ask(cluster: string, path: string): Promise<{ readonly status: number; readonly text: string }>;
}

export type OpenPlace = (client: Client, namespace: string) => Promise<Place>;

/** In containers of the cluster's own node, reached through the API server. */
export const containers: OpenPlace = async (client, namespace) => {
  const volume = await openVolume({ mountPath: '/data' });
  return {
    volume,
    jarURI: FLINK_JOB.inImage,
    operatorFlags: [],
    async ask(cluster, path) {
      const service = { namespace, name: `${cluster}-rest` };
      const { status, body } = await client
        .resource(kinds.services)
        .proxy(service, { scheme: 'http', port: 'rest', path });
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      return { status, text: Buffer.concat(chunks).toString() };
    },
    [Symbol.asyncDispose]: () => volume[Symbol.asyncDispose](),
  };
};

/** As plain processes of this machine, where no node can run; the API server and its controllers are as real as ever. */
export const processes: OpenPlace = async (client, namespace) => {
  const parts = await provide(cacheDirectory(), ['flink-2.3', 'flink-base'], silent);
  const volume = await openVolume();
  const known = new Map<string, Promise<Ports>>();
  const portsOf = (cluster: string): Promise<Ports> => {
    const ports = known.get(cluster) ?? freePorts(2).then(([rest = 0, rpc = 0]) => ({ rest, rpc }));
    known.set(cluster, ports);
    return ports;
  };
  const gateway = await openGateway(async (cluster) => (await portsOf(cluster)).rest);
  const node = await ProcessNode.start({
    client,
    namespace,
    flinkHome: join(parts['flink-2.3'], 'flink'),
    javaHome: join(parts['flink-base'], 'root', 'opt', 'java'),
    directory: join(volume.directory, 'processes'),
    portsOf,
  });
  return {
    volume,
    jarURI: `local://${join(parts['flink-2.3'], FLINK_JOB.inPart)}`,
    operatorFlags: ['--flink-rest', gateway.url],
    async ask(cluster, path) {
      const answer = await fetch(`${gateway.url.replace('{namespace}', namespace).replace('{name}', cluster)}${path}`);
      return { status: answer.status, text: await answer.text() };
    },
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      await gateway[Symbol.asyncDispose]();
      await volume[Symbol.asyncDispose]();
    },
  };
};
