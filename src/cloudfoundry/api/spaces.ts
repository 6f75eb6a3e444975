import { isKubeError } from '../../kube/error.ts';
import { spaceFurnishing } from '../decide/furnishings.ts';
import { labels } from '../keys.ts';
import { cfApp } from '../resources/cf-app.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import { type CfSpace, cfSpace } from '../resources/cf-space.ts';
import { invalidRelation, notAuthorized, notFound, unprocessable } from './cf-error.ts';
import { changedPlace } from './change/place.ts';
import { createUnique, renameUnique, type Uniqueness } from './create-unique.ts';
import { jobOf } from './jobs.ts';
import { cfErrorOf } from './kube-trouble.ts';
import { emptyList, type ListRules, listQuery, paged } from './list.ts';
import { bounded, listAs } from './list-as.ts';
import { newFurnished } from './new-furnished.ts';
import { visibleOrgs } from './organizations.ts';
import { parseBody } from './payload/parse-body.ts';
import { changedSpace, newSpace } from './payload/place.ts';
import type { Caller, CfRoutes, Platform } from './platform.ts';
import { presentOrganization } from './present/organization.ts';
import { presentSpace } from './present/space.ts';
import { deleteAs, patchAs, readIn } from './read-as.ts';
import { untilUsable } from './until-usable.ts';
import { warn } from './warn.ts';

const rules: ListRules<CfSpace> = {
  keys: ['names', 'guids', 'organization_guids', 'order_by', 'per_page', 'page', 'include'],
  also: ['label_selector'],
  orderBy: { name: ({ spec }) => spec.displayName },
};

/** Spaces. A caller sees those in which he has a role. */
export const spaces: CfRoutes = (api, platform) => {
  api.post('/v3/spaces', async (c) => {
    const { caller } = c.var;
    const { name, metadata, relationships } = await parseBody(c, newSpace);
    const namespace = relationships.organization.data.guid;
    if (!platform.directory.orgs(caller).includes(namespace)) {
      throw platform.directory.hasRoles(caller) ? invalidRelation('organization') : notAuthorized();
    }
    const space = newFurnished<CfSpace, CfSpace['spec']>(
      platform,
      cfSpace,
      { namespace, metadata, spec: { displayName: name } },
      spaceFurnishing,
    );
    const created = await createUnique(
      platform,
      caller,
      cfSpace,
      space,
      'Space',
      uniqueName(platform, namespace, name),
    );
    const guid = created.metadata.name ?? '';
    const { place, usable } = await untilUsable(platform, caller, cfSpace, created, {
      type: cfApp.type,
      isKnown: () => platform.directory.spaces(caller).some((one) => one.guid === guid),
    });
    if (!usable) warn(c, `Space '${name}' is created, but cannot be used yet. Look at CFSpace ${guid}.`);
    return c.json(presentSpace(place, c.var.base), 201);
  });

  api.get('/v3/spaces', async (c) => {
    const query = listQuery(c, rules);
    const names = query.values('names');
    const found = await visibleSpaces(platform, c.var.caller, query.values('organization_guids'));
    const wanted = names ? found.filter(({ spec }) => names.includes(spec.displayName)) : found;
    const orgs = query.values('include')?.some((what) => /^org(anization)?$/.test(what))
      ? await visibleOrgs(platform, c.var.caller)
      : undefined;
    const included = (shown: readonly CfSpace[]): object | undefined => {
      const needed = new Set(shown.map(({ metadata }) => metadata.namespace));
      return (
        orgs && {
          organizations: orgs
            .filter(({ metadata }) => needed.has(metadata.name))
            .map((org) => presentOrganization(org, c.var.base)),
        }
      );
    };
    return c.json(paged(c, query, wanted, (space) => presentSpace(space, c.var.base), included));
  });

  api.get('/v3/spaces/:guid', async (c) =>
    c.json(presentSpace(await readSpace(platform, c.var.caller, c.req.param('guid')), c.var.base)),
  );

  api.patch('/v3/spaces/:guid', async (c) => {
    const wanted = await parseBody(c, changedSpace);
    const space = await readSpace(platform, c.var.caller, c.req.param('guid'));
    const { name } = wanted;
    const change = (current: CfSpace) => changedPlace(current, wanted, labels.spaceName);
    const patched =
      name === undefined || name === space.spec.displayName
        ? await patchAs(platform, c.var.caller, cfSpace, space, change, 'Space')
        : await renameUnique(platform, c.var.caller, cfSpace, space, 'Space', {
            ...uniqueName(platform, space.metadata.namespace ?? '', name),
            change,
            back: (before) => changedPlace(before, { name: before.spec.displayName }, labels.spaceName),
          });
    return c.json(presentSpace(patched, c.var.base));
  });

  api.delete('/v3/spaces/:guid', async (c) => {
    const space = await readSpace(platform, c.var.caller, c.req.param('guid'));
    await deleteAs(c.var.caller, cfSpace, space, 'Space');
    return jobOf(c, 'space.delete', space);
  });

  api.delete('/v3/spaces/:guid/routes', async (c) => {
    const { caller } = c.var;
    const space = await readSpace(platform, caller, c.req.param('guid'));
    if (c.req.query('unmapped') !== 'true') {
      throw unprocessable(
        "Mass delete not supported for routes. Use 'unmapped=true' parameter to delete all unmapped routes.",
      );
    }
    const inSpace = { spaces: [space.metadata.name ?? ''], labels: { [labels.unmapped]: ['true'] } };
    const found = await listAs<CfRoute>(platform, caller, cfRoute, inSpace);
    const unmapped = found.filter(({ spec }) => (spec.destinations ?? []).length === 0);
    await bounded(unmapped, 8, (route) => deleteAs(caller, cfRoute, route, 'Route'));
    return jobOf(c, 'space.delete_unmapped_routes', space);
  });

  api.get('/v3/spaces/:guid/features/ssh', async (c) => {
    await readSpace(platform, c.var.caller, c.req.param('guid'));
    return c.json({ name: 'ssh', description: 'Enable SSHing into apps in the space.', enabled: false });
  });

  for (const groups of ['running_security_groups', 'staging_security_groups']) {
    api.get(`/v3/spaces/:guid/${groups}`, async (c) => {
      await readSpace(platform, c.var.caller, c.req.param('guid') ?? '');
      return c.json(emptyList(c));
    });
  }

  api.get('/v3/spaces/:guid/relationships/isolation_segment', async (c) => {
    await readSpace(platform, c.var.caller, c.req.param('guid'));
    return c.json({ data: null });
  });
};

