import { kinds } from '../../kube/kinds.ts';
import { finalizers, labels } from '../keys.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfPackage, type CfPackageSpec, cfPackage } from '../resources/cf-package.ts';
import { CfError, notFound, unprocessable } from './cf-error.ts';
import { pullSecret } from './docker-credentials.ts';
import { listQuery, paged } from './list.ts';
import { listAs } from './list-as.ts';
import { newObject } from './new-object.ts';
import { metadataPatch } from './payload/metadata-patch.ts';
import { changedPackage, type NewPackage, newPackage } from './payload/package.ts';
import { parseBody } from './payload/parse-body.ts';
import type { Caller, CfContext, CfRoutes, Platform } from './platform.ts';
import { packageState, presentPackage } from './present/package.ts';
import { createAs, deleteAs, patchAs, readAs } from './read-as.ts';
import { spacesOfApps } from './spaces-of-apps.ts';

const label = 'Package';
const keys = ['guids', 'app_guids', 'states', 'order_by', 'per_page', 'page'];

/** Why files cannot be uploaded, and what can be done instead. */
const noUpload =
  'Uploading files is not supported: there is no builder here that would make an image of them. ' +
  'Build an image and push that: cf push APP --docker-image IMAGE';

/** `/v3/packages` and the packages of an app. */
export const packageRoutes: CfRoutes = (api, platform) => {
  api.post('/v3/packages', async (c) => {
    const asked = await parseBody(c, newPackage);
    const app = await appOf(platform, c.var.caller, asked.relationships.app.data.guid);
    return c.json(presentPackage(await makePackage(platform, c.var.caller, app, asked), c.var.base), 201);
  });

  api.get('/v3/packages', async (c) => c.json(await packageList(platform, c)));

  api.get('/v3/apps/:guid/packages', async (c) => {
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid'), 'App');
    return c.json(await packageList(platform, c, app));
  });

  api.get('/v3/packages/:guid', async (c) => {
    const found = await readAs<CfPackage>(platform, c.var.caller, cfPackage, c.req.param('guid'), label);
    return c.json(presentPackage(found, c.var.base));
  });

  api.patch('/v3/packages/:guid', async (c) => {
    const patch = metadataPatch((await parseBody(c, changedPackage)).metadata);
    const found = await readAs<CfPackage>(platform, c.var.caller, cfPackage, c.req.param('guid'), label);
    const patched = await patchAs(platform, c.var.caller, cfPackage, found, () => patch, label);
    return c.json(presentPackage(patched, c.var.base));
  });

  api.post('/v3/packages/:guid/upload', async (c) => {
    await readAs(platform, c.var.caller, cfPackage, c.req.param('guid'), label);
    throw unprocessable(noUpload);
  });

  api.post('/v3/resource_matches', () => {
    throw unprocessable(noUpload);
  });
};

/** The app that a request refers to. @throws CfError 422: it is not what the path names, so it is not "not found" */
async function appOf(platform: Platform, caller: Caller, guid: string): Promise<CfApp> {
  try {
    const app = await readAs<CfApp>(platform, caller, cfApp, guid, 'App');
    if (app.metadata.deletionTimestamp) throw notFound('App');
    return app;
  } catch (error) {
    if (error instanceof CfError && error.status === 404) {
      throw unprocessable('App is invalid. Ensure it exists and you have access to it.');
    }
    throw error;
  }
}

async function makePackage(platform: Platform, caller: Caller, app: CfApp, asked: NewPackage): Promise<CfPackage> {
  const { name: appGuid = '', namespace = '' } = app.metadata;
  if ((asked.type === 'docker') !== (app.spec.lifecycle.type === 'docker')) {
    throw unprocessable(`Cannot create ${asked.type} package for a ${app.spec.lifecycle.type} app.`);
  }
  metadataPatch(asked.metadata);
  const { image, username, password } = asked.data ?? {};
  const credentials = image && username && password ? { image, username, password } : undefined;
  const guid = platform.random.uuid();
  const spec: CfPackageSpec = {
    type: asked.type,
    appRef: { name: appGuid },
    ...(image && {
      source: { registry: { image, ...(credentials && { imagePullSecrets: [{ name: guid }] }) } },
    }),
  };
  const state = packageState({ spec });
  const made = newObject(platform, cfPackage, {
    guid,
    namespace,
    labels: {
      [labels.spaceGuid]: namespace,
      [labels.appGuid]: appGuid,
      [labels.packageState]: state,
    },
    metadata: asked.metadata,
    finalizers: [finalizers.package],
    spec,
  });
  const created = await createAs<CfPackage>(platform, caller, cfPackage, made, label);
  if (!credentials) return created;
  // After the package, which it belongs to: nobody stages the package before this request is answered.
  try {
    await createAs(platform, caller, { type: kinds.secrets }, pullSecret(created, credentials), 'Secret');
    return created;
  } catch (error) {
    // A package that cannot be pulled would be the newest one, and the next restage would take it.
    await deleteAs(caller, cfPackage, created, label).catch(() => undefined);
    throw error;
  }
}

async function packageList(platform: Platform, c: CfContext, app?: CfApp): Promise<object> {
  const query = listQuery<CfPackage>(c, { keys, also: ['types', 'label_selector'] });
  const apps = app ? [app.metadata.name ?? ''] : query.values('app_guids');
  const [states, types] = [query.values('states'), query.values('types')];
  const found = await listAs<CfPackage>(platform, c.var.caller, cfPackage, {
    spaces: app ? [app.metadata.namespace ?? ''] : await spacesOfApps(platform, c.var.caller, apps),
    labels: { [labels.appGuid]: apps },
  });
  const wanted = found.filter(
    (one) => (!states || states.includes(packageState(one))) && (!types || types.includes(one.spec.type)),
  );
  return paged(c, query, wanted, (one) => presentPackage(one, c.var.base));
}
