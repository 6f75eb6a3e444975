import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import { labels } from '../keys.ts';
import { cfSpace } from '../resources/cf-space.ts';
import { CfError, notFound, unprocessable } from './cf-error.ts';
import type { RoleBinding } from './directory.ts';
import { jobNamed } from './jobs.ts';
import { cfErrorOf, ownTrouble } from './kube-trouble.ts';
import { type ListRules, listQuery, paged } from './list.ts';
import { bounded } from './list-as.ts';
import { readOrg } from './organizations.ts';
import { parseBody } from './payload/parse-body.ts';
import { newRole } from './payload/role.ts';
import type { Caller, CfRoutes, Platform } from './platform.ts';
import { presentRole, presentUser } from './present/role.ts';
import { deleteAs, readIn } from './read-as.ts';
import { bindingFor, bindingName, isCopy, roleOf } from './role-bindings.ts';
import { readSpace } from './spaces.ts';

const rules: ListRules<RoleBinding> = {
  keys: [
    'guids',
    'types',
    'space_guids',
    'organization_guids',
    'user_guids',
    'order_by',
    'include',
    'per_page',
    'page',
  ],
};

const kind = { type: kinds.roleBindings };

/** Roles: RoleBindings to the published ClusterRoles, made and read with the caller's own rights. */
export const roles: CfRoutes = (api, platform) => {
  api.post('/v3/roles', async (c) => {
    const { caller } = c.var;
    const { type, relationships } = await parseBody(c, newRole);
    const { username, guid } = relationships.user.data;
    const user = username ?? guid ?? '';
    const namespace = await placeOf(platform, caller, relationships, user);
    const wanted = bindingFor({ type, user, namespace, guid: platform.random.uuid() });
    let made: RoleBinding;
    try {
      made = await caller.client.resource<RoleBinding>(kinds.roleBindings).create(wanted);
    } catch (error) {
      if (!isKubeError(error, 'exists')) throw cfErrorOf(error, { verb: 'write', label: 'Role' });
      await admit(platform, user);
      throw unprocessable(`User '${user}' already has '${type}' role`);
    }
    platform.wrote(kinds.roleBindings, { ...made });
    await admit(platform, user);
    return c.json(presentRole(made, { type, user }, c.var.base), 201);
  });

  api.get('/v3/roles', async (c) => {
    const query = listQuery(c, rules);
    const [guids, types, who] = [query.values('guids'), query.values('types'), query.values('user_guids')];
    const found = await bindingsOf(platform, c.var.caller, {
      orgs: query.values('organization_guids'),
      spaces: query.values('space_guids'),
    });
    const wanted = found.filter((binding) => {
      const role = roleOf(binding);
      if (!role) return false;
      return (
        (!guids || guids.includes(guidOf(binding))) &&
        (!types || types.includes(role.type)) &&
        (!who || who.includes(role.user))
      );
    });
    const included = (shown: readonly RoleBinding[]): object | undefined => {
      if (!query.values('include')?.includes('user')) return undefined;
      const names = new Set(shown.flatMap((binding) => roleOf(binding)?.user ?? []));
      return { users: [...names].map((name) => presentUser(name, c.var.base)) };
    };
    const unnamed = { ...query, selects: () => true };
    return c.json(paged(c, unnamed, wanted, (binding) => shown(binding, c.var.base), included));
  });

  api.get('/v3/roles/:guid', async (c) =>
    c.json(shown(await readBinding(platform, c.var.caller, c.req.param('guid')), c.var.base)),
  );

  api.delete('/v3/roles/:guid', async (c) => {
    const guid = c.req.param('guid');
    const binding = await readBinding(platform, c.var.caller, guid);
    await mustNotBeNeeded(platform, binding);
    await deleteAs(c.var.caller, kind, binding, 'Role');
    return jobNamed(c, 'role.delete', guid);
  });
};

/** The namespace of the role. A role in a space needs one in its organization. @throws CfError 422 */
async function placeOf(
  platform: Platform,
  caller: Caller,
  { organization, space }: { organization?: Place | undefined; space?: Place | undefined },
  user: string,
): Promise<string> {
  try {
    if (organization) return (await readOrg(platform, caller, organization.data.guid)).metadata.name ?? '';
    const found = await readSpace(platform, caller, space?.data.guid ?? '');
    if (!(await hasRoleIn(platform, found.metadata.namespace ?? '', user))) {
      throw unprocessable('no RoleBinding found in parent org');
    }
    return found.metadata.name ?? '';
  } catch (error) {
    if (error instanceof CfError && error.status === 404) {
      throw unprocessable(organization ? 'organization not found' : 'space not found');
    }
    throw error;
  }
}

type Place = { readonly data: { readonly guid: string } };

