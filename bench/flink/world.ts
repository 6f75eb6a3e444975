import { setTimeout as delay } from 'node:timers/promises';
import { type ControlPlane, startControlPlane } from '../../rig/control-plane.ts';
import { install } from '../../src/cli/install.ts';
import { realClock } from '../../src/clock/real.ts';
import { definitions } from '../../src/flink/family.ts';
import { Client } from '../../src/kube/client.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { findAccess } from '../../src/kube/kubeconfig/find-access.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { deployment, namespace } from './deployment.ts';
import { type RestStub, startRestStub } from './rest-stub.ts';

const flinkDeployments = {
  group: 'flink.apache.org',
  version: 'v1beta1',
  kind: 'FlinkDeployment',
  plural: 'flinkdeployments',
  namespaced: true,
};

/** Nothing here takes this long: an operator that needs longer has failed. */
const patienceMs = 20 * 60_000;

/** A real API server with simulated nodes, a person who creates FlinkDeployments, and a watch on what becomes of them. */
export class World implements AsyncDisposable {
  readonly client: Client;
  readonly kubeconfig: string;
  readonly stub: RestStub;
  readonly #plane: ControlPlane;
  readonly #stop = new AbortController();
  /** When the JobManager Deployment of each cluster was seen. */
  readonly #deployed = new Map<string, number>();
  #onDeployed: () => void = () => {};

  private constructor(plane: ControlPlane, client: Client, stub: RestStub) {
    this.#plane = plane;
    this.client = client;
    this.kubeconfig = plane.kubeconfig;
    this.stub = stub;
    void this.#watch();
  }

  static async open(): Promise<World> {
    const plane = await startControlPlane({ kwokNodes: 8 });
    const access = await findAccess({ kubeconfig: plane.kubeconfig, env: {}, clock: realClock });
    const client = new Client(httpTransport({ ...access, clock: realClock }));
    await client
      .resource(kinds.namespaces)
      .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'flink', namespace } };
    await client.resource(kinds.serviceAccounts).create(account);
    await install(client, definitions(), AbortSignal.timeout(60_000));
    return new World(plane, client, await startRestStub(client));
  }

  /** Creates a FlinkDeployment. */
  async create(name: string): Promise<AnyObject> {
    return this.client.resource(flinkDeployments).create(deployment(name, this.stub.port));
  }

  /** Resolves when the JobManager Deployments of all these clusters have been seen, with the instant of the last. */
  async deployed(names: readonly string[]): Promise<number> {
    const began = performance.now();
    while (!names.every((name) => this.#deployed.has(name))) {
      const missing = names.filter((name) => !this.#deployed.has(name));
      if (performance.now() - began > patienceMs)
        throw new Error(`no JobManager for ${missing.slice(0, 5).join(', ')} …`);
      await Promise.race([new Promise<void>((resolve) => (this.#onDeployed = resolve)), delay(1_000)]);
    }
    return Math.max(...names.map((name) => this.#deployed.get(name) ?? 0));
  }

  /** Resolves when every FlinkDeployment is STABLE. */
  async stable(): Promise<void> {
    const began = performance.now();
    for (;;) {
      const { items } = await this.client.resource<AnyObject>(flinkDeployments).list({ namespace });
      const unstable = items.filter(
        ({ status }) => (status as { lifecycleState?: string })?.lifecycleState !== 'STABLE',
      );
      if (unstable.length === 0) return;
      const [one] = unstable;
      if (performance.now() - began > patienceMs) {
        throw new Error(`${unstable.length} are not stable: ${one?.metadata.name}: ${JSON.stringify(one?.status)}`);
      }
      await delay(1_000);
    }
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        for await (const { type, object } of this.client.resource(kinds.deployments).watch({ namespace, signal })) {
          const name = object.metadata.name ?? '';
          if (type !== 'ADDED' || this.#deployed.has(name)) continue;
          this.#deployed.set(name, performance.now());
          this.#onDeployed();
        }
      } catch {
        // The watch begins anew until the world ends.
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.stub[Symbol.asyncDispose]();
    await this.client.close();
    await this.#plane.stop();
  }
}
