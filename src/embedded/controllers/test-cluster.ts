import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Pod } from '../kinds/objects/pod.ts';
import type { Deployment } from '../kinds/objects/workload.ts';
import { namespaces, pods } from '../kinds/resource-types.ts';
import { startNodes } from '../nodes/start-nodes.ts';
import type { PodRuntime } from '../runtime.ts';
import { startControllers } from './start-controllers.ts';
import { TestWorld } from './test-world.ts';

/** A whole simulated cluster for tests: store, controllers and nodes on one virtual clock. */
export class TestCluster {
  readonly world: TestWorld;
  readonly runtime: PodRuntime;
  readonly #stops: readonly (() => void)[];

  constructor(seed = 1, extra: readonly ResourceType[] = []) {
    this.world = new TestWorld(seed, extra);
    const stopControllers = startControllers(this.world, { ca: 'the certificate' });
    const nodes = startNodes(this.world, { count: 3 });
    this.runtime = nodes.runtime;
    this.#stops = [stopControllers, nodes.stop];
    void this.world.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  }

  /** Runs until nothing is left to do within `ms`. */
  async run(ms = 60_000): Promise<void> {
    await this.world.clock.advance(ms);
  }

  /** Runs until the condition holds; fails the test when it does not within `ms`. */
  async until(what: string, holds: () => boolean, ms = 600_000): Promise<void> {
    if (!(await this.world.clock.runUntil(holds, ms))) throw new Error(`never came true: ${what}`);
  }

  get<T extends KubeObject>(type: ResourceType, name: string, namespace = 'default'): T {
    const found = this.world.get<T>(type, type.namespaced ? namespace : undefined, name);
    if (!found) throw new Error(`${type.plural} "${name}" is not there`);
    return found;
  }

  pods(namespace = 'default'): readonly Pod[] {
    return this.world.list<Pod>(pods, { namespace });
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }
}

/** A Deployment of one container, for tests. */
export function aDeployment(name: string, spec: Partial<Deployment['spec']> = {}, image = 'web:1'): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image }] } },
      ...spec,
    },
  };
}
