import { orgFurnishing } from '../decide/furnishings.ts';
import { labels } from '../keys.ts';
import { type CfDomain, cfDomain } from '../resources/cf-domain.ts';
import { type CfOrg, cfOrg } from '../resources/cf-org.ts';
import { cfSpace } from '../resources/cf-space.ts';
import { notFound, unprocessable } from './cf-error.ts';
import { changedPlace } from './change/place.ts';
import { createUnique, renameUnique, type Uniqueness } from './create-unique.ts';
import { domainRules } from './domains.ts';
import { jobOf } from './jobs.ts';
import { type ListRules, listQuery, paged } from './list.ts';
import { newFurnished } from './new-furnished.ts';
import { parseBody } from './payload/parse-body.ts';
import { changedOrganization, newOrganization } from './payload/place.ts';
import type { Caller, CfRoutes, Platform } from './platform.ts';
import { presentDomain } from './present/domain.ts';
import { presentOrganization } from './present/organization.ts';
import { deleteAs, patchAs, readIn } from './read-as.ts';
import { listRoot } from './root-namespace.ts';
import { untilUsable } from './until-usable.ts';
import { warn } from './warn.ts';

const rules: ListRules<CfOrg> = {
  keys: ['names', 'order_by', 'per_page', 'page'],
  also: ['guids', 'label_selector'],
  orderBy: { name: ({ spec }) => spec.displayName },
};

/** Organizations. A caller sees those in which he has a role. */
export const organizations: CfRoutes = (api, platform) => {
  const { rootNamespace: namespace } = platform.settings;

  api.post('/v3/organizations', async (c) => {
    const { caller } = c.var;
    const { name, metadata } = await parseBody(c, newOrganization);
    const org = newFurnished<CfOrg, CfOrg['spec']>(
      platform,
      cfOrg,
      { namespace, metadata, spec: { displayName: name } },
      orgFurnishing,
    );
    const created = await createUnique(platform, caller, cfOrg, org, 'Organization', uniqueName(platform, name));
    const guid = created.metadata.name ?? '';
    const { place, usable } = await untilUsable(platform, caller, cfOrg, created, {
      type: cfSpace.type,
      isKnown: () => platform.directory.orgs(caller).includes(guid),
    });
    if (!usable) warn(c, `Organization '${name}' is created, but cannot be used yet. Look at CFOrg ${guid}.`);
    return c.json(presentOrganization(place, c.var.base), 201);
  });

  api.get('/v3/organizations', async (c) => {
    const query = listQuery(c, rules);
    const names = query.values('names');
    const found = await visibleOrgs(platform, c.var.caller);
    const wanted = names ? found.filter(({ spec }) => names.includes(spec.displayName)) : found;
    return c.json(paged(c, query, wanted, (org) => presentOrganization(org, c.var.base)));
  });

  api.get('/v3/organizations/:guid', async (c) =>
    c.json(presentOrganization(await readOrg(platform, c.var.caller, c.req.param('guid')), c.var.base)),
  );

  api.patch('/v3/organizations/:guid', async (c) => {
    const wanted = await parseBody(c, changedOrganization);
    const org = await readOrg(platform, c.var.caller, c.req.param('guid'));
    const { name } = wanted;
    const change = (current: CfOrg) => changedPlace(current, wanted, labels.orgName);
    const patched =
      name === undefined || name === org.spec.displayName
        ? await patchAs(platform, c.var.caller, cfOrg, org, change, 'Org')
        : await renameUnique(platform, c.var.caller, cfOrg, org, 'Org', {
            ...uniqueName(platform, name),
            change,
            back: (before) => changedPlace(before, { name: before.spec.displayName }, labels.orgName),
          });
    return c.json(presentOrganization(patched, c.var.base));
  });

  api.delete('/v3/organizations/:guid', async (c) => {
    const org = await readOrg(platform, c.var.caller, c.req.param('guid'));
    await deleteAs(c.var.caller, cfOrg, org, 'Org');
    return jobOf(c, 'org.delete', org);
  });

  api.get('/v3/organizations/:guid/domains', async (c) => {
    const query = listQuery(c, domainRules);
    await readOrg(platform, c.var.caller, c.req.param('guid'));
    const names = query.values('names');
    const found = await listRoot<CfDomain>(platform, c.var.caller, cfDomain);
    const wanted = names ? found.filter(({ spec }) => names.includes(spec.name)) : found;
    return c.json(paged(c, query, wanted, (domain) => presentDomain(domain, c.var.base)));
  });

  api.get('/v3/organizations/:guid/domains/default', async (c) => {
    await readOrg(platform, c.var.caller, c.req.param('guid'));
    const { defaultDomain } = platform.settings;
    const found = await listRoot<CfDomain>(platform, c.var.caller, cfDomain);
    const domain = found.find(({ spec }) => spec.name === defaultDomain);
    if (!domain) throw notFound('Domain');
    return c.json(presentDomain(domain, c.var.base));
  });

  api.get('/v3/organizations/:guid/relationships/default_isolation_segment', async (c) => {
    await readOrg(platform, c.var.caller, c.req.param('guid'));
    return c.json({});
  });
};

/** Organizations in which the caller has a role, as he may read them. */
export async function visibleOrgs(platform: Platform, caller: Caller): Promise<readonly CfOrg[]> {
  const visible = new Set(platform.directory.orgs(caller));
  if (visible.size === 0) return [];
  const found = await listRoot<CfOrg>(platform, caller, cfOrg);
  return found.filter(({ metadata }) => visible.has(metadata.name ?? ''));
}

/** An organization in which the caller has a role. Everybody may read the root namespace: that alone shows nothing. */
export async function readOrg(platform: Platform, caller: Caller, guid: string): Promise<CfOrg> {
  if (!platform.directory.orgs(caller).includes(guid)) throw notFound('Org');
  return await readIn<CfOrg>(caller, cfOrg, { namespace: platform.settings.rootNamespace, name: guid }, 'Org');
}

async function allOrgs({ client, settings }: Platform): Promise<readonly CfOrg[]> {
  return (await client.resource<CfOrg>(cfOrg.type).list({ namespace: settings.rootNamespace })).items;
}

/** Names are unique, whatever their case. */
function uniqueName(platform: Platform, name: string): Uniqueness<CfOrg> {
  return {
    key: name.toLowerCase(),
    others: () => allOrgs(platform),
    isSame: ({ spec }) => spec.displayName.toLowerCase() === name.toLowerCase(),
    error: () => unprocessable(`Organization '${name}' already exists.`),
  };
}
