import type { JsonObject } from '../../kube/object.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { notFound, unprocessable } from './cf-error.ts';
import { start } from './change/start.ts';
import { stop } from './change/stop.ts';
import type { Caller, CfContext, CfRoutes, Platform } from './platform.ts';
import { presentApp } from './present/app.ts';
import { assertMayWrite, patchAs, readAs } from './read-as.ts';

/**
 * Start, stop and restart. They answer as soon as it is written down what is wanted: how the instances come along is what
 * `stats` is for. So an app that crashes can always be stopped, changed and started again.
 */
export const appActions: CfRoutes = (api, platform) => {
  const action = (name: string, run: (caller: Caller, app: CfApp) => Promise<CfApp>): void => {
    api.post(`/v3/apps/:guid/actions/${name}`, async (c: CfContext) => {
      const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid') ?? '', 'App');
      return c.json(presentApp(await run(c.var.caller, app), c.var.base));
    });
  };
  action('start', (caller, app) => startApp(platform, caller, app));
  action('stop', (caller, app) => stopApp(platform, caller, app));
  action('restart', (caller, app) => restartApp(platform, caller, app));
};

/**
 * A start says nothing but that the app is wanted, so it need not be decided anew when a controller has just written of it,
 * as it does after the stop of every restart.
 * @throws CfError 422 without a droplet, 404 when it is being deleted
 */
function startApp(platform: Platform, caller: Caller, app: CfApp): Promise<CfApp> {
  const change = (current: CfApp): JsonObject | undefined => {
    assertStartable(current);
    return start(current);
  };
  return patchAs(platform, caller, cfApp, app, change, 'App', 'object');
}

/** One write, and one bump, however many stop it at once. */
function stopApp(platform: Platform, caller: Caller, app: CfApp): Promise<CfApp> {
  const change = (current: CfApp): JsonObject | undefined => {
    assertThere(current);
    return stop(current);
  };
  return patchAs(platform, caller, cfApp, app, change, 'App');
}

/** A stop and a start. What could not be started is not stopped either. */
async function restartApp(platform: Platform, caller: Caller, app: CfApp): Promise<CfApp> {
  if (!hasDroplet(app)) await assertMayWrite(caller, cfApp, app, 'App');
  assertStartable(app);
  return startApp(platform, caller, await stopApp(platform, caller, app));
}

function assertStartable(app: CfApp): void {
  assertThere(app);
  if (!hasDroplet(app)) throw unprocessable('Assign a droplet before starting this app.');
}

function hasDroplet({ spec }: CfApp): boolean {
  return Boolean(spec.currentDropletRef?.name);
}

function assertThere({ metadata }: CfApp): void {
  if (metadata.deletionTimestamp) throw notFound('App');
}
