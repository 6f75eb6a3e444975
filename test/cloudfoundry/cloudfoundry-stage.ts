import { seededRandom } from '../../src/clock/random.ts';
import type { CloudFoundryControllersOptions } from '../../src/cloudfoundry/controllers/options.ts';
import { definitions } from '../../src/cloudfoundry/family.ts';
import { type InstallationOptions, installation } from '../../src/cloudfoundry/install/installation.ts';
import { type CloudFoundrySettings, defaultSettings } from '../../src/cloudfoundry/settings.ts';
import type { OperatorOptions } from '../../src/control/operator.ts';
import { sealer } from '../../src/control/sealed.ts';
import { account } from '../stage/account.ts';
import { ClusterStage, type ClusterStageOptions } from '../stage/cluster-stage.ts';
import type { Cluster } from '../stage/open-cluster.ts';
import type { OperatorProcess, ProcessOptions } from '../stage/operator-process.ts';

const operator = { namespace: 'cutover', name: 'cutover' };

export interface CloudFoundryStageOptions extends ClusterStageOptions {
  readonly settings?: Partial<CloudFoundrySettings>;
}

/** A cluster with an installation of Cloud Foundry. Operators run with the rights of their role and no others. */
export abstract class CloudFoundryStage extends ClusterStage {
  readonly settings: CloudFoundrySettings;
  /** Who the operator is. */
  protected readonly operator = account(operator.namespace, operator.name);
  #started = 0;

  protected constructor(cluster: Cluster, options: CloudFoundryStageOptions) {
    super(cluster, options);
    this.settings = { ...defaultSettings, ...options.settings };
  }

  protected async install(options: InstallationOptions = {}): Promise<void> {
    for (const definition of definitions()) await this.apply(definition);
    for (const object of installation(this.settings, { operator, ...options })) await this.apply(object);
  }

  /** Starts an operator with these controllers, each time in another pod. */
  protected run(
    controllers: (given: CloudFoundryControllersOptions) => OperatorOptions['controllers'],
    options: Partial<ProcessOptions> = {},
  ): OperatorProcess {
    this.#started += 1;
    const { settings } = this;
    const seal = sealer(new Uint8Array(32));
    return this.operate({
      transport: this.embedded.transport(this.operator),
      random: seededRandom(6 + this.#started),
      instance: `operator-${this.#started}`,
      controllers: (given) => controllers({ ...given, settings, seal }),
      ...options,
    });
  }
}
