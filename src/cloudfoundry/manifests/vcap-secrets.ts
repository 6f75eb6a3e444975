import { canonical } from '../../control/digest.ts';
import type { AnyObject } from '../../kube/object.ts';
import { labels } from '../keys.ts';
import { vcapApplicationSecretName, vcapServicesSecretName } from '../names.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { ownedBy } from './owned-by.ts';

/** What an app is told of itself. */
export interface AppSurroundings {
  /** Of its routes. */
  readonly uris: readonly string[];
  readonly spaceName: string;
  readonly orgGuid: string;
  readonly orgName: string;
  /** Where the API is reached. */
  readonly apiUrl: string;
}

/**
 * The Secrets with `VCAP_APPLICATION` and `VCAP_SERVICES`. Pods refer to them by name, so new content restarts nothing: an
 * instance sees what was there when it started.
 */
export function vcapSecrets(app: CfApp, around: AppSurroundings): readonly AnyObject[] {
  const { name: guid = '', namespace = '' } = app.metadata;
  const { displayName } = app.spec;
  const application = {
    application_id: guid,
    application_name: displayName,
    application_uris: around.uris,
    cf_api: around.apiUrl,
    name: displayName,
    organization_id: around.orgGuid,
    organization_name: around.orgName,
    space_id: namespace,
    space_name: around.spaceName,
    uris: around.uris,
  };
  return [
    secret(app, vcapApplicationSecretName(guid), { VCAP_APPLICATION: application }),
    secret(app, vcapServicesSecretName(guid), { VCAP_SERVICES: {} }),
  ];
}

function secret(app: CfApp, name: string, values: Readonly<Record<string, object>>): AnyObject {
  const { name: guid = '', namespace = '' } = app.metadata;
  const data = Object.entries(values).map(([key, value]) => [key, Buffer.from(canonical(value)).toString('base64')]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { [labels.appGuid]: guid }, ownerReferences: [ownedBy(app)] },
    type: 'Opaque',
    data: Object.fromEntries(data) as Record<string, string>,
  };
}
