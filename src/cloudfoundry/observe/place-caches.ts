import type { Cached, Caches } from '../../control/caches.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import { type CfSpace, cfSpace } from '../resources/cf-space.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { type CloudFoundryCaches, openCloudFoundryCaches } from './caches.ts';

/** A Secret that pulls images, with what it holds. */
export interface RegistrySecret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** What organizations and spaces look at. */
export interface PlaceCaches
  extends Pick<
    CloudFoundryCaches,
    'orgs' | 'namespaces' | 'roleBindings' | 'rootServiceAccounts' | 'copiedServiceAccounts'
  > {
  readonly spaces: Cached<CfSpace, 'org' | 'name'>;
  readonly apps: Cached<CfApp, 'namespace'>;
  readonly routes: Cached<CfRoute, 'namespace'>;
  /** Of the Secrets of the root namespace that pull images only that they changed; one cache for each name. */
  readonly registrySecrets: readonly Cached[];
}

export function openPlaceCaches(caches: Caches, settings: CloudFoundrySettings): PlaceCaches {
  const ours = { managedFields: true };
  const { orgs, namespaces, roleBindings, rootServiceAccounts, copiedServiceAccounts } = openCloudFoundryCaches(
    caches,
    settings,
  );
  return {
    orgs,
    namespaces,
    roleBindings,
    rootServiceAccounts,
    copiedServiceAccounts,
    spaces: caches.open<CfSpace, 'org' | 'name'>({
      type: cfSpace.type,
      ...ours,
      indexes: { org: namespaceOf, name: nameOf },
    }),
    apps: caches.open<CfApp, 'namespace'>({ type: cfApp.type, ...ours, indexes: { namespace: namespaceOf } }),
    routes: caches.open<CfRoute, 'namespace'>({ type: cfRoute.type, ...ours, indexes: { namespace: namespaceOf } }),
    registrySecrets: settings.registrySecrets.map((name) =>
      caches.open<KubeObject>({
        type: kinds.secrets,
        namespace: settings.rootNamespace,
        fieldSelector: { 'metadata.name': name },
        metadataOnly: true,
        // It may not be seen before the operator has bound its role there.
        optional: true,
      }),
    ),
  };
}

function namespaceOf({ metadata }: KubeObject): readonly string[] {
  return metadata.namespace ? [metadata.namespace] : [];
}

function nameOf({ metadata }: KubeObject): readonly string[] {
  return metadata.name ? [metadata.name] : [];
}
