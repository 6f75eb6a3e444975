import { setTimeout as delay } from 'node:timers/promises';
import { type ControlPlane, startControlPlane } from '../../rig/control-plane.ts';
import { install } from '../../src/cli/install.ts';
import { realClock } from '../../src/clock/real.ts';
import { definitions } from '../../src/flink/family.ts';
import type { Color } from '../../src/flink/resources/blue-green-transition.ts';
import {
  type FlinkBlueGreenDeployment,
  flinkBlueGreenDeployment,
} from '../../src/flink/resources/flink-blue-green-deployment.ts';
import { Client } from '../../src/kube/client.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { findAccess } from '../../src/kube/kubeconfig/find-access.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { namespace } from '../flink/deployment.ts';
import { follow } from './follow.ts';
import { blueGreen, revision } from './resource.ts';
import { Stagehand } from './stagehand.ts';

/** Nobody manages what is here: it is there for whoever writes by hand. */
export const bareNamespace = 'bare';

/** Nothing here takes this long: an operator that needs longer has failed. */
const patienceMs = 2 * 60_000;

/** What is known of a resource, and since when traffic goes to a side: by the Ingress, and by its status. */
interface Seen {
  resource: FlinkBlueGreenDeployment;
  ingress?: AnyObject;
  readonly led: Partial<Record<Color, number>>;
  readonly told: Partial<Record<Color, number>>;
}

/** A real API server and nothing behind it, a person who edits FlinkBlueGreenDeployments, and a watch on what becomes of them. */
export class SwitchingWorld implements AsyncDisposable {
  readonly client: Client;
  readonly kubeconfig: string;
  readonly #plane: ControlPlane;
  readonly #stop = new AbortController();
  readonly #stagehand: Stagehand;
  readonly #seen = new Map<string, Seen>();
  #edits = 0;
  #onChange: () => void = () => {};

