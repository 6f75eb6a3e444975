import { expect } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import { sealer } from '../../src/control/sealed.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { kudoControllers } from '../../src/kudo/controllers.ts';
import { definitions } from '../../src/kudo/family.ts';
import { type Instance, type InstanceSpec, instance } from '../../src/kudo/resources/instance.ts';
import { type OperatorVersionSpec, operatorVersion } from '../../src/kudo/resources/operator-version.ts';
import { ClusterStage } from '../stage/cluster-stage.ts';
import { type ClusterOptions, openCluster } from '../stage/open-cluster.ts';
import type { OperatorProcess, ProcessOptions } from '../stage/operator-process.ts';

const apiVersion = 'kudo.dev/v1beta1';
const namespace = 'default';

/** The whole family on an embedded cluster with nodes. */
export class KudoStage extends ClusterStage {
  #started = 0;

  static async open(options: Partial<ClusterOptions> = {}): Promise<KudoStage> {
    const cluster = await openCluster({ seed: 7, start: '2026-11-01T10:00:00Z', ...options });
    const stage = new KudoStage(cluster, { patienceMs: 300_000 });
    await stage.define();
    return stage;
  }

  /** Teaches the cluster the kinds of the family. */
  protected async define(): Promise<void> {
    for (const definition of definitions()) await this.apply(definition);
    await this.clock.advance(100);
  }

  /** A cluster on which an operator runs, with a version of the package `demo`. */
  static async running(spec: OperatorVersionSpec): Promise<{ stage: KudoStage; operator: OperatorProcess }> {
    const stage = await KudoStage.open();
    const operator = stage.start();
    await stage.version('demo-0.1.0', spec);
    return { stage, operator };
  }

  start(options: Partial<ProcessOptions> = {}): OperatorProcess {
    this.#started += 1;
    const random = seededRandom(70 + this.#started);
    const seal = sealer(new Uint8Array(32));
    const randomBytes = (count: number): Uint8Array => new Uint8Array(count).map((_, at) => at);
    return this.operate({
      random,
      instance: `operator-${this.#started}`,
      controllers: ({ client }) => kudoControllers({ client, seal, randomBytes, waiterImage: 'busybox' }),
      ...options,
    });
  }

  // What people do.

  async version(name: string, spec: OperatorVersionSpec): Promise<void> {
    const given = { operator: { kind: 'Operator', name: 'demo' }, version: '0.1.0', ...spec };
    await this.apply(object('OperatorVersion', name, given));
  }

  async install(name: string, spec: Partial<InstanceSpec> = {}): Promise<void> {
    await this.apply(object('Instance', name, { operatorVersion: { name: 'demo-0.1.0' }, ...spec }));
  }

  async edit(name: string, spec: object): Promise<void> {
    const body = { spec };
    await this.person.resource(instance.type).patch({ namespace, name }, { type: 'merge', body });
  }

  async set(name: string, parameters: Readonly<Record<string, string | null>>): Promise<void> {
    await this.edit(name, { parameters });
  }

  async trigger(name: string, planName: string, more: object = {}): Promise<void> {
    await this.edit(name, { planExecution: { planName, uid: `asked-${this.clock.now()}`, ...more } });
  }

  async remove(name: string): Promise<void> {
    await this.person.resource(instance.type).delete({ namespace, name });
  }

  // What is to be seen.

  instance(name: string): Instance {
    return this.find<Instance>(instance.type, name) ?? expect.fail(`there is no Instance ${name}`);
  }

  find<T extends KubeObject = AnyObject>(type: ResourceType, name: string): T | undefined {
    return this.embedded.world.get<T>(type, namespace, name);
  }

  /** The outcome of the last execution: `deploy COMPLETE`. */
  last(name: string): string {
    const [past] = this.instance(name).status?.history ?? [];
    return past ? `${past.plan} ${past.outcome}` : 'nothing';
  }

  condition(name: string, type: string): string | undefined {
    const found = this.instance(name).status?.conditions?.find((one) => one.type === type);
    return found && `${found.status} ${found.reason}`;
  }

  pods(): readonly AnyObject[] {
    return this.embedded.world.list<AnyObject>(kinds.pods, { namespace });
  }

  podUids(): readonly string[] {
    return this.pods()
      .map(({ metadata }) => metadata.uid ?? '')
      .sort();
  }

  /** Lets time pass until this many executions have ended and none runs. */
  async settled(name: string, executions: number): Promise<void> {
    await this.until(`execution ${executions} of ${name} has ended`, () => {
      const { status, spec } = this.instance(name);
      return (
        status?.executions === executions &&
        status.execution === undefined &&
        (spec.planExecution?.planName ?? '') === ''
      );
    });
  }

  typeOfVersion(): ResourceType {
    return operatorVersion.type;
  }
}

export function object(kind: string, name: string, spec: object): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace }, spec } as KubeObject;
}