/** A space in which the caller has a role. */
export async function readSpace(platform: Platform, caller: Caller, guid: string): Promise<CfSpace> {
  const known = platform.directory.spaces(caller).find((space) => space.guid === guid);
  if (!known) throw notFound('Space');
  return await readIn<CfSpace>(caller, cfSpace, { namespace: known.orgGuid, name: guid }, 'Space');
}

/** Spaces in which the caller has a role, as he may read them: one list per organization. */
async function visibleSpaces(
  platform: Platform,
  caller: Caller,
  orgs: readonly string[] | undefined,
): Promise<readonly CfSpace[]> {
  const chosen = orgs && new Set(orgs);
  const refs = platform.directory.spaces(caller).filter(({ orgGuid }) => !chosen || chosen.has(orgGuid));
  const visible = new Set(refs.map(({ guid }) => guid));
  const found = await bounded([...new Set(refs.map(({ orgGuid }) => orgGuid))], 8, async (namespace) => {
    try {
      return (await caller.client.resource<CfSpace>(cfSpace.type).list({ namespace })).items;
    } catch (error) {
      if (isKubeError(error, 'forbidden')) return [];
      throw cfErrorOf(error, { verb: 'read', label: 'Space' });
    }
  });
  return found.flat().filter(({ metadata }) => visible.has(metadata.name ?? ''));
}

async function spacesOf({ client }: Platform, namespace: string): Promise<readonly CfSpace[]> {
  return (await client.resource<CfSpace>(cfSpace.type).list({ namespace })).items;
}

/** Names are unique in an organization, whatever their case. */
function uniqueName(platform: Platform, namespace: string, name: string): Uniqueness<CfSpace> {
  return {
    key: `${namespace}/${name.toLowerCase()}`,
    others: () => spacesOf(platform, namespace),
    isSame: ({ spec }) => spec.displayName.toLowerCase() === name.toLowerCase(),
    error: () => unprocessable(`Space '${name}' already exists. Name must be unique per organization.`),
  };
}
