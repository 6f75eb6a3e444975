import { join } from 'node:path';
import { runCommand } from '../../../rig/command.ts';
import { realClock } from '../../../src/clock/real.ts';
import { Client } from '../../../src/kube/client.ts';
import { httpTransport } from '../../../src/kube/http-transport.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import { findAccess } from '../../../src/kube/kubeconfig/find-access.ts';
import type { AnyObject, KubeObject } from '../../../src/kube/object.ts';
import type { ResourceType } from '../../../src/kube/resource-type.ts';
import { type Instance, instance as instances } from '../../../src/kudo/resources/instance.ts';
import { type OperatorProcess, startOperator } from '../flink/operator-process.ts';
import { until } from '../flink/until.ts';
import { untilEstablished } from '../until-established.ts';

const root = join(import.meta.dirname, '..', '..', '..');
export const WAITER = 'docker.io/library/busybox:1.36';

/** The uid of each pod, by its name. */
export type Pods = Readonly<Record<string, string>>;
type Parameters = Readonly<Record<string, string>>;

/** A namespace of the real cluster, the operator as a process, and a person who uses `cutover kudo` and kubectl. */
export class KudoWorld implements AsyncDisposable {
  readonly namespace: string;
  readonly #kubeconfig: string;
  readonly #client: Client;
  #operator: OperatorProcess | undefined;

  private constructor(namespace: string, kubeconfig: string, client: Client) {
    this.namespace = namespace;
    this.#kubeconfig = kubeconfig;
    this.#client = client;
  }

  /** The definitions are installed as people do it; nobody operates yet. */
  static async open(namespace: string): Promise<KudoWorld> {
    const kubeconfig = process.env.CUTOVER_KUBECONFIG ?? '';
    const access = await findAccess({ kubeconfig, env: {}, clock: realClock });
    const client = new Client(httpTransport({ ...access, clock: realClock }), { userAgent: 'person' });
    const world = new KudoWorld(namespace, kubeconfig, client);
    await world.kubectl(['apply', '--server-side', ...definitions().flatMap((file) => ['-f', file])]);
    await untilEstablished((args) => world.kubectl([...args]), ['crd', '--all']);
    await world.kubectl(['create', 'namespace', namespace]);
    return world;
  }

  async operate(): Promise<void> {
    this.#operator = await startOperator(this.#kubeconfig, ['--family', 'kudo', '--kudo-waiter-image', WAITER]);
  }

  /** The operator dies as with its machine. */
  async kill(): Promise<void> {
    await this.#operator?.kill();
    await this.#operator?.[Symbol.asyncDispose]();
    this.#operator = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#operator?.[Symbol.asyncDispose]();
    await this.#client.close();
  }

  // What people do.

  kubectl(args: readonly string[], input = ''): Promise<string> {
    return runCommand('kubectl', ['--kubeconfig', this.#kubeconfig, '--namespace', this.namespace, ...args], { input });
  }

  /** `cutover kudo …`. Rejects when it exits with another code than 0. */
  cutover(...args: readonly string[]): Promise<string> {
    const where = ['--kubeconfig', this.#kubeconfig, '--namespace', this.namespace];
    return runCommand(process.execPath, [join(root, 'src', 'main.ts'), 'kudo', ...args, ...where], { cwd: root });
  }

  /** Installs a package and waits for its plan. */
  async install(folder: string, instance: string, parameters: Parameters = {}): Promise<string> {
    return await this.cutover('install', folder, '--instance', instance, '--wait', ...flags(parameters));
  }

  /** What the plan `deploy` of a package applies. */
  async rendered(folder: string, instance: string): Promise<readonly AnyObject[]> {
    const printed = await this.cutover('render', folder, '--instance', instance, '-o', 'json');
    return (JSON.parse(printed) as readonly { readonly object: AnyObject }[]).map(({ object }) => object);
  }

  /** Changes parameters, and waits for the plan that they run. */
  async update(instance: string, parameters: Parameters): Promise<void> {
    await this.cutover('update', '--instance', instance, '--wait', ...flags(parameters));
  }

  // What is to be seen.

  instance(name: string): Promise<Instance> {
    return this.get<Instance>(instances.type, name);
  }

  get<T extends KubeObject = AnyObject>(type: ResourceType, name: string): Promise<T> {
    return this.#client.resource<T>(type).get({ namespace: this.namespace, name });
  }

  list(type: ResourceType, labelSelector = ''): Promise<{ readonly items: readonly AnyObject[] }> {
    return this.#client.resource(type).list({ namespace: this.namespace, labelSelector });
  }

  /** Pods with a label that nobody has asked to end. */
  async pods(label: string): Promise<Pods> {
    const { items } = await this.list(kinds.pods, label);
    const wanted = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    return Object.fromEntries(wanted.map(({ metadata }) => [metadata.name ?? '', metadata.uid ?? '']).sort());
  }

  /** The notes of events about an object. */
  async events(name: string): Promise<readonly string[]> {
    const { items } = await this.list(kinds.events);
    return (
      items as readonly (AnyObject & { readonly regarding?: { readonly name?: string }; readonly note?: string })[]
    )
      .filter(({ regarding }) => regarding?.name === name)
      .map(({ note = '' }) => note);
  }

  /** Waits; fails at once when the operator has ended. */
  until<T>(what: string, look: () => T | Promise<T>, met: (seen: T) => boolean): Promise<T> {
    return until(what, look, met, () => this.#operator?.trouble());
  }

  /** Waits until the Instance has ended so many executions and none runs. */
  async untilEnded(name: string, executions: number): Promise<Instance> {
    return await this.until(
      `execution ${executions} of ${name} has ended`,
      () => this.instance(name),
      ({ status }) => status?.executions === executions && status.execution === undefined,
    );
  }
}

function definitions(): readonly string[] {
  return ['operators', 'operatorversions', 'instances'].map((plural) => join(root, 'crds', `${plural}.kudo.dev.yaml`));
}

function flags(parameters: Parameters): readonly string[] {
  return Object.entries(parameters).flatMap(([name, value]) => ['-p', `${name}=${value}`]);
}
