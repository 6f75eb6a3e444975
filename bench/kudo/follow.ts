import type { Client } from '../../src/kube/client.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { Instance } from '../../src/kudo/resources/instance.ts';
import { namespace } from './package.ts';

type Met = (instance: Instance) => boolean;

/** Watches one Instance, and says when it is as somebody waits for. */
export class Follow implements AsyncDisposable {
  #seen: Instance;
  #waiting: { readonly met: Met; readonly resolve: (seen: Instance) => void }[] = [];
  #trouble: unknown;
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>;

  private constructor(client: Client, type: ResourceType, seen: Instance) {
    this.#seen = seen;
    this.#watching = this.#watch(client, type).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) this.#trouble = error;
    });
  }

  static async start(client: Client, type: ResourceType, name: string): Promise<Follow> {
    return new Follow(client, type, await client.resource<Instance>(type).get({ namespace, name }));
  }

  /** The server ends a watch after some minutes: another one goes on where it was. */
  async #watch(client: Client, type: ResourceType): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const { name = '', resourceVersion = '' } = this.#seen.metadata;
      const from = { namespace, fieldSelector: `metadata.name=${name}`, resourceVersion, signal };
      for await (const { type: what, object } of client.resource<Instance>(type).watch(from)) {
        if (what === 'ADDED' || what === 'MODIFIED') this.#saw(object);
      }
    }
  }

  #saw(object: Instance): void {
    this.#seen = object;
    const met = this.#waiting.filter((one) => one.met(object));
    this.#waiting = this.#waiting.filter((one) => !met.includes(one));
    for (const { resolve } of met) resolve(object);
  }

  get seen(): Instance {
    return this.#seen;
  }

  /** Resolves with the first version of the Instance that is like this, the last one seen included. */
  until(met: Met): Promise<Instance> {
    if (this.#trouble !== undefined) return Promise.reject(this.#trouble);
    if (met(this.#seen)) return Promise.resolve(this.#seen);
    return new Promise((resolve) => {
      this.#waiting.push({ met, resolve });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }
}
