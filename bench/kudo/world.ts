import { setTimeout as delay } from 'node:timers/promises';
import { type ControlPlane, startControlPlane } from '../../rig/control-plane.ts';
import { install } from '../../src/cli/install.ts';
import { realClock } from '../../src/clock/real.ts';
import { Client } from '../../src/kube/client.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { findAccess } from '../../src/kube/kubeconfig/find-access.ts';
import type { AnyObject, JsonObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { definitions } from '../../src/kudo/family.ts';
import { type Instance, instance } from '../../src/kudo/resources/instance.ts';
import { operatorVersion } from '../../src/kudo/resources/operator-version.ts';
import { Wire } from '../cloudfoundry/wire.ts';
import { namespace, settingsInstance, settingsVersion } from './package.ts';

/** The kind of Instances, once more and in a group that no operator knows: whoever writes one is alone with it. */
const twinGroup = 'bare.example.com';
export const twinType: ResourceType = { ...instance.type, group: twinGroup };
export const twinApiVersion = `${twinGroup}/v1beta1`;

/** How many objects are made at once. */
const lanes = 8;
const lookEveryMs = 50;

/** A real API server with KUDO's kinds, a ConfigMap-only operator, and nobody else who would write. */
export class World implements AsyncDisposable {
  readonly client: Client;
  readonly wire: Wire;
  readonly #plane: ControlPlane;

  private constructor(plane: ControlPlane, client: Client, wire: Wire) {
    this.#plane = plane;
    this.client = client;
    this.wire = wire;
  }

  /** With our definitions, and the operator package. */
  static async open(): Promise<World> {
    const world = await World.empty();
    await install(world.client, [...definitions(), twinDefinition()], AbortSignal.timeout(60_000));
    await world.offer();
    return world;
  }

  /** With nothing: for somebody who brings the definitions along. */
  static async empty(): Promise<World> {
    const plane = await startControlPlane({ controllers: false });
    const access = await findAccess({ kubeconfig: plane.kubeconfig, env: {}, clock: realClock });
    const client = new Client(httpTransport({ ...access, clock: realClock }));
    const { certificate } = await access.identity.current();
    const wire = new Wire({ url: plane.url, tls: { ...access.tls, ...certificate } });
    return new World(plane, client, wire);
  }

  /** Makes the operator package known, once its kind is. */
  async offer(): Promise<void> {
    await this.client.resource(operatorVersion.type).create(settingsVersion);
  }

  get kubeconfig(): string {
    return this.#plane.kubeconfig;
  }

  /** Directory with `kubectl`. */
  get binaries(): string {
    return this.#plane.binaries;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.wire[Symbol.dispose]();
    await this.client.close();
    await this.#plane.stop();
  }

  /** Makes Instances and waits until an operator has deployed all of them, and has written all that it had to. */
  async deploy(names: readonly string[]): Promise<void> {
    const left = [...names];
    const lane = async (): Promise<void> => {
      for (let name = left.pop(); name !== undefined; name = left.pop()) {
        await this.client.resource(instance.type).create(settingsInstance(name));
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    const wanted = new Set(names);
    for (;;) {
      const { items } = await this.client.resource<Instance>(instance.type).list({ namespace });
      const done = items.filter((one) => wanted.has(one.metadata.name ?? '') && isAtRest(one));
      if (done.length === wanted.size) return;
      await delay(lookEveryMs + 3 * wanted.size);
    }
  }

  /** A copy of an Instance as it is, that nobody looks after. */
  async twin(of: Instance): Promise<void> {
    const { name = '' } = of.metadata;
    const copy = { ...of, apiVersion: twinApiVersion, metadata: { name, namespace } } as unknown as AnyObject;
    const twins = this.client.resource<AnyObject>(twinType);
    const { metadata } = await twins.create(copy);
    await twins.status.update({ ...copy, metadata });
  }
}

/** No plan runs, `spec` says so, and whether all is well has been said. */
export function isAtRest({ spec, status }: Instance): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const ended = status?.planStatus?.deploy?.status === 'COMPLETE' && (spec.planExecution?.planName ?? '') === '';
  return ended && ready?.status === 'True';
}

function twinDefinition(): AnyObject {
  const [found] = definitions().filter(({ metadata }) => metadata.name?.startsWith('instances.'));
  if (!found) throw new Error('there is no definition of Instances');
  const metadata = { name: `${instance.type.plural}.${twinGroup}` };
  return { ...found, metadata, spec: { ...(found.spec as JsonObject), group: twinGroup } };
}
