import type { Cached } from '../../control/caches.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import type { KubeObject } from '../../kube/object.ts';
import { qualifiedName, type ResourceType } from '../../kube/resource-type.ts';
import { roleNames } from '../install/user-roles.ts';
import { ownTrouble } from './kube-trouble.ts';
import type { Caller } from './platform.ts';

type Who = Pick<Caller, 'name' | 'groups'>;

/** A space, and the organization that it is in. Both GUIDs are namespaces. */
export interface SpaceRef {
  readonly guid: string;
  readonly orgGuid: string;
}

/**
 * Where things are, and where a caller has anything to look for. It answers with GUIDs and nothing else: what is found here
 * must still be read with the caller's own credentials.
 */
export interface Directory {
  /**
   * The namespace of an object, by its name alone. Whoever may create in one space can give an object the name of one in
   * another: where several have it, those count in which the caller has a role, and of more than one none is chosen.
   */
  namespaceOf(type: ResourceType, guid: string, caller: Who): Promise<string | undefined>;
  /** Spaces in which the caller has a role; every space, for whoever has one in the whole cluster. */
  spaces(caller: Who): readonly SpaceRef[];
  /** The same for organizations. */
  orgs(caller: Who): readonly string[];
  /** Whether some role of the caller holds in all namespaces: one list may then do instead of one per space. */
  everywhere(caller: Who): boolean;
  /** Whether the caller has any role here at all. */
  hasRoles(caller: Who): boolean;
}

export interface RoleBinding extends KubeObject {
  readonly roleRef: { readonly kind: string; readonly name: string; readonly apiGroup?: string };
  readonly subjects?: readonly Subject[];
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly apiGroup?: string;
}

export interface DirectoryOptions {
  /** The operator's own. */
  readonly client: Client;
  readonly rootNamespace: string;
  readonly orgs: Pick<Cached, 'all'>;
  readonly spaces: Pick<Cached, 'all'>;
  /** The kinds that live in spaces. */
  readonly inSpaces: readonly Pick<Cached, 'type' | 'get'>[];
  /** RoleBindings and ClusterRoleBindings by `subjectsOf`. */
  readonly bindings: Pick<Cached<RoleBinding, 'subject'>, 'by'>;
  readonly clusterBindings: Pick<Cached<RoleBinding, 'subject'>, 'by'>;
}

/** The index of bindings: whom a binding speaks of, spelled as usernames are. */
export function subjectsOf(binding: KubeObject): readonly string[] {
  const { subjects } = binding as Partial<RoleBinding>;
  if (!Array.isArray(subjects)) return [];
  return subjects.flatMap(({ kind, name, namespace }: Subject) => {
    if (kind === 'Group') return [`group ${name}`];
    if (kind === 'ServiceAccount') return [`user system:serviceaccount:${namespace}:${name}`];
    return kind === 'User' ? [`user ${name}`] : [];
  });
}

/** What, bound in the whole cluster, makes somebody a user of all of Cloud Foundry. Other roles there say nothing of it. */
const ofAll: ReadonlySet<string> = new Set([...Object.values(roleNames), 'cluster-admin']);
/** More objects of one name than this are looked at by nobody. */
const sameName = 100;

export function createDirectory(options: DirectoryOptions): Directory {
  const { client, rootNamespace, bindings, clusterBindings } = options;
  const inSpaces = new Map(options.inSpaces.map((cached) => [qualifiedName(cached.type), cached]));

  const everywhere = (caller: Who): boolean =>
    caller.groups.includes('system:masters') ||
    subjectsFor(caller).some((subject) =>
      clusterBindings.by('subject', subject).some(({ roleRef }) => ofAll.has(roleRef?.name)),
    );
  const namespaces = (caller: Who): ReadonlySet<string> => {
    const found = new Set<string>();
    for (const subject of subjectsFor(caller)) {
      for (const { metadata } of bindings.by('subject', subject)) if (metadata.namespace) found.add(metadata.namespace);
    }
    return found;
  };
  const known = function* (): Iterable<SpaceRef> {
    for (const { metadata } of options.spaces.all()) {
      if (metadata.name && metadata.namespace) yield { guid: metadata.name, orgGuid: metadata.namespace };
    }
  };
  const chosen = (found: Iterable<string>, caller: Who): string | undefined => {
    const all = [...new Set(found)];
    // What only one has is not chosen: whether he may see it, Kubernetes says.
    if (all.length <= 1) return all[0];
    if (everywhere(caller)) return undefined;
    const bound = namespaces(caller);
    const [own, another] = all.filter((namespace) => bound.has(namespace));
    return another === undefined ? own : undefined;
  };
  /** Where the caches have an object of this name. */
  const seen = (type: ResourceType, guid: string): readonly string[] => {
    const spaces = [...known()];
    if (type.plural === 'cfspaces') return spaces.flatMap((space) => (space.guid === guid ? [space.orgGuid] : []));
    const cached = inSpaces.get(qualifiedName(type));
    return spaces.flatMap((space) => (cached?.get(`${space.guid}/${guid}`) ? [space.guid] : []));
  };

  return {
    async namespaceOf(type, guid, caller) {
      if (!type.namespaced || !isName(guid)) return undefined;
      if (type.plural === 'cforgs' || type.plural === 'cfdomains') return rootNamespace;
      const found = seen(type, guid);
      return chosen(found.length > 0 ? found : await lookedUp(client, type, guid), caller);
    },

    spaces(caller) {
      const all = [...known()];
      if (everywhere(caller)) return all;
      const bound = namespaces(caller);
      return all.filter(({ guid }) => bound.has(guid));
    },

    orgs(caller) {
      const all = [...options.orgs.all()].flatMap(({ metadata }) => metadata.name ?? []);
      if (everywhere(caller)) return all;
      const bound = namespaces(caller);
      return all.filter((guid) => bound.has(guid));
    },

    everywhere,

    hasRoles(caller) {
      if (everywhere(caller)) return true;
      const bound = namespaces(caller);
      if (bound.has(rootNamespace)) return true;
      const places = [...options.orgs.all(), ...options.spaces.all()];
      return places.some(({ metadata }) => bound.has(metadata.name ?? ''));
    },
  };
}

/** Whether this could be the name of an object; anything else is not even asked for. */
export function isName(guid: string): boolean {
  return guid.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(guid);
}

function subjectsFor({ name, groups }: Who): readonly string[] {
  return [`user ${name}`, ...groups.map((group) => `group ${group}`)];
}

/** What was made a moment ago, perhaps by another replica, has not been seen yet: one list over all namespaces finds it. */
async function lookedUp(client: Client, type: ResourceType, guid: string): Promise<readonly string[]> {
  try {
    const fieldSelector = { 'metadata.name': guid };
    const { items } = await client.resource(type).list({ fieldSelector, metadataOnly: true, limit: sameName });
    return items.flatMap(({ metadata }) => metadata.namespace ?? []);
  } catch (error) {
    if (isKubeError(error, 'not-found')) return [];
    throw ownTrouble(error);
  }
}
