import type { Cached } from '../../control/caches.ts';
import type { Glance, View } from '../../control/controller.ts';
import type { Sealed } from '../../control/sealed.ts';
import type { Client } from '../../kube/client.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import { annotations } from '../keys.ts';
import type { SealedSecret } from '../manifests/copies.ts';
import { isBound } from '../manifests/own-binding.ts';
import type { CfOrg } from '../resources/cf-org.ts';
import type { CfSpace } from '../resources/cf-space.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { askedFor, askedForAll } from './asked.ts';
import type { Namespace, RoleBinding, ServiceAccount, Subject } from './kube-shapes.ts';
import type { PlaceCaches } from './place-caches.ts';
import { type RegistrySecrets, registrySecrets } from './registry-secrets.ts';

/** What is known when an organization or a space is decided on: the two are alike. */
export interface PlaceView<T extends CfOrg | CfSpace = CfOrg | CfSpace> extends View {
  readonly place: T;
  /** Why it is not where such an object belongs. */
  readonly misplaced?: string;
  /** The namespace of its name, if that is of an organization or a space. Others are not watched. */
  readonly namespace?: Namespace;
  /** Who must be given rights on Secrets here; absent when the operator has all that it needs. */
  readonly operator?: Subject;
  /** The namespaces, of this place and of the root, in which it has not been given them. */
  readonly unbound: readonly string[];
  /** Why nothing is known of Secrets, though it should have the rights. */
  readonly barred?: string;
  /** What is passed on to it. */
  readonly sources: Passed;
  /** What is in its namespace. Of accounts only those that were passed on. */
  readonly present: Passed;
  /** What must be gone before its namespace goes. */
  readonly contents: readonly KubeObject[];
  /** Some of this was not shown by any cache, and perhaps none will tell that it is gone. */
  readonly unheard?: boolean;
  readonly settings: Pick<CloudFoundrySettings, 'version' | 'rootNamespace' | 'registrySecrets'>;
}

export interface Passed {
  readonly roleBindings: readonly RoleBinding[];
  readonly serviceAccounts: readonly ServiceAccount[];
  readonly secrets: readonly SealedSecret[];
}

export interface PlaceSources {
  readonly caches: PlaceCaches;
  readonly client: Client;
  /** See `ownAccount`. */
  readonly account: (signal: AbortSignal) => Promise<Subject | undefined>;
  readonly settings: CloudFoundrySettings;
  readonly seal: (value: string) => Sealed;
}

export async function cfOrgView(_key: string, glance: Glance<CfOrg>, sources: PlaceSources): Promise<PlaceView<CfOrg>> {
  const { metadata } = glance.object;
  const { caches, settings } = sources;
  const misplaced =
    metadata.namespace === settings.rootNamespace
      ? undefined
      : `Organizations belong into the namespace ${settings.rootNamespace}. Create it there, and delete this one.`;
  const { namespace, secrets, ...rest } = await common(glance, sources, misplaced);
  const view = {
    ...rest,
    // The namespace of that name is of the organization that is where it belongs.
    ...(namespace && !misplaced && { namespace }),
    sources: { roleBindings: passedFrom(metadata.namespace ?? '', sources), serviceAccounts: [], secrets },
    contents: named(caches.spaces.by('org', metadata.name ?? '')),
  };
  return misplaced ? view : parting(view, glance, sources, [caches.spaces]);
}

export async function cfSpaceView(
  _key: string,
  glance: Glance<CfSpace>,
  sources: PlaceSources,
): Promise<PlaceView<CfSpace>> {
  const { name = '', namespace: org = '' } = glance.object.metadata;
  const { caches, settings } = sources;
  const misplaced = caches.orgs.get(`${settings.rootNamespace}/${org}`)
    ? undefined
    : `There is no organization ${org}: no CFOrg of that name in the namespace ${settings.rootNamespace}. Create a space in the namespace of its organization.`;
  const { secrets, ...rest } = await common(glance, sources, misplaced);
  const view = {
    ...rest,
    sources: {
      roleBindings: passedFrom(org, sources),
      secrets,
      serviceAccounts: named(caches.rootServiceAccounts.all()).filter(
        ({ metadata }) => metadata.annotations?.[annotations.propagateServiceAccount] === 'true',
      ),
    },
    contents: [...named(caches.apps.by('namespace', name)), ...named(caches.routes.by('namespace', name))],
  };
  return parting(view, glance, sources, [caches.apps, caches.routes]);
}