/** Looked up with the operator's identity: who gives roles in a space need not see those of the organization. */
async function hasRoleIn({ client }: Platform, namespace: string, user: string): Promise<boolean> {
  const resource = client.resource<RoleBinding>(kinds.roleBindings);
  try {
    await resource.get({ namespace, name: bindingName('organization_user', user) });
    return true;
  } catch (error) {
    if (!isKubeError(error, 'not-found')) throw ownTrouble(error);
  }
  const { items } = await resource.list({ namespace }).catch((error: unknown) => {
    throw ownTrouble(error);
  });
  return items.some((binding) => roleOf(binding)?.user === user);
}

/**
 * Lets a user with a role read organizations and domains. The operator does that itself, after the caller was allowed to give the
 * role, and also when the role was there: whoever gave it may have died before this.
 */
async function admit({ client, settings, random }: Platform, user: string): Promise<void> {
  const binding = bindingFor({ type: 'cf_user', user, namespace: settings.rootNamespace, guid: random.uuid() });
  try {
    await client.resource<RoleBinding>(kinds.roleBindings).create(binding);
  } catch (error) {
    if (!isKubeError(error, 'exists')) throw ownTrouble(error);
  }
}

/**
 * Who has a role in a space stays a user of its organization. Looked up with the operator's identity, for the caller need not see
 * all spaces. @throws CfError 422
 */
async function mustNotBeNeeded(platform: Platform, binding: RoleBinding): Promise<void> {
  const role = roleOf(binding);
  if (role?.type !== 'organization_user') return;
  const { namespace: org = '' } = binding.metadata;
  const resource = platform.client.resource<RoleBinding>(kinds.roleBindings);
  try {
    const { items: spaces } = await platform.client.resource(cfSpace.type).list({ namespace: org, metadataOnly: true });
    const inOrg = new Set(spaces.map(({ metadata }) => metadata.name));
    const { items } = await resource.list({ labelSelector: labels.roleGuid });
    const needed = items.some((one) => inOrg.has(one.metadata.namespace) && roleOf(one)?.user === role.user);
    if (!needed) return;
  } catch (error) {
    throw ownTrouble(error);
  }
  throw unprocessable('Cannot delete organization_user role while user has roles in spaces in that organization.');
}

/** Bindings of the CF API in organizations and spaces that the caller can see, as he may read them. */
export async function bindingsOf(
  platform: Platform,
  caller: Caller,
  chosen: { readonly orgs?: readonly string[] | undefined; readonly spaces?: readonly string[] | undefined },
): Promise<readonly RoleBinding[]> {
  const { directory } = platform;
  const any = !chosen.orgs && !chosen.spaces;
  const orgs = directory.orgs(caller).filter((guid) => any || chosen.orgs?.includes(guid));
  const spaces = directory.spaces(caller).flatMap(({ guid }) => (any || chosen.spaces?.includes(guid) ? [guid] : []));
  const resource = caller.client.resource<RoleBinding>(kinds.roleBindings);
  const found = await bounded([...orgs, ...spaces], 8, async (namespace) => {
    try {
      return (await resource.list({ namespace, labelSelector: labels.roleGuid })).items;
    } catch (error) {
      if (isKubeError(error, 'forbidden')) return [];
      throw cfErrorOf(error, { verb: 'read', label: 'Role' });
    }
  });
  return found.flat().filter((binding) => !isCopy(binding));
}

/**
 * Found by its label with the operator's identity, then read as the caller. Whoever may make bindings somewhere can give one the
 * GUID of another's role: the caller's own places come first, and of two in them none is taken for the role.
 */
async function readBinding(platform: Platform, caller: Caller, guid: string): Promise<RoleBinding> {
  const place = /^[-\w.]{1,63}$/.test(guid) ? await placeOfBinding(platform, caller, guid) : undefined;
  if (!place) throw notFound('Role');
  const binding = await readIn<RoleBinding>(caller, kind, place, 'Role');
  if (!roleOf(binding)) throw notFound('Role');
  return binding;
}

async function placeOfBinding(
  { client, directory, settings }: Platform,
  caller: Caller,
  guid: string,
): Promise<{ readonly namespace: string; readonly name: string } | undefined> {
  const labelSelector = { matchLabels: { [labels.roleGuid]: guid } };
  const { items } = await client
    .resource(kinds.roleBindings)
    .list({ labelSelector, metadataOnly: true })
    .catch((error: unknown) => {
      throw ownTrouble(error);
    });
  const found = items.filter((one) => !isCopy(one) && one.metadata.namespace !== settings.rootNamespace);
  const places = new Set([...directory.orgs(caller), ...directory.spaces(caller).map((space) => space.guid)]);
  const own = found.filter(({ metadata }) => places.has(metadata.namespace ?? ''));
  const [only, another] = own.length > 0 ? own : found;
  const { namespace, name } = only?.metadata ?? {};
  return namespace && name && !another ? { namespace, name } : undefined;
}

function shown(binding: RoleBinding, base: string): object {
  const role = roleOf(binding);
  if (!role) throw notFound('Role');
  return presentRole(binding, role, base);
}

function guidOf({ metadata }: RoleBinding): string {
  return metadata.labels?.[labels.roleGuid] ?? '';
}
