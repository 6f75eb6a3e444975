import { realRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { silent } from '../../src/control/log.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { runOperator } from '../../src/control/operator.ts';
import { Client } from '../../src/kube/client.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { findAccess } from '../../src/kube/kubeconfig/find-access.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { operatorParts } from './operator-parts.ts';
import type { World } from './world.ts';

/** A write of the operator, as it was sent for one FlinkDeployment. */
interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

/** Sends what is left to be written. */
export type Rest = () => Promise<void>;

/** The name that recorded writes speak of. */
const recordedName = 'recorded';

/**
 * The floor: the writes by which the operator deploys one FlinkDeployment, sent bare. They are recorded from the operator
 * itself, up to the status that says DEPLOYED, and repeated with other names, uids and versions.
 */
export class Floor {
  readonly #client: Client;
  readonly #writes: readonly Write[];
  readonly #uids: readonly string[];

  private constructor(client: Client, writes: readonly Write[], uids: readonly string[]) {
    this.#client = client;
    this.#writes = writes;
    this.#uids = uids;
  }

  static async record(world: World): Promise<Floor> {
    const writes: Write[] = [];
    const uids = new Set<string>();
    const access = await findAccess({ kubeconfig: world.kubeconfig, env: {}, clock: realClock });
    const transport = httpTransport({ ...access, clock: realClock });
    const stop = new AbortController();
    const client = new Client(recording(transport, writes, uids));
    const running = runOperator({
      client,
      clock: realClock,
      random: realRandom,
      log: silent,
      metrics: createMetrics({ process: false }),
      controllers: operatorParts(client, world.stub.port),
      signal: stop.signal,
      instance: 'recorder',
    });
    await world.create(recordedName);
    await world.stable();
    stop.abort();
    await running;
    await client.close();
    const deployed = writes.findIndex(
      ({ path, body }) => path.includes('/status') && body.includes('"state":"DEPLOYED"'),
    );
    return new Floor(world.client, writes.slice(0, deployed + 1), [...uids]);
  }

  /** Sends the writes up to the Deployment for a FlinkDeployment that was just created. The rest is left to be sent. */
  async deploy(created: AnyObject): Promise<Rest> {
    const deployment = this.#writes.findIndex(({ path }) => path.includes('/deployments'));
    const known = new Map([[this.#uids[0] ?? '', created.metadata.uid ?? '']]);
    const version = await this.#send(created, created.metadata.resourceVersion, known, 0, deployment + 1);
    return async () => void (await this.#send(created, version, known, deployment + 1));
  }

  /** One after the other. Learns the uid of the Deployment, and returns the last version of the FlinkDeployment. */
  async #send(
    { metadata: { name = '', uid } }: AnyObject,
    last: string | undefined,
    known: Map<string, string>,
    from: number,
    to?: number,
  ): Promise<string | undefined> {
    let version = last;
    for (const write of this.#writes.slice(from, to)) {
      const path = write.path.replaceAll(recordedName, name);
      const text = [...known].reduce((body, [before, after]) => body.replaceAll(before, after), write.body);
      const body = withVersion(JSON.parse(text.replaceAll(recordedName, name)), version ?? '');
      const call = { method: write.method, path, body, contentType: write.contentType };
      const answer = await this.#client.json<AnyObject>(call);
      if (answer.metadata.uid === uid) version = answer.metadata.resourceVersion ?? version;
      if (answer.kind === 'Deployment') known.set(this.#uids[1] ?? '', answer.metadata.uid ?? '');
    }
    return version;
  }
}

/** The FlinkDeployment's version where the write names one, so that it is accepted. */
function withVersion(body: AnyObject | AnyObject[], version: string): unknown {
  if (Array.isArray(body)) {
    const steps = body as unknown as { op: string; path: string; value?: unknown }[];
    return steps.map((step) => (step.path === '/metadata/resourceVersion' ? { ...step, value: version } : step));
  }
  if (body.metadata?.resourceVersion === undefined) return body;
  return { ...body, metadata: { ...body.metadata, resourceVersion: version } };
}

/** Keeps the writes about the recorded FlinkDeployment, and the uids of it and of its Deployment, in this order. */
function recording(transport: Transport, writes: Write[], uids: Set<string>): Transport {
  return {
    ...transport,
    connect: (request, protocols) => transport.connect(request, protocols),
    close: () => transport.close(),
    async request(request) {
      const { method, path, headers, body } = request;
      if (method === 'GET' || method === 'DELETE' || body === undefined) return transport.request(request);
      const text = body.toString();
      for (const [, uid = ''] of text.matchAll(/"uid":"([0-9a-f-]{36})"/g)) uids.add(uid);
      for (const [, uid = ''] of text.matchAll(/\/metadata\/uid","value":"([0-9a-f-]{36})"/g)) uids.add(uid);
      writes.push({ method, path, contentType: headers?.['content-type'] ?? 'application/json', body: text });
      return transport.request(request);
    },
  };
}
