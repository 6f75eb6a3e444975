import { labels } from '../keys.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfBuild, type CfBuildSpec, cfBuild } from '../resources/cf-build.ts';
import { type CfPackage, cfPackage } from '../resources/cf-package.ts';
import { CfError, notFound, unprocessable } from './cf-error.ts';
import { listQuery, paged } from './list.ts';
import { listAs } from './list-as.ts';
import { newObject } from './new-object.ts';
import { changedBuild, type NewBuild, newBuild } from './payload/build.ts';
import { metadataPatch } from './payload/metadata-patch.ts';
import { parseBody } from './payload/parse-body.ts';
import type { Caller, CfContext, CfRoutes, Platform } from './platform.ts';
import { buildState, presentBuild } from './present/build.ts';
import { packageState } from './present/package.ts';
import { createAs, patchAs, readAs, readIn } from './read-as.ts';
import { spacesOfApps } from './spaces-of-apps.ts';

const label = 'Build';
const keys = ['package_guids', 'app_guids', 'states', 'order_by', 'per_page', 'page'];

/** `/v3/builds` and the builds of an app. */
export const buildRoutes: CfRoutes = (api, platform) => {
  api.post('/v3/builds', async (c) => {
    const asked = await parseBody(c, newBuild);
    const source = await packageOf(platform, c.var.caller, asked.package.guid);
    const app = await appOf(c.var.caller, source);
    return c.json(presentBuild(await stage(platform, c.var.caller, app, source, asked), c.var.base), 201);
  });

  api.get('/v3/builds', async (c) => c.json(await buildList(platform, c)));

  api.get('/v3/apps/:guid/builds', async (c) => {
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid'), 'App');
    return c.json(await buildList(platform, c, app));
  });

  api.get('/v3/builds/:guid', async (c) => {
    const build = await readAs<CfBuild>(platform, c.var.caller, cfBuild, c.req.param('guid'), label);
    return c.json(presentBuild(build, c.var.base));
  });

  api.patch('/v3/builds/:guid', async (c) => {
    const patch = metadataPatch((await parseBody(c, changedBuild)).metadata);
    const build = await readAs<CfBuild>(platform, c.var.caller, cfBuild, c.req.param('guid'), label);
    const patched = await patchAs(platform, c.var.caller, cfBuild, build, () => patch, label);
    return c.json(presentBuild(patched, c.var.base));
  });
};

const unusable = 'Unable to use package. Ensure that the package exists and you have access to it.';

async function packageOf(platform: Platform, caller: Caller, guid: string): Promise<CfPackage> {
  try {
    return await readAs<CfPackage>(platform, caller, cfPackage, guid, 'Package');
  } catch (error) {
    if (error instanceof CfError && error.status === 404) throw unprocessable(unusable);
    throw error;
  }
}

async function appOf(caller: Caller, { metadata, spec }: CfPackage): Promise<CfApp> {
  const name = { namespace: metadata.namespace ?? '', name: spec.appRef.name ?? '' };
  try {
    const app = await readIn<CfApp>(caller, cfApp, name, 'App');
    if (app.metadata.deletionTimestamp) throw notFound('App');
    return app;
  } catch (error) {
    if (error instanceof CfError && error.status === 404) throw unprocessable(unusable);
    throw error;
  }
}

/**
 * Begins to stage. A package that waits for its files is refused: its build would stage for ever.
 * @throws CfError 422
 */
async function stage(
  platform: Platform,
  caller: Caller,
  app: CfApp,
  source: CfPackage,
  asked: NewBuild,
): Promise<CfBuild> {
  if (packageState(source) !== 'READY') throw unprocessable('Cannot stage package whose state is not ready.');
  const type = source.spec.type === 'docker' ? 'docker' : 'buildpack';
  if (asked.lifecycle && asked.lifecycle.type !== type) {
    throw unprocessable(`Cannot stage a ${source.spec.type} package with the lifecycle "${asked.lifecycle.type}".`);
  }
  metadataPatch(asked.metadata);
  const { name: appGuid = '', namespace = '' } = app.metadata;
  const { name: packageGuid = '' } = source.metadata;
  const { buildpacks, stack } = { ...app.spec.lifecycle.data, ...withoutNulls(asked.lifecycle?.data) };
  const guid = platform.random.uuid();
  const spec: CfBuildSpec = {
    packageRef: { name: packageGuid },
    appRef: { name: appGuid },
    stagingMemoryMB: asked.staging_memory_in_mb ?? 0,
    stagingDiskMB: asked.staging_disk_in_mb ?? 0,
    lifecycle: { type, data: { ...(buildpacks?.length && { buildpacks }), stack: stack ?? '' } },
  };
  const build = newObject(platform, cfBuild, {
    guid,
    namespace,
    labels: {
      [labels.spaceGuid]: namespace,
      [labels.appGuid]: appGuid,
      [labels.packageGuid]: packageGuid,
      [labels.dropletGuid]: guid,
    },
    metadata: asked.metadata,
    spec,
  });
  return createAs<CfBuild>(platform, caller, cfBuild, build, label);
}

type LifecycleData = NonNullable<CfBuildSpec['lifecycle']['data']>;

function withoutNulls(data: NonNullable<NewBuild['lifecycle']>['data']): LifecycleData {
  return { ...(data?.buildpacks && { buildpacks: data.buildpacks }), ...(data?.stack && { stack: data.stack }) };
}

async function buildList(platform: Platform, c: CfContext, app?: CfApp): Promise<object> {
  const query = listQuery<CfBuild>(c, { keys, also: ['guids', 'label_selector'] });
  const apps = app ? [app.metadata.name ?? ''] : query.values('app_guids');
  const states = query.values('states');
  const found = await listAs<CfBuild>(platform, c.var.caller, cfBuild, {
    spaces: app ? [app.metadata.namespace ?? ''] : await spacesOfApps(platform, c.var.caller, apps),
    labels: { [labels.appGuid]: apps, [labels.packageGuid]: query.values('package_guids') },
  });
  const wanted = found.filter((build) => !states || states.includes(buildState(build)));
  return paged(c, query, wanted, (build) => presentBuild(build, c.var.base));
}
