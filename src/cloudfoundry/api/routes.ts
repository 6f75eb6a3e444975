import type { KubeObject } from '../../kube/object.ts';
import { labels } from '../keys.ts';
import { labelHash } from '../names.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfDomain, cfDomain } from '../resources/cf-domain.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import { CfError, invalidRelation } from './cf-error.ts';
import { createRoute } from './create-route.ts';
import { readDomain } from './domains.ts';
import { jobOf } from './jobs.ts';
import { type ListRules, listQuery, paged } from './list.ts';
import { type ListScope, listAs } from './list-as.ts';
import { metadataPatch } from './payload/metadata-patch.ts';
import { parseBody } from './payload/parse-body.ts';
import { changedRoute, newRoute } from './payload/route.ts';
import type { CfContext, CfRoutes, Platform } from './platform.ts';
import { presentDomain } from './present/domain.ts';
import { domainNames, presentRoute } from './present/route.ts';
import { deleteAs, patchAs, readAs } from './read-as.ts';
import { listRoot } from './root-namespace.ts';
import { spacesOfApps } from './spaces-of-apps.ts';

const rules: ListRules<CfRoute> = {
  keys: ['app_guids', 'space_guids', 'domain_guids', 'hosts', 'paths', 'order_by', 'per_page', 'page'],
  also: ['guids', 'label_selector', 'organization_guids', 'include'],
};

/** Routes: addresses, and to which apps they lead. */
export const routes: CfRoutes = (api, platform) => {
  api.post('/v3/routes', async (c) => {
    const { host, path, relationships, metadata } = await parseBody(c, newRoute);
    const space = relationships.space.data.guid;
    if (!platform.directory.spaces(c.var.caller).some(({ guid }) => guid === space)) throw invalidRelation('space');
    const domain = await readDomain(platform, c.var.caller, relationships.domain.data.guid).catch(asRelation('domain'));
    const created = await createRoute(platform, c.var.caller, { domain, space, host, path, metadata });
    return c.json(presentRoute(created, domain.spec.name, c.var.base), 201);
  });

  api.get('/v3/routes', async (c) => {
    const query = listQuery(c, rules);
    const orgs = query.values('organization_guids');
    const inOrgs = orgs && platform.directory.spaces(c.var.caller).filter(({ orgGuid }) => orgs.includes(orgGuid));
    const spaces =
      query.values('space_guids') ??
      inOrgs?.map(({ guid }) => guid) ??
      (await spacesOfApps(platform, c.var.caller, query.values('app_guids')));
    return await listed(platform, c, { spaces });
  });

  api.get('/v3/apps/:guid/routes', async (c) => {
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid'), 'App');
    const { name = '', namespace = '' } = app.metadata;
    return await listed(platform, c, { spaces: [namespace] }, [name]);
  });

  api.get('/v3/routes/:guid', async (c) => {
    const route = await readRoute(platform, c, c.req.param('guid'));
    return c.json(presentRoute(route, await domainNameOf(platform, c, route), c.var.base));
  });

  api.patch('/v3/routes/:guid', async (c) => {
    const { metadata } = await parseBody(c, changedRoute);
    const route = await readRoute(platform, c, c.req.param('guid'));
    const decide = (current: KubeObject) => metadataPatch(metadata, current.metadata);
    const patched = await patchAs(platform, c.var.caller, cfRoute, route, decide, 'Route');
    return c.json(presentRoute(patched, await domainNameOf(platform, c, patched), c.var.base));
  });

  api.delete('/v3/routes/:guid', async (c) => {
    const route = await readRoute(platform, c, c.req.param('guid'));
    await deleteAs(c.var.caller, cfRoute, route, 'Route');
    return jobOf(c, 'route.delete', route);
  });
};

/** Routes of the scope that the query asks for; `apps` narrows it to those that lead to one of them. */
async function listed(platform: Platform, c: CfContext, scope: ListScope, apps?: readonly string[]): Promise<Response> {
  const query = listQuery(c, rules);
  const wanted = apps ?? query.values('app_guids');
  const domains = query.values('domain_guids');
  const [hosts, paths] = [orNone(query.values('hosts')), orNone(query.values('paths'))];
  const found = await listAs<CfRoute>(platform, c.var.caller, cfRoute, {
    ...scope,
    labels: { [labels.domainGuid]: domains, [labels.routePath]: pathHashes(paths) },
  });
  const matching = found.filter(
    ({ spec }) =>
      (!wanted || (spec.destinations ?? []).some(({ appRef }) => wanted.includes(appRef.name ?? ''))) &&
      (!hosts || hosts.includes(spec.host ?? '')) &&
      (!paths || paths.includes(spec.path ?? '')),
  );
  const known = await listRoot<CfDomain>(platform, c.var.caller, cfDomain);
  const nameOf = domainNames(known);
  const included = (shown: readonly CfRoute[]): object | undefined => {
    if (!query.values('include')?.includes('domain')) return undefined;
    const needed = new Set(shown.map(({ spec }) => spec.domainRef.name));
    const theirs = known.filter(({ metadata }) => needed.has(metadata.name));
    return { domains: theirs.map((domain) => presentDomain(domain, c.var.base)) };
  };
  return c.json(paged(c, query, matching, (route) => presentRoute(route, nameOf(route), c.var.base), included));
}

/** `paths=` asks for routes without a path. */
function orNone(values: readonly string[] | undefined): readonly string[] | undefined {
  return values?.length === 0 ? [''] : values;
}

/** A route without a path has no label for it: then paths are compared here alone. */
function pathHashes(paths: readonly string[] | undefined): readonly string[] | undefined {
  return paths?.includes('') ? undefined : paths?.map(labelHash);
}

export async function readRoute(platform: Platform, c: CfContext, guid: string): Promise<CfRoute> {
  return await readAs<CfRoute>(platform, c.var.caller, cfRoute, guid, 'Route');
}

async function domainNameOf(platform: Platform, c: CfContext, { spec }: CfRoute): Promise<string> {
  const domain = await readDomain(platform, c.var.caller, spec.domainRef.name ?? '').catch(() => undefined);
  return domain?.spec.name ?? '';
}

/** What the request refers to must be there: that it is not is a fault of the request. */
function asRelation(what: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof CfError && error.status === 404 ? invalidRelation(what) : error;
  };
}
