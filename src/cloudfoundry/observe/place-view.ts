import type { Glance, View } from '../../control/controller.ts';
import type { Sealed } from '../../control/sealed.ts';
import type { KubeObject } from '../../kube/object.ts';
import { annotations } from '../keys.ts';
import type { SealedSecret } from '../manifests/copies.ts';
import type { CfOrg } from '../resources/cf-org.ts';
import type { CfSpace } from '../resources/cf-space.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import type { Namespace, RoleBinding, ServiceAccount } from './kube-shapes.ts';
import type { PlaceCaches, RegistrySecret } from './place-caches.ts';

/** What is known when an organization or a space is decided on: the two are alike. */
export interface PlaceView<T extends CfOrg | CfSpace = CfOrg | CfSpace> extends View {
  readonly place: T;
  /** Why it is not where such an object belongs. */
  readonly misplaced?: string;
  /** The namespace of its name, if that is of an organization or a space. Others are not watched. */
  readonly namespace?: Namespace;
  /** What is passed on to it. */
  readonly sources: Passed;
  /** What is in its namespace. Of accounts only those that were passed on. */
  readonly present: Passed;
  /** What must be gone before its namespace goes. */
  readonly contents: readonly KubeObject[];
  readonly settings: Pick<CloudFoundrySettings, 'version' | 'rootNamespace' | 'registrySecrets'>;
}

export interface Passed {
  readonly roleBindings: readonly RoleBinding[];
  readonly serviceAccounts: readonly ServiceAccount[];
  readonly secrets: readonly SealedSecret[];
}

export interface PlaceSources {
  readonly caches: PlaceCaches;
  readonly settings: CloudFoundrySettings;
  readonly seal: (value: string) => Sealed;
}

export function cfOrgView(_key: string, glance: Glance<CfOrg>, sources: PlaceSources): PlaceView<CfOrg> {
  const { metadata } = glance.object;
  const { caches, settings } = sources;
  const misplaced =
    metadata.namespace === settings.rootNamespace
      ? undefined
      : `Organizations belong into the namespace ${settings.rootNamespace}. Create it there, and delete this one.`;
  const { namespace, ...rest } = common(glance, sources, misplaced);
  return {
    ...rest,
    // The namespace of that name is of the organization that is where it belongs.
    ...(namespace && !misplaced && { namespace }),
    sources: { ...passedFrom(metadata.namespace ?? '', sources), serviceAccounts: [] },
    contents: named(caches.spaces.by('org', metadata.name ?? '')),
  };
}

export function cfSpaceView(_key: string, glance: Glance<CfSpace>, sources: PlaceSources): PlaceView<CfSpace> {
  const { name = '', namespace: org = '' } = glance.object.metadata;
  const { caches, settings } = sources;
  const misplaced = caches.orgs.get(`${settings.rootNamespace}/${org}`)
    ? undefined
    : `There is no organization ${org}: no CFOrg of that name in the namespace ${settings.rootNamespace}. Create a space in the namespace of its organization.`;
  return {
    ...common(glance, sources, misplaced),
    sources: {
      ...passedFrom(org, sources),
      serviceAccounts: named(caches.rootServiceAccounts.all()).filter(
        ({ metadata }) => metadata.annotations?.[annotations.propagateServiceAccount] === 'true',
      ),
    },
    contents: [...named(caches.apps.by('namespace', name)), ...named(caches.routes.by('namespace', name))],
  };
}

function common<T extends CfOrg | CfSpace>(
  { object: place, now, outcomes }: Glance<T>,
  { caches, settings, seal }: PlaceSources,
  misplaced: string | undefined,
): Omit<PlaceView<T>, 'sources' | 'contents'> {
  const { name = '' } = place.metadata;
  const namespace = caches.namespaces.get(name);
  const { version, rootNamespace, registrySecrets } = settings;
  return {
    now,
    outcomes,
    place,
    ...(misplaced !== undefined && { misplaced }),
    ...(namespace && { namespace }),
    present: {
      roleBindings: named(caches.roleBindings.by('namespace', name)),
      serviceAccounts: named(caches.copiedServiceAccounts.by('namespace', name)),
      secrets: secretsOf(name, caches, seal),
    },
    settings: { version, rootNamespace, registrySecrets },
  };
}

/**
 * What a namespace passes on to those below. A RoleBinding of a Role stays where it is: a Role of the same name elsewhere is
 * another one, and may allow more.
 */
function passedFrom(namespace: string, { caches, seal }: PlaceSources): Pick<Passed, 'roleBindings' | 'secrets'> {
  const roleBindings = named(caches.roleBindings.by('namespace', namespace)).filter(
    ({ metadata, roleRef }) =>
      metadata.annotations?.[annotations.propagateRole] === 'true' && roleRef?.kind === 'ClusterRole',
  );
  return { roleBindings, secrets: secretsOf(namespace, caches, seal) };
}

function secretsOf(
  namespace: string,
  { registrySecrets }: PlaceCaches,
  seal: PlaceSources['seal'],
): readonly SealedSecret[] {
  const found = [...registrySecrets].flatMap(([name, cached]) => cached.get(`${namespace}/${name}`) ?? []);
  return named(found).map((secret) => sealedSecret(secret, seal));
}

function sealedSecret({ data, ...secret }: RegistrySecret, seal: PlaceSources['seal']): SealedSecret {
  if (!data) return secret;
  return { ...secret, data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, seal(value)])) };
}

/** In an order that does not depend on when they came. */
function named<T extends KubeObject>(objects: Iterable<T>): readonly T[] {
  return [...objects].sort(({ metadata: a }, { metadata: b }) => {
    const [left = '', right = ''] = [a.name, b.name];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}
