import { isReady } from '../../../src/cloudfoundry/decide/conclude.ts';
import { processGuid } from '../../../src/cloudfoundry/names.ts';
import { type CfApp, cfApp } from '../../../src/cloudfoundry/resources/cf-app.ts';
import { cfBuild } from '../../../src/cloudfoundry/resources/cf-build.ts';
import { type CfDeployment, cfDeployment } from '../../../src/cloudfoundry/resources/cf-deployment.ts';
import { cfProcess } from '../../../src/cloudfoundry/resources/cf-process.ts';
import { cfTask } from '../../../src/cloudfoundry/resources/cf-task.ts';
import { revisionsOf } from '../../../src/cloudfoundry/revision.ts';
import type { Conditions } from '../../../src/control/conditions.ts';
import type { World } from '../../../src/embedded/world.ts';
import type { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../../src/kube/object.ts';
import type { ResourceType } from '../../../src/kube/resource-type.ts';
import type { Patience } from '../patience.ts';
import type { Ask } from './api.ts';
import type { CloudFoundryOracle } from './oracle.ts';

export const org = 'org-1';
export const space = 'space-1';
export const app = 'web';

/** What the environment of the app holds, and nobody but its instances may show. */
const password = 'what-only-the-app-may-know';

/** What a person can do with an app, and how to wait for what comes of it; a violation when it does not come. */
export interface Person {
  /** An organization, a space, and an app of an image with that many instances, until it runs. */
  push(instances: number): Promise<void>;
  /** One more address leads to the app. */
  route(): Promise<void>;
  scale(instances: number): Promise<void>;
  setEnv(value: string): Promise<void>;
  /** All instances end before the new ones begin. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  deploy(options: { readonly strategy: 'rolling' | 'canary' }): Promise<string>;
  /** Until a deployment stands like that. */
  deployment(guid: string, reason: string): Promise<void>;
  goOn(guid: string): Promise<void>;
  /** Runs a command beside the app, until it has ended well. */
  task(name: string, command: string): Promise<void>;
  remove(): Promise<void>;
  /** Until the app runs as asked, with that many instances. */
  runs(instances: number): Promise<void>;
  stopped(): Promise<void>;
  gone(): Promise<void>;
}

interface Place {
  readonly client: Client;
  readonly world: World;
  readonly ask: Ask;
  readonly patience: Patience;
  readonly oracle: CloudFoundryOracle;
}

export function personWith({ client, world, ask, patience, oracle }: Place): Person {
  const find = (): CfApp | undefined => world.get<CfApp>(cfApp.type, space, app);
  const until = (what: string, holds: () => boolean): Promise<void> =>
    patience.until(holds, (minutes) => {
      oracle.violate(`${what} within ${minutes} minutes: ${JSON.stringify(find()?.status)}`);
    });
  const make = async (type: ResourceType, namespace: string, name: string, rest: object): Promise<void> => {
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    const object = { apiVersion, kind: type.kind, metadata: { name, namespace }, ...rest };
    await client.resource<KubeObject>(type).create(object as KubeObject);
  };
  const typed = (kind: string): ResourceType => world.types().find((type) => type.kind === kind) ?? cfApp.type;
  const conditionIs = (type: ResourceType, name: string, condition: string): boolean => {
    const { conditions = [] } = (world.get(type, space, name)?.status ?? {}) as { conditions?: Conditions };
    return conditions.some((one) => one.type === condition && one.status === 'True');
  };
  const asApp = (path: string, body?: object) => ask('POST', `/v3/apps/${app}${path}`, body);
  const running = (instances: number): boolean => {
    const found = find();
    const revision = found && String(revisionsOf(found).appRev);
    const pods = oracle.pods();
    return (
      found !== undefined &&
      isReady(found) &&
      found.status?.observedAppRev === revision &&
      found.status?.observedGeneration === found.metadata.generation &&
      pods.length === instances &&
      oracle.serving().length === instances
    );
  };
  return {
    push: async (instances) => {
      await make(typed('CFOrg'), 'cf', org, { spec: { displayName: 'demo' } });
      await until('there is no namespace of the organization', () => !!world.get(kinds.namespaces, undefined, org));
      await make(typed('CFSpace'), org, space, { spec: { displayName: 'dev' } });
      await until('there is no account in the space', () => !!world.get(kinds.serviceAccounts, space, 'korifi-task'));
      await make(kinds.secrets, space, 'env', { stringData: { PASSWORD: password } });
      const lifecycle = { type: 'docker' };
      const spec = { displayName: app, desiredState: 'STOPPED', lifecycle, envSecretName: 'env' };
      await make(cfApp.type, space, app, { spec });
      const appRef = { name: app };
      const source = { registry: { image: 'registry.example/sample-app:1' } };
      await make(typed('CFPackage'), space, 'package', { spec: { type: 'docker', appRef, source } });
      const packageRef = { name: 'package' };
      await make(cfBuild.type, space, 'droplet', { spec: { packageRef, appRef, lifecycle } });
      await until('there is no droplet', () => conditionIs(cfBuild.type, 'droplet', 'Succeeded'));
      await ask('PATCH', `/v3/apps/${app}/relationships/current_droplet`, { data: { guid: 'droplet' } });
      await until('there is no process', () => !!world.get(cfProcess.type, space, processGuid(app, 'web')));
      await asApp('/processes/web/actions/scale', { instances });
      await asApp('/actions/start');
      await until('it does not run', () => running(instances));
    },
    route: async () => {
      const domainRef = { name: 'default-domain', namespace: 'cf' };
      const destinations = [{ guid: 'destination', appRef: { name: app }, processType: 'web' }];
      await make(typed('CFRoute'), space, 'route', { spec: { host: 'web', domainRef, destinations } });
      await until('the route is not ready', () => conditionIs(typed('CFRoute'), 'route', 'Ready'));
    },
    scale: async (instances) => {
      oracle.permits(instances);
      await asApp('/processes/web/actions/scale', { instances });
    },
    setEnv: async (value) => {
      await ask('PATCH', `/v3/apps/${app}/environment_variables`, { var: { VALUE: value } });
    },
    restart: async () => {
      oracle.permits(0);
      await asApp('/actions/restart');
    },
    stop: async () => {
      oracle.permits(0);
      await asApp('/actions/stop');
    },
    start: async () => void (await asApp('/actions/start')),
    deploy: async ({ strategy }) => {
      const relationships = { app: { data: { guid: app } } };
      const options = strategy === 'canary' ? { canary: { steps: [{ instance_weight: 50 }] } } : { max_in_flight: 1 };
      const { guid = '' } = await ask('POST', '/v3/deployments', { relationships, strategy, options });
      return guid;
    },
    deployment: (guid, reason) =>
      until(`deployment ${guid} was not ${reason}`, () => {
        return world.get<CfDeployment>(cfDeployment.type, space, guid)?.status?.reason === reason;
      }),
    goOn: async (guid) => void (await ask('POST', `/v3/deployments/${guid}/actions/continue`)),
    task: async (name, command) => {
      await make(cfTask.type, space, name, { spec: { appRef: { name: app }, command } });
      await until(`task ${name} did not end well`, () => conditionIs(cfTask.type, name, 'Succeeded'));
    },
    remove: async () => {
      oracle.permits(0);
      await ask('DELETE', `/v3/apps/${app}`);
    },
    runs: (instances) => until(`${instances} instances do not run`, () => running(instances)),
    stopped: () =>
      until(
        'it was not stopped',
        () => find()?.status?.observedDesiredState === 'STOPPED' && oracle.pods().length === 0,
      ),
    gone: () => until('it did not go', () => find() === undefined && left(world).length === 0),
  };
}

/** What an app leaves when it goes: nothing. */
function left(world: World): readonly AnyObject[] {
  return [kinds.statefulSets, kinds.pods].flatMap((type) => world.list(type, { namespace: space }));
}
