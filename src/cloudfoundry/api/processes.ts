import type { JsonObject } from '../../kube/object.ts';
import { labels } from '../keys.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfProcess, cfProcess } from '../resources/cf-process.ts';
import { askedSpaces } from './asked-spaces.ts';
import { unprocessable } from './cf-error.ts';
import { changedProcess as changeOf, scaled } from './change/process.ts';
import { deploymentInFlight } from './deployment-in-flight.ts';
import { processesOf, processOf } from './find-process.ts';
import { type ListRules, listQuery, paged } from './list.ts';
import { listAs } from './list-as.ts';
import { parseBody } from './payload/parse-body.ts';
import { changedProcess, scale } from './payload/process.ts';
import type { Caller, CfContext, CfRoutes, Platform } from './platform.ts';
import { presentListedProcess, presentProcess } from './present/process.ts';
import { presentInstances } from './present/stats.ts';
import { appOf } from './process-stats.ts';
import { patchAs, readAs } from './read-as.ts';
import { spacesOfApps } from './spaces-of-apps.ts';

const rules: ListRules<CfProcess> = {
  keys: ['app_guids', 'order_by', 'per_page', 'page'],
  also: ['guids', 'types', 'space_guids', 'organization_guids', 'label_selector', 'embed'],
};

/** Processes: find, change, scale. How their instances do is in `process-stats.ts`. */
export const processes: CfRoutes = (api, platform) => {
  const { clock, settings } = platform;

  api.get('/v3/processes', async (c) => {
    const { caller } = c.var;
    const query = listQuery(c, rules);
    const types = query.values('types');
    const spaces =
      askedSpaces(platform, caller, query) ?? (await spacesOfApps(platform, caller, query.values('app_guids')));
    const scope = {
      spaces,
      labels: { [labels.appGuid]: query.values('app_guids'), [labels.guid]: query.values('guids') },
    };
    const embed = query.values('embed')?.includes('process_instances') ?? false;
    const [found, apps] = await Promise.all([
      listAs<CfProcess>(platform, caller, cfProcess, scope),
      embed ? appsOf(platform, caller, spaces, query.values('app_guids')) : new Map<string, CfApp>(),
    ]);
    const wanted = types ? found.filter(({ spec }) => types.includes(spec.processType)) : found;
    const present = (process: CfProcess): object => {
      const app = apps.get(`${process.metadata.namespace}/${process.spec.appRef.name}`);
      return {
        ...presentListedProcess(process, c.var.base, settings.process),
        ...(embed && { process_instances: app ? presentInstances(process, app, clock.now()) : [] }),
      };
    };
    return c.json(paged(c, query, wanted, present));
  });

  api.get('/v3/apps/:guid/processes', async (c) => {
    const query = listQuery(c, { ...rules, keys: ['order_by', 'per_page', 'page'] });
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid'), 'App');
    const types = query.values('types');
    const found = await processesOf(c.var.caller, app);
    const wanted = types ? found.filter(({ spec }) => types.includes(spec.processType)) : found;
    return c.json(paged(c, query, wanted, (one) => presentListedProcess(one, c.var.base, settings.process)));
  });

  const byGuid = (c: CfContext): Promise<CfProcess> =>
    readAs<CfProcess>(platform, c.var.caller, cfProcess, c.req.param('guid') ?? '', 'Process');
  const byType = async (c: CfContext): Promise<CfProcess> => {
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid') ?? '', 'App');
    return await processOf(c.var.caller, app, c.req.param('type') ?? '');
  };
  const shown = (c: CfContext, process: CfProcess): Response =>
    c.json(presentProcess(process, c.var.base, settings.process));
  const changed = async (c: CfContext, process: CfProcess, patch: JsonObject | undefined): Promise<Response> =>
    shown(c, await patchAs(platform, c.var.caller, cfProcess, process, () => patch, 'Process'));

  for (const [path, find] of [
    ['/v3/processes/:guid', byGuid],
    ['/v3/apps/:guid/processes/:type', byType],
  ] as const) {
    api.get(path, async (c: CfContext) => shown(c, await find(c)));

    api.patch(path, async (c: CfContext) => {
      const patch = changeOf(await parseBody(c, changedProcess));
      const process = await find(c);
      if (patch?.spec) await assertNotDeploying(platform, c.var.caller, process, 'update');
      return await changed(c, process, patch);
    });

    api.post(`${path}/actions/scale`, async (c: CfContext) => {
      const patch = scaled(await parseBody(c, scale));
      const process = await find(c);
      if (patch) await assertNotDeploying(platform, c.var.caller, process, 'scale');
      return await changed(c, process, patch);
    });
  }

  api.get('/v3/processes/:guid/sidecars', async (c) => {
    await byGuid(c);
    const href = `${c.var.base}${c.req.path}`;
    const pagination = {
      first: { href },
      last: { href },
      next: null,
      previous: null,
      total_pages: 1,
      total_results: 0,
    };
    return c.json({ pagination, resources: [] });
  });
};

/** All apps of the spaces, by `namespace/name`: one list per space, whatever the number of processes. */
async function appsOf(
  platform: Platform,
  caller: Caller,
  spaces: readonly string[] | undefined,
  guids: readonly string[] | undefined,
): Promise<ReadonlyMap<string, CfApp>> {
  const found = await listAs<CfApp>(platform, caller, cfApp, { spaces, labels: { [labels.guid]: guids } });
  return new Map(found.map((app) => [`${app.metadata.namespace}/${app.metadata.name}`, app]));
}

/** While it deploys, the web process is the deployment's. @throws CfError 422 */
async function assertNotDeploying(
  platform: Platform,
  caller: Caller,
  process: CfProcess,
  doing: 'scale' | 'update',
): Promise<void> {
  if (process.spec.processType !== 'web') return;
  if (await deploymentInFlight(platform, caller, await appOf(caller, process))) {
    throw unprocessable(`Cannot ${doing} this process while a deployment is in flight.`);
  }
}
