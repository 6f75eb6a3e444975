import { kinds } from '../../kube/kinds.ts';
import type { AnyObject } from '../../kube/object.ts';
import { annotations, finalizers, labels } from '../keys.ts';
import { labelHash } from '../names.ts';
import { type CfApp, type CfAppSpec, cfApp } from '../resources/cf-app.ts';
import { notUnique } from './cf-error.ts';
import { createUnique, type Uniqueness } from './create-unique.ts';
import { cfErrorOf } from './kube-trouble.ts';
import { newObject } from './new-object.ts';
import { metadataPatch } from './payload/metadata-patch.ts';
import type { Caller, Platform } from './platform.ts';
import { deleteAs } from './read-as.ts';

export interface WantedApp {
  readonly name: string;
  readonly space: string;
  readonly lifecycle: CfAppSpec['lifecycle'];
  readonly environment: Readonly<Record<string, string>>;
  readonly metadata?:
    | {
        readonly labels?: Readonly<Record<string, string>> | undefined;
        readonly annotations?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
}

/** What a buildpack app runs on when nobody says otherwise. */
export const defaultStack = 'cflinuxfs3';

/** Whether a caller may make apps in a space, asked before he learns of what else is in the way. @throws CfError 403 */
export async function assertMayCreateApps(platform: Platform, caller: Caller, space: string): Promise<void> {
  const name = platform.random.uuid();
  const app = newApp(platform, { name, space, lifecycle: { type: 'docker', data: {} }, environment: {} }, name);
  try {
    await caller.client.resource<CfApp>(cfApp.type).create(app, { dryRun: true });
  } catch (error) {
    throw cfErrorOf(error, { verb: 'write', label: 'App' });
  }
}

/**
 * Makes an app, stopped, with the Secret of its environment.
 * @throws CfError 422 when the name is taken in its space
 */
export async function createApp(platform: Platform, caller: Caller, wanted: WantedApp): Promise<CfApp> {
  const { name, space: namespace, environment } = wanted;
  const envSecretName = platform.random.uuid();
  const app = newApp(platform, wanted, envSecretName);
  const created = await createUnique(platform, caller, cfApp, app, 'App', uniqueName(platform, namespace, name));
  try {
    await caller.client.resource(kinds.secrets).create(envSecret(created, envSecretName, environment));
  } catch (error) {
    // Nobody has been told of it yet; whoever asks again must find the name free.
    await deleteAs(caller, cfApp, created, 'App').catch(() => undefined);
    throw cfErrorOf(error, { verb: 'write', label: 'App' });
  }
  return created;
}

function newApp(platform: Platform, wanted: WantedApp, envSecretName: string): CfApp {
  const { name, space: namespace, lifecycle, metadata } = wanted;
  metadataPatch(metadata);
  return newObject<CfAppSpec>(platform, cfApp, {
    namespace,
    metadata,
    labels: {
      [labels.spaceGuid]: namespace,
      [labels.displayName]: labelHash(name),
      [labels.deploymentStatus]: 'ACTIVE',
    },
    annotations: { [annotations.appRev]: '0' },
    finalizers: [finalizers.app],
    spec: { displayName: name, desiredState: 'STOPPED', lifecycle, envSecretName },
  });
}

/** The Secret with the variables that users set, as it is made. */
export function envSecret(
  app: CfApp,
  name: string,
  variables: Readonly<Record<string, string>>,
): AnyObject & { readonly data: Readonly<Record<string, string>> } {
  const { name: guid = '', namespace = '', uid = '' } = app.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace,
      labels: { [labels.appGuid]: guid },
      ownerReferences: [{ apiVersion: cfApp.apiVersion, kind: cfApp.type.kind, name: guid, uid }],
    },
    type: 'Opaque',
    data: Object.fromEntries(
      Object.entries(variables).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    ),
  };
}

/** Names are unique in a space, whatever their case. */
export function uniqueName({ client }: Platform, namespace: string, name: string): Uniqueness<CfApp> {
  return {
    key: `${namespace}/${name.toLowerCase()}`,
    others: async () => (await client.resource<CfApp>(cfApp.type).list({ namespace })).items,
    isSame: ({ spec }) => spec.displayName.toLowerCase() === name.toLowerCase(),
    error: () => notUnique(`App with the name '${name}' already exists.`),
  };
}
