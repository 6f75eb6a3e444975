import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfProcess, cfProcess } from '../resources/cf-process.ts';
import { revisionsOf } from '../revision.ts';
import { processOf } from './find-process.ts';
import type { Caller, CfContext, CfRoutes } from './platform.ts';
import { podUsage } from './pod-usage.ts';
import { link } from './present/links.ts';
import { presentInstances, presentStats } from './present/stats.ts';
import { readAs, readIn } from './read-as.ts';

interface Found {
  readonly process: CfProcess;
  readonly app: CfApp;
}

/** How the instances of a process stand, and what they use. */
export const processStats: CfRoutes = (api, platform) => {
  const { clock, settings } = platform;
  const usageOf = podUsage(platform);

  const byGuid = async (c: CfContext): Promise<Found> => {
    const { caller } = c.var;
    const process = await readAs<CfProcess>(platform, caller, cfProcess, c.req.param('guid') ?? '', 'Process');
    return { process, app: await appOf(caller, process) };
  };
  const byType = async (c: CfContext): Promise<Found> => {
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid') ?? '', 'App');
    return { app, process: await processOf(c.var.caller, app, c.req.param('type') ?? '') };
  };

  const stats =
    (find: (c: CfContext) => Promise<Found>) =>
    async (c: CfContext): Promise<Response> => {
      const { process, app } = await find(c);
      const { name = '', namespace = '' } = process.metadata;
      const started = app.spec.desiredState === 'STARTED';
      const appRev = String(revisionsOf(app).appRev);
      const usage = started ? await usageOf({ namespace, process: name, appRev }) : new Map();
      return c.json(presentStats({ process, app, usage, defaults: settings.process, now: clock.now() }));
    };
  const instances =
    (find: (c: CfContext) => Promise<Found>) =>
    async (c: CfContext): Promise<Response> => {
      const { process, app } = await find(c);
      const self = `/v3/processes/${process.metadata.name}`;
      return c.json({
        resources: presentInstances(process, app, clock.now()),
        links: { self: link(c.var.base, `${self}/process_instances`), process: link(c.var.base, self) },
      });
    };

  api.get('/v3/processes/:guid/stats', stats(byGuid));
  api.get('/v3/apps/:guid/processes/:type/stats', stats(byType));
  api.get('/v3/processes/:guid/process_instances', instances(byGuid));
  api.get('/v3/apps/:guid/processes/:type/process_instances', instances(byType));
};

/** The app of a process, as the caller. @throws CfError 404: a process without an app is none */
export function appOf(caller: Caller, process: CfProcess): Promise<CfApp> {
  const { namespace = '' } = process.metadata;
  return readIn<CfApp>(caller, cfApp, { namespace, name: process.spec.appRef.name ?? '' }, 'Process');
}
