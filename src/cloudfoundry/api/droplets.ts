import { labels } from '../keys.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfBuild, cfBuild } from '../resources/cf-build.ts';
import { type CfPackage, cfPackage } from '../resources/cf-package.ts';
import { notFound } from './cf-error.ts';
import { type ListQuery, listQuery, paged } from './list.ts';
import { listAs } from './list-as.ts';
import { changedBuild } from './payload/build.ts';
import { metadataPatch } from './payload/metadata-patch.ts';
import { parseBody } from './payload/parse-body.ts';
import type { Caller, CfContext, CfRoutes, Platform } from './platform.ts';
import { buildState } from './present/build.ts';
import { presentDroplet } from './present/droplet.ts';
import { patchAs, readAs } from './read-as.ts';
import { spacesOfApps } from './spaces-of-apps.ts';

const label = 'Droplet';
const keys = ['guids', 'app_guids', 'space_guids', 'order_by', 'per_page', 'page'];
const also = ['states', 'package_guids', 'label_selector'];

/** Which droplets: those of one app or package, or what the query says. */
interface Scope {
  readonly spaces?: readonly string[] | undefined;
  readonly apps?: readonly string[] | undefined;
  readonly packages?: readonly string[] | undefined;
}

/**
 * `/v3/droplets`, and the droplets of apps and packages. A droplet is what a build gave, under the same GUID: a build that is
 * not STAGED has none.
 */
export const dropletRoutes: CfRoutes = (api, platform) => {
  api.get('/v3/droplets', async (c) => {
    const query = listQuery<CfBuild>(c, { keys, also });
    const [apps, spaces] = [query.values('app_guids'), query.values('space_guids')];
    const scope = { apps, packages: query.values('package_guids') };
    const looked = spaces ?? (await spacesOfApps(platform, c.var.caller, apps));
    return c.json(await dropletList(platform, c, query, { ...scope, spaces: looked }));
  });

  api.get('/v3/apps/:guid/droplets', async (c) => {
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid'), 'App');
    const query = listQuery<CfBuild>(c, {
      keys: ['guids', 'states', 'order_by', 'per_page', 'page'],
      also: [...also, 'current'],
    });
    const current = new URL(c.req.url).searchParams.get('current') === 'true';
    const scope = { spaces: [app.metadata.namespace ?? ''], apps: [app.metadata.name ?? ''] };
    return c.json(
      await dropletList(platform, c, query, scope, current ? (app.spec.currentDropletRef?.name ?? '') : undefined),
    );
  });

  api.get('/v3/packages/:guid/droplets', async (c) => {
    const source = await readAs<CfPackage>(platform, c.var.caller, cfPackage, c.req.param('guid'), 'Package');
    const query = listQuery<CfBuild>(c, { keys: ['states', 'per_page', 'page'], also: [...also, 'guids', 'order_by'] });
    const scope = { spaces: [source.metadata.namespace ?? ''], packages: [source.metadata.name ?? ''] };
    return c.json(await dropletList(platform, c, query, scope));
  });

  api.get('/v3/droplets/:guid', async (c) => {
    return c.json(presentDroplet(await dropletOf(platform, c.var.caller, c.req.param('guid')), c.var.base));
  });

  api.patch('/v3/droplets/:guid', async (c) => {
    const patch = metadataPatch((await parseBody(c, changedBuild)).metadata);
    const build = await dropletOf(platform, c.var.caller, c.req.param('guid'));
    const patched = await patchAs(platform, c.var.caller, cfBuild, build, () => patch, label);
    return c.json(presentDroplet(patched, c.var.base));
  });
};

async function dropletOf(platform: Platform, caller: Caller, guid: string): Promise<CfBuild> {
  return staged(await readAs<CfBuild>(platform, caller, cfBuild, guid, label));
}

function staged(build: CfBuild): CfBuild {
  if (buildState(build) !== 'STAGED') throw notFound(label);
  return build;
}

async function dropletList(
  platform: Platform,
  c: CfContext,
  query: ListQuery<CfBuild>,
  { spaces, apps, packages }: Scope,
  only?: string,
): Promise<object> {
  const states = query.values('states');
  const found = await listAs<CfBuild>(platform, c.var.caller, cfBuild, {
    spaces,
    labels: { [labels.appGuid]: apps, [labels.packageGuid]: packages },
  });
  const wanted = found.filter(
    (build) =>
      buildState(build) === 'STAGED' &&
      (!states || states.includes('STAGED')) &&
      (only === undefined || build.metadata.name === only),
  );
  return paged(c, query, wanted, (build) => presentDroplet(build, c.var.base));
}
