import { beginDeployment } from '../../src/cloudfoundry/api/change/begin-deployment.ts';
import { start } from '../../src/cloudfoundry/api/change/start.ts';
import { stop } from '../../src/cloudfoundry/api/change/stop.ts';
import { deploymentMark } from '../../src/cloudfoundry/deployment-mark.ts';
import { labels } from '../../src/cloudfoundry/keys.ts';
import { processGuid } from '../../src/cloudfoundry/names.ts';
import type { CfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { type CfDeployment, cfDeployment } from '../../src/cloudfoundry/resources/cf-deployment.ts';
import { defaultSettings } from '../../src/cloudfoundry/settings.ts';
import type { JsonObject } from '../../src/kube/object.ts';
import type { World } from './world.ts';

/**
 * The floor: the requests that one of the CF API's cannot do without, sent straight to the API server by somebody who knows
 * where everything is. Reads that do not need each other run at once, and nothing is checked.
 */
export class Bare {
  readonly #world: World;
  readonly #space: string;
  #made = 0;

  constructor(world: World, space: string) {
    this.#world = world;
    this.#space = space;
  }

  start(app: string): Promise<unknown> {
    return this.#change(app, start);
  }

  stop(app: string): Promise<unknown> {
    return this.#change(app, stop);
  }

  /** The second write is not guarded: controllers are busy with the first by then. */
  async restart(app: string): Promise<void> {
    const stopped = await this.#change(app, stop);
    await this.#world.developer.wire.merge(this.#path('cfapps', app), start(stopped) ?? {});
  }

  /** What runs and may be replaced, which droplet, whether another deployment is under way; then the record, then the app. */
  async deploy(name: string): Promise<void> {
    const { admin, developer } = this.#world;
    const [app] = await Promise.all([developer.wire.get<CfApp>(this.#path('cfapps', name)), admin.get(runnerPath)]);
    const droplet = app.spec.currentDropletRef?.name ?? '';
    const mark = deploymentMark(app);
    const selector = encodeURIComponent(`${labels.appGuid}=${name}`);
    await Promise.all([
      developer.wire.get(this.#path('cfbuilds', droplet)),
      mark ? developer.wire.get(this.#path('cfdeployments', mark.guid)) : undefined,
      admin.get(`/apis/apps/v1/namespaces/${this.#space}/statefulsets?labelSelector=${selector}`),
    ]);
    this.#made += 1;
    const guid = `bare-${name}-${this.#made}`;
    await developer.wire.send('POST', this.#path('cfdeployments'), record(app, guid, droplet));
    await this.#write(app, beginDeployment(app, { guid, droplet, underWay: mark !== undefined }));
  }

  apps(): Promise<{ readonly items: readonly CfApp[] }> {
    return this.#world.developer.wire.get(this.#path('cfapps'));
  }

  async stats(app: string): Promise<void> {
    const { wire } = this.#world.developer;
    await wire.get(this.#path('cfprocesses', processGuid(app, 'web')));
    await wire.get(this.#path('cfapps', app));
  }

  async #change(name: string, change: (app: CfApp) => JsonObject | undefined): Promise<CfApp> {
    const app = await this.#world.developer.wire.get<CfApp>(this.#path('cfapps', name));
    return await this.#write(app, change(app));
  }

  async #write(app: CfApp, patch: JsonObject | undefined): Promise<CfApp> {
    if (!patch) throw new Error(`there is nothing to write for ${app.metadata.name}`);
    const { name = '', uid = '', resourceVersion = '' } = app.metadata;
    const metadata = { ...(patch.metadata as JsonObject | undefined), uid, resourceVersion };
    return await this.#world.developer.wire.merge<CfApp>(this.#path('cfapps', name), { ...patch, metadata });
  }

  #path(plural: string, name?: string): string {
    const all = `/apis/korifi.cloudfoundry.org/v1alpha1/namespaces/${this.#space}/${plural}`;
    return name === undefined ? all : `${all}/${name}`;
  }
}

const { rootNamespace, runnerName } = defaultSettings;
const runnerPath = `/apis/korifi.cloudfoundry.org/v1alpha1/namespaces/${rootNamespace}/runnerinfos/${runnerName}`;

function record({ metadata }: CfApp, name: string, droplet: string): CfDeployment {
  const { name: app = '', namespace = '', uid = '' } = metadata;
  return {
    apiVersion: cfDeployment.apiVersion,
    kind: 'CFDeployment',
    metadata: {
      name,
      namespace,
      labels: {
        [labels.guid]: name,
        [labels.appGuid]: app,
        [labels.spaceGuid]: namespace,
        [labels.dropletGuid]: droplet,
      },
      ownerReferences: [{ apiVersion: cfDeployment.apiVersion, kind: 'CFApp', name: app, uid }],
    },
    spec: {
      appRef: { name: app },
      strategy: 'rolling',
      dropletRef: { name: droplet },
      previousDropletRef: { name: droplet },
      maxInFlight: 1,
      step: 1,
    },
  };
}
