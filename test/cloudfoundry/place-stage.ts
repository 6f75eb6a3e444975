import { cfDomainController } from '../../src/cloudfoundry/controllers/cf-domain.ts';
import { cfOrgController } from '../../src/cloudfoundry/controllers/cf-org.ts';
import { cfRouteController } from '../../src/cloudfoundry/controllers/cf-route.ts';
import { cfSpaceController } from '../../src/cloudfoundry/controllers/cf-space.ts';
import type { InstallationOptions } from '../../src/cloudfoundry/install/installation.ts';
import type { CloudFoundrySettings } from '../../src/cloudfoundry/settings.ts';
import type { Condition } from '../../src/control/conditions.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { openCluster } from '../stage/open-cluster.ts';
import { CloudFoundryStage } from './cloudfoundry-stage.ts';

export { account } from '../stage/account.ts';

/** A cluster without nodes, with the controllers of organizations, spaces, domains and routes. */
export class PlaceStage extends CloudFoundryStage {
  static async open(
    settings: Partial<CloudFoundrySettings> = {},
    options: InstallationOptions = {},
  ): Promise<PlaceStage> {
    const cluster = await openCluster({ seed: 6, nodes: { count: 0 } });
    const stage = new PlaceStage(cluster, { patienceMs: 60_000, settings });
    await stage.install(options);
    await stage.clock.advance(100);
    return stage;
  }

  /** Starts an operator. Returns the way to stop it. */
  start(): () => Promise<void> {
    const process = this.run((given) => ({
      cforg: cfOrgController(given),
      cfspace: cfSpaceController(given),
      cfdomain: cfDomainController(given),
      cfroute: cfRouteController(given),
    }));
    return async () => {
      await process.stop();
    };
  }

  find<T extends KubeObject = AnyObject>(
    type: ResourceType,
    namespace: string | undefined,
    name: string,
  ): T | undefined {
    return this.embedded.world.get<T>(type, namespace, name);
  }

  ready(type: ResourceType, namespace: string, name: string): Condition | undefined {
    const { status } = this.find<KubeObject & { status?: { conditions?: Condition[] } }>(type, namespace, name) ?? {};
    return status?.conditions?.find((condition) => condition.type === 'Ready');
  }
}
