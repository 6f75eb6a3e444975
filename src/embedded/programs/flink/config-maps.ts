import { Client } from '../../../kube/client.ts';
import { isKubeError } from '../../../kube/error.ts';
import { kinds } from '../../../kube/kinds.ts';
import type { KubeObject, ObjectMeta } from '../../../kube/object.ts';
import type { Surroundings } from '../program.ts';

/** A ConfigMap as high availability keeps it. */
export interface StoredMap {
  readonly annotations: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
}

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const patience = 5;

/** The API server as a Flink process sees it: with its pod's ServiceAccount, or not at all. */
export function apiOf(here: Pick<Surroundings, 'api' | 'clock'>): Client {
  if (!here.api) throw new Error('the cluster offers pods no access to its API');
  return new Client(here.api, { userAgent: 'flink-kubernetes-client', clock: here.clock });
}

/** ConfigMaps of one namespace, read and changed with optimistic locking. Errors are those of the API. */
export class ConfigMaps {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #labels: Readonly<Record<string, string>>;
  /** As last written; whoever else has written since is noticed by a conflict. */
  readonly #known = new Map<string, ConfigMap>();

  constructor(client: Client, namespace: string, labels: Readonly<Record<string, string>>) {
    this.#client = client;
    this.#namespace = namespace;
    this.#labels = labels;
  }

  async read(name: string): Promise<StoredMap | undefined> {
    const found = await this.#get(name);
    return found && { annotations: found.metadata.annotations ?? {}, data: found.data ?? {} };
  }

  /**
   * Changes a ConfigMap; `undefined` from `change` leaves it. One that is not there is made when `create` says so.
   * Resolves to whether there is one now.
   */
  async update(name: string, create: boolean, change: (map: StoredMap) => StoredMap | undefined): Promise<boolean> {
    const maps = this.#client.resource<ConfigMap>(kinds.configMaps);
    for (let tries = 0; ; tries++) {
      const found = this.#known.get(name) ?? (await this.#get(name));
      if (!found && !create) return false;
      const after = change({ annotations: found?.metadata.annotations ?? {}, data: found?.data ?? {} });
      if (!after) return found !== undefined;
      const { annotations, data } = after;
      const metadata: ObjectMeta = found
        ? { ...found.metadata, annotations }
        : { name, namespace: this.#namespace, labels: this.#labels, annotations };
      const object: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
      try {
        this.#known.set(name, await (found ? maps.update(object) : maps.create(object)));
        return true;
      } catch (error) {
        this.#known.delete(name);
        if (!isKubeError(error, 'conflict', 'exists', 'not-found') || tries >= patience) throw error;
      }
    }
  }

  async remove(name: string): Promise<void> {
    this.#known.delete(name);
    try {
      await this.#client.resource(kinds.configMaps).delete({ name, namespace: this.#namespace });
    } catch (error) {
      if (!isKubeError(error, 'not-found')) throw error;
    }
  }

  async #get(name: string): Promise<ConfigMap | undefined> {
    try {
      return await this.#client.resource<ConfigMap>(kinds.configMaps).get({ name, namespace: this.#namespace });
    } catch (error) {
      if (isKubeError(error, 'not-found')) return undefined;
      throw error;
    }
  }
}