  private constructor(plane: ControlPlane, client: Client) {
    this.#plane = plane;
    this.client = client;
    this.kubeconfig = plane.kubeconfig;
    const scope = { namespace, signal: this.#stop.signal };
    this.#stagehand = new Stagehand(client, scope);
    void follow<FlinkBlueGreenDeployment>(client, flinkBlueGreenDeployment.type, scope, (one) => this.#look(one));
    void follow<AnyObject>(client, kinds.ingresses, scope, (one) => this.#lookAtIngress(one));
  }

  static async open(): Promise<SwitchingWorld> {
    const plane = await startControlPlane({ controllers: false });
    const access = await findAccess({ kubeconfig: plane.kubeconfig, env: {}, clock: realClock });
    const client = new Client(httpTransport({ ...access, clock: realClock }));
    for (const name of [namespace, bareNamespace]) {
      await client.resource(kinds.namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    await install(client, definitions(), AbortSignal.timeout(60_000));
    return new SwitchingWorld(plane, client);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.client.close();
    await this.#plane.stop();
  }

  /** Creates resources, and lets their first side run. */
  async create(names: readonly string[]): Promise<void> {
    await Promise.all(
      names.map((name) => this.client.resource(flinkBlueGreenDeployment.type).create(blueGreen(namespace, name))),
    );
    await this.#made(names.map((name) => sideName(name, 'BLUE')));
    await Promise.all(names.map((name) => this.#stagehand.stable(sideName(name, 'BLUE'))));
    await this.settled(names);
  }

  /** Edits resources and waits until the other side of each has been made. */
  async edit(names: readonly string[]): Promise<void> {
    this.#edits += 1;
    const patch = { type: 'merge', body: revision(this.#edits) } as const;
    const targets = names.map((name) => sideName(name, other(this.servingColor(name))));
    await Promise.all(
      names.map((name) => this.client.resource(flinkBlueGreenDeployment.type).patch({ namespace, name }, patch)),
    );
    await this.#made(targets);
    await this.#until('not starting', names, ({ resource }) => resource.status?.transition?.phase === 'starting');
  }

  /** The other sides run. Resolves with how many milliseconds each took until traffic goes there and the status says so. */
  async switched(names: readonly string[]): Promise<readonly number[]> {
    const targets = names.map((name) => ({ name, color: other(this.servingColor(name)), seen: this.#of(name) }));
    for (const { color, seen } of targets) {
      delete seen.led[color];
      delete seen.told[color];
    }
    const stable = await Promise.all(targets.map(({ name, color }) => this.#stagehand.stable(sideName(name, color))));
    const colors = new Map(targets.map(({ name, color }) => [name, color]));
    await this.#until('without traffic', names, ({ resource, led, told }) => {
      const color = colors.get(resource.metadata.name ?? '') ?? 'BLUE';
      return led[color] !== undefined && told[color] !== undefined;
    });
    return targets.map(({ color, seen: { led, told } }, at) => {
      return Math.max(led[color] ?? Number.NaN, told[color] ?? Number.NaN) - (stable[at] ?? Number.NaN);
    });
  }

  /** Until nothing is under way. */
  async settled(names: readonly string[]): Promise<void> {
    await this.#until('not settled', names, ({ resource: { metadata, status }, ingress }) => {
      const isCurrent = status?.observedGeneration === metadata.generation && status?.transition === undefined;
      return isCurrent && status?.blueGreenState?.startsWith('ACTIVE_') === true && ingress !== undefined;
    });
  }

  servingColor(name: string): Color {
    return this.#of(name).resource.status?.serving?.color ?? 'BLUE';
  }

  /** A resource with its Ingress, as they were last seen. */
  seen(name: string): { readonly resource: FlinkBlueGreenDeployment; readonly ingress: AnyObject } {
    const { resource, ingress } = this.#of(name);
    if (!ingress) throw new Error(`${name} has no Ingress`);
    return { resource, ingress };
  }

  #of(name: string): Seen {
    const found = this.#seen.get(name);
    if (!found) throw new Error(`${name} was never seen`);
    return found;
  }

  #look(resource: FlinkBlueGreenDeployment): void {
    const at = performance.now();
    const { name = '' } = resource.metadata;
    const seen = this.#seen.get(name) ?? { resource, led: {}, told: {} };
    const color = resource.status?.serving?.color;
    if (color) seen.told[color] ??= at;
    this.#seen.set(name, Object.assign(seen, { resource }));
    this.#onChange();
  }

  #lookAtIngress(ingress: AnyObject): void {
    const at = performance.now();
    const seen = this.#seen.get(ingress.metadata.name ?? '');
    if (!seen) return;
    const text = JSON.stringify(ingress.spec);
    for (const color of ['BLUE', 'GREEN'] as const) {
      if (text.includes(`-${color.toLowerCase()}-rest"`)) seen.led[color] ??= at;
    }
    seen.ingress = ingress;
    this.#onChange();
  }

  /** Until the clusters of these sides have been made. */
  async #made(names: readonly string[]): Promise<void> {
    await this.#waited(
      names,
      (name) => this.#stagehand.has(name),
      (name) => `there is no ${name}`,
    );
  }

  async #until(what: string, names: readonly string[], holds: (seen: Seen) => boolean): Promise<void> {
    const isSo = (name: string): boolean => this.#seen.has(name) && holds(this.#of(name));
    const status = (name: string): string => JSON.stringify(this.#seen.get(name)?.resource.status);
    await this.#waited(names, isSo, (name) => `${name} is ${what}: ${status(name)}`);
  }

  async #waited(
    names: readonly string[],
    isSo: (name: string) => boolean,
    tell: (name: string) => string,
  ): Promise<void> {
    const began = performance.now();
    for (let left = names; ; await Promise.race([this.#changed(), delay(20)])) {
      left = left.filter((name) => !isSo(name));
      const [one] = left;
      if (one === undefined) return;
      if (performance.now() - began > patienceMs) throw new Error(`of ${left.length}: ${tell(one)}`);
    }
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#onChange = resolve;
    });
  }
}

export function sideName(name: string, color: Color): string {
  return `${name}-${color.toLowerCase()}`;
}

export function other(color: Color): Color {
  return color === 'BLUE' ? 'GREEN' : 'BLUE';
}