/**
 * A place that goes, with what the API server itself has where the caches show nothing: a namespace that was not seen would
 * stay for ever, and what is in it would lose the rights and accounts that it needs to end well.
 */
async function parting<T extends PlaceView>(
  view: T,
  { signal }: Pick<Glance<T['place']>, 'signal'>,
  { client }: PlaceSources,
  held: readonly Pick<Cached, 'type' | 'get'>[],
): Promise<T> {
  const { name = '', deletionTimestamp } = view.place.metadata;
  if (deletionTimestamp === undefined) return view;
  const server = { client, signal };
  const namespace = view.namespace ?? (await askedFor<Namespace>(kinds.namespaces, { name }, server));
  if (!namespace) return view;
  const asks = view.contents.length === 0 && namespace.metadata.deletionTimestamp === undefined;
  const found = asks ? await Promise.all(held.map((cached) => askedForAll(cached, name, server))) : [];
  const unheard = view.namespace === undefined || found.flat().length > 0;
  return {
    ...view,
    namespace,
    contents: [...view.contents, ...found.flatMap(named)],
    ...(unheard && { unheard }),
  };
}

/** What organizations and spaces have in common, and the Secrets that are passed on: all of them are the root namespace's. */
async function common<T extends CfOrg | CfSpace>(
  { object: place, now, outcomes, signal }: Glance<T>,
  sources: PlaceSources,
  misplaced: string | undefined,
): Promise<Omit<PlaceView<T>, 'sources' | 'contents'> & Pick<Passed, 'secrets'>> {
  const { caches, settings } = sources;
  const { name = '' } = place.metadata;
  const operator = await sources.account(signal);
  const mayLook = caches.namespaces.get(name) && misplaced === undefined && !place.metadata.deletionTimestamp;
  const isUnbound = (of: string): boolean =>
    operator !== undefined && !isBound(operator, caches.roleBindings.by('namespace', of));
  const readable = mayLook && !isUnbound(name) && !isUnbound(settings.rootNamespace);
  const secrets: RegistrySecrets = readable
    ? await registrySecrets(name, sources, signal)
    : { sources: [], present: [] };
  const namespace = caches.namespaces.get(name);
  const { version, rootNamespace, registrySecrets: passed } = settings;
  return {
    now,
    outcomes,
    place,
    ...(misplaced !== undefined && { misplaced }),
    ...(namespace && { namespace }),
    ...(operator && { operator }),
    unbound: [settings.rootNamespace, ...(namespace ? [name] : [])].filter(isUnbound),
    secrets: secrets.sources,
    ...(secrets.barred !== undefined && { barred: secrets.barred }),
    present: {
      roleBindings: named(caches.roleBindings.by('namespace', name)),
      serviceAccounts: named(caches.copiedServiceAccounts.by('namespace', name)),
      secrets: secrets.present,
    },
    settings: { version, rootNamespace, registrySecrets: passed },
  };
}

/**
 * What a namespace passes on to those below. A RoleBinding of a Role stays where it is: a Role of the same name elsewhere is
 * another one, and may allow more.
 */
function passedFrom(namespace: string, { caches }: PlaceSources): readonly RoleBinding[] {
  return named(caches.roleBindings.by('namespace', namespace)).filter(
    ({ metadata, roleRef }) =>
      metadata.annotations?.[annotations.propagateRole] === 'true' && roleRef?.kind === 'ClusterRole',
  );
}

/** In an order that does not depend on when they came. */
function named<T extends KubeObject>(objects: Iterable<T>): readonly T[] {
  return [...objects].sort(({ metadata: a }, { metadata: b }) => {
    const [left = '', right = ''] = [a.name, b.name];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}
