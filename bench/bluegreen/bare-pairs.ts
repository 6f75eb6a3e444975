import {
  type FlinkBlueGreenDeployment,
  flinkBlueGreenDeployment,
} from '../../src/flink/resources/flink-blue-green-deployment.ts';
import type { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { namespace } from '../flink/deployment.ts';
import { bareNamespace, other, type SwitchingWorld } from './switching-world.ts';

/**
 * The floor: what moves traffic cannot be less than one write of the Ingress and one of the status. Both are sent by
 * hand, one after the other, for copies of resources and Ingresses that the operator has made.
 */
export class BarePairs {
  readonly #client: Client;
  readonly #copies = new Map<string, { resource: FlinkBlueGreenDeployment; ingress: AnyObject }>();

  private constructor(client: Client) {
    this.#client = client;
  }

  static async copy(world: SwitchingWorld, names: readonly string[]): Promise<BarePairs> {
    const pairs = new BarePairs(world.client);
    const resources = world.client.resource<FlinkBlueGreenDeployment>(flinkBlueGreenDeployment.type);
    await Promise.all(
      names.map(async (name) => {
        const { resource, ingress } = world.seen(name);
        const { apiVersion, kind, spec, status = {} } = resource;
        const metadata = { name, namespace: bareNamespace };
        const created = await resources.create({ apiVersion, kind, metadata, spec });
        const written = await resources.status.update({ ...created, status });
        pairs.#copies.set(name, { resource: written, ingress: copyOf(ingress, created) });
        await pairs.write(name);
      }),
    );
    return pairs;
  }

  /** Sends a pair. Resolves with how many milliseconds it took. */
  async write(name: string): Promise<number> {
    const copy = this.#copies.get(name);
    if (!copy) throw new Error(`there is no copy of ${name}`);
    const { resource } = copy;
    const { serving, ...status } = resource.status ?? {};
    if (!serving) throw new Error(`${name} does not serve`);
    const color = other(serving.color);
    const text = JSON.stringify(copy.ingress).replaceAll(/-(blue|green)-rest"/g, `-${color.toLowerCase()}-rest"`);
    const next = { ...status, serving: { ...serving, color, since: new Date().toISOString() } };
    const began = performance.now();
    await this.#client.resource(kinds.ingresses).apply(JSON.parse(text) as AnyObject, { manager: 'bare', force: true });
    const resources = this.#client.resource<FlinkBlueGreenDeployment>(flinkBlueGreenDeployment.type);
    copy.resource = await resources.status.update(written(resource, next));
    return performance.now() - began;
  }
}

/** What a status is written by: the version that it is based on, and nothing that is not needed. */
function written({ apiVersion, kind, metadata }: FlinkBlueGreenDeployment, status: object): FlinkBlueGreenDeployment {
  const { namespace: of = '', name = '', uid = '', resourceVersion = '' } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { namespace: of, name, uid, resourceVersion },
    status,
  } as FlinkBlueGreenDeployment;
}

/** The fields that the operator applies, for another owner. */
function copyOf({ metadata, spec }: AnyObject, owner: FlinkBlueGreenDeployment): AnyObject {
  const { name = '', labels = {}, annotations = {}, ownerReferences = [] } = metadata;
  const owners = ownerReferences.map((reference) => ({ ...reference, uid: owner.metadata.uid ?? '' }));
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: bareNamespace, labels, annotations, ownerReferences: owners },
    spec: JSON.parse(JSON.stringify(spec).replaceAll(`.${namespace}.`, `.${bareNamespace}.`)),
  };
}
