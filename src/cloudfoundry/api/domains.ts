import type { KubeObject } from '../../kube/object.ts';
import { domainFurnishing } from '../decide/furnishings.ts';
import { type CfDomain, cfDomain } from '../resources/cf-domain.ts';
import { unprocessable } from './cf-error.ts';
import { createUnique } from './create-unique.ts';
import { jobOf } from './jobs.ts';
import { type ListRules, listQuery, paged } from './list.ts';
import { newFurnished } from './new-furnished.ts';
import { changedDomain, newDomain } from './payload/domain.ts';
import { metadataPatch } from './payload/metadata-patch.ts';
import { parseBody } from './payload/parse-body.ts';
import type { Caller, CfRoutes, Platform } from './platform.ts';
import { presentDomain } from './present/domain.ts';
import { deleteAs, patchAs, readIn } from './read-as.ts';
import { listRoot } from './root-namespace.ts';
import { routesLike } from './routes-like.ts';

export const domainRules: ListRules<CfDomain> = {
  keys: ['names', 'order_by', 'per_page', 'page'],
  also: ['guids', 'label_selector', 'organization_guids'],
  orderBy: { name: ({ spec }) => spec.name },
};

/** Domains: of the root namespace, and shared by all. */
export const domains: CfRoutes = (api, platform) => {
  api.post('/v3/domains', async (c) => {
    const { name, relationships, internal, metadata } = await parseBody(c, newDomain);
    if (relationships !== undefined && relationships !== null) {
      throw unprocessable('Private domains are not supported: every domain is shared. Leave relationships out.');
    }
    if (internal === true) throw unprocessable('Internal domains are not supported.');
    const namespace = platform.settings.rootNamespace;
    const domain = newFurnished<CfDomain, CfDomain['spec']>(
      platform,
      cfDomain,
      { namespace, metadata, spec: { name } },
      domainFurnishing,
    );
    const created = await createUnique(platform, c.var.caller, cfDomain, domain, 'Domain', {
      key: 'all: any two could overlap',
      others: async () => (await platform.client.resource<CfDomain>(cfDomain.type).list({ namespace })).items,
      isSame: ({ spec }) => overlap(spec.name.toLowerCase(), name.toLowerCase()),
      error: () => unprocessable('Overlapping domain exists'),
    });
    return c.json(presentDomain(created, c.var.base), 201);
  });

  api.get('/v3/domains', async (c) => {
    const query = listQuery(c, domainRules);
    const names = query.values('names');
    const found = await listRoot<CfDomain>(platform, c.var.caller, cfDomain);
    const wanted = names ? found.filter(({ spec }) => names.includes(spec.name)) : found;
    return c.json(paged(c, query, wanted, (domain) => presentDomain(domain, c.var.base)));
  });

  api.get('/v3/domains/:guid', async (c) =>
    c.json(presentDomain(await readDomain(platform, c.var.caller, c.req.param('guid')), c.var.base)),
  );

  api.patch('/v3/domains/:guid', async (c) => {
    const { metadata } = await parseBody(c, changedDomain);
    const domain = await readDomain(platform, c.var.caller, c.req.param('guid'));
    const decide = (current: KubeObject) => metadataPatch(metadata, current.metadata);
    const patched = await patchAs(platform, c.var.caller, cfDomain, domain, decide, 'Domain');
    return c.json(presentDomain(patched, c.var.base));
  });

  api.delete('/v3/domains/:guid', async (c) => {
    const domain = await readDomain(platform, c.var.caller, c.req.param('guid'));
    await deleteAs(c.var.caller, cfDomain, domain, 'Domain');
    return jobOf(c, 'domain.delete', domain);
  });

  api.get('/v3/domains/:guid/route_reservations', async (c) => {
    const domain = await readDomain(platform, c.var.caller, c.req.param('guid'));
    const wanted = { domain: domain.metadata.name ?? '', host: c.req.query('host'), path: c.req.query('path') };
    return c.json({ matching_route: (await routesLike(platform, wanted)).length > 0 });
  });
};

export async function readDomain(platform: Platform, caller: Caller, guid: string): Promise<CfDomain> {
  return await readIn<CfDomain>(caller, cfDomain, { namespace: platform.settings.rootNamespace, name: guid }, 'Domain');
}

/** Whether one is the other, or within it. */
function overlap(a: string, b: string): boolean {
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}
