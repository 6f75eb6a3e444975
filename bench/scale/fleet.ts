import { randomInt } from 'node:crypto';
import { realClock } from '../../src/clock/real.ts';
import { type FlinkDeployment, flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { Client } from '../../src/kube/client.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { findAccess } from '../../src/kube/kubeconfig/find-access.ts';
import { follow } from '../bluegreen/follow.ts';
import { namespace } from '../flink/deployment.ts';
import { nameOf } from './names.ts';

/** What the watch has told of an edit that is being handled. */
interface Edit {
  /** The generation before it. */
  readonly before: number;
  /** When the edit itself was told. */
  madeAt: number | undefined;
  handled(ms: number): void;
}

/** An operator that needs longer has failed. */
const patienceMs = 60_000;

/** A person who edits one FlinkDeployment of many, and a watch on what becomes of that. */
export class Fleet implements AsyncDisposable {
  readonly #client: Client;
  readonly #stop = new AbortController();
  readonly #generations = new Map<string, number>();
  readonly #running = new Map<string, Edit>();

  private constructor(client: Client) {
    this.#client = client;
    const scope = { namespace, signal: this.#stop.signal };
    void follow<FlinkDeployment>(client, flinkDeployment.type, scope, (one) => this.#look(one));
  }

  static async open(kubeconfig: string): Promise<Fleet> {
    const access = await findAccess({ kubeconfig, env: {}, clock: realClock });
    return new Fleet(new Client(httpTransport({ ...access, clock: realClock })));
  }

  /** How many there are, as far as the watch has told. */
  get size(): number {
    return this.#generations.size;
  }

  /**
   * Edits one of them: a setting of the operator's own, which restarts nothing, so that the same workload can be edited
   * again. Resolves with the milliseconds from where a watch tells of the edit to where it tells that it was handled.
   */
  async edit(index: number): Promise<number> {
    const name = nameOf(index);
    const value = String(randomInt(2 ** 31));
    const body = { spec: { flinkConfiguration: { 'kubernetes.operator.savepoint.history.max.count': value } } };
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#running.set(name, { before: this.#generations.get(name) ?? 0, madeAt: undefined, handled: resolve });
    const late = (): void => reject(new Error(`the edit of ${name} was not handled within ${patienceMs / 1000} s`));
    const timer = setTimeout(late, patienceMs);
    try {
      const resources = this.#client.resource<FlinkDeployment>(flinkDeployment.type);
      await resources.patch({ namespace, name }, { type: 'merge', body });
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#running.delete(name);
    }
  }

  #look({ metadata, status }: FlinkDeployment): void {
    const { name = '', generation = 0 } = metadata;
    this.#generations.set(name, generation);
    const edit = this.#running.get(name);
    if (!edit || generation <= edit.before) return;
    edit.madeAt ??= performance.now();
    if (status?.observedGeneration === generation) edit.handled(performance.now() - edit.madeAt);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#client.close();
  }
}
