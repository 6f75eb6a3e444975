import { seededRandom } from '../../src/clock/random.ts';
import { sealer } from '../../src/control/sealed.ts';
import type { User } from '../../src/embedded/gate.ts';
import { FlinkWorld } from '../../src/embedded/programs/flink/flink-world.ts';
import { defaultOperatorConfig } from '../../src/flink/config/default-operator-config.ts';
import { flinkControllers } from '../../src/flink/controllers.ts';
import { definitions as flinkDefinitions } from '../../src/flink/family.ts';
import { proxiedWire } from '../../src/flink/ports/proxied-wire.ts';
import { flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { Request, Transport } from '../../src/kube/transport.ts';
import { kudoControllers } from '../../src/kudo/controllers.ts';
import { definitions as kudoDefinitions } from '../../src/kudo/family.ts';
import { type Instance, instance } from '../../src/kudo/resources/instance.ts';
import { grantFlink } from '../flink/grant-flink.ts';
import { ClusterStage } from '../stage/cluster-stage.ts';
import { openCluster } from '../stage/open-cluster.ts';
import type { OperatorProcess, ProcessOptions } from '../stage/operator-process.ts';

/** Where the operators keep their leases. */
export const home = 'operators';

export interface Start extends Pick<Partial<ProcessOptions>, 'options' | 'log'> {
  /** Who it is; absent: somebody with all rights. */
  readonly user?: User;
  /** The only namespaces it looks at. */
  readonly namespaces?: readonly string[];
  /** Hears of each request. */
  readonly onRequest?: (request: Request) => void;
}

/** An embedded cluster with simulated Flink, and operators for Flink and KUDO: as many as one likes, each in a pod of its own. */
export class FleetStage extends ClusterStage {
  #started = 0;

  static async open(): Promise<FleetStage> {
    const nodes = { count: 1, cpu: '64', memory: '256Gi', flink: new FlinkWorld() };
    const stage = new FleetStage(await openCluster({ seed: 5, nodes }), { patienceMs: 10 * 60_000 });
    for (const definition of [...flinkDefinitions(), ...kudoDefinitions()]) await stage.apply(definition);
    for (const name of [home, 'team-b']) {
      await stage.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    await grantFlink(stage.person);
    await stage.clock.advance(100);
    return stage;
  }

  start({ user, namespaces = [], onRequest, options, ...more }: Start = {}): OperatorProcess {
    this.#started += 1;
    const config = defaultOperatorConfig();
    const seal = sealer(new Uint8Array(32));
    const randomBytes = (count: number): Uint8Array => new Uint8Array(count).map((_, at) => at);
    return this.operate({
      transport: overheard(this.embedded.transport(user), onRequest),
      random: seededRandom(50 + this.#started),
      instance: `operator-${this.#started}`,
      controllers: ({ client, clock, random }) => ({
        ...flinkControllers({
          ...{ client, clock, random, namespaces, namespace: home, env: {} },
          wire: proxiedWire({ client, clock }),
          operator: () => config,
        }),
        ...kudoControllers({ client, seal, randomBytes, waiterImage: 'busybox', namespaces }),
      }),
      ...more,
      options: { lease: { namespace: home, name: 'cutover' }, ...options },
    });
  }

  find<T extends KubeObject = AnyObject>(type: ResourceType, namespace: string, name: string): T | undefined {
    return this.embedded.world.get<T>(type, namespace, name);
  }

  /** A FlinkDeployment is as its spec says. */
  isStable(namespace: string, name: string): boolean {
    const status = this.find(flinkDeployment.type, namespace, name)?.status as
      | { readonly lifecycleState?: string }
      | undefined;
    return status?.lifecycleState === 'STABLE';
  }

  /** The plans of an Instance have run. */
  isDeployed(namespace: string, name: string): boolean {
    const { status } = this.find<Instance>(instance.type, namespace, name) ?? {};
    return status?.history?.[0]?.outcome === 'COMPLETE' && status.execution === undefined;
  }
}

function overheard(transport: Transport, onRequest?: (request: Request) => void): Transport {
  return {
    ...transport,
    request: (request) => {
      onRequest?.(request);
      return transport.request(request);
    },
  };
}
