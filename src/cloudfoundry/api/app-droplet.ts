import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfBuild, cfBuild } from '../resources/cf-build.ts';
import { CfError, notFound, unprocessable } from './cf-error.ts';
import { currentDroplet } from './payload/app.ts';
import { parseBody } from './payload/parse-body.ts';
import type { Caller, CfRoutes } from './platform.ts';
import { presentCurrentDroplet } from './present/app.ts';
import { presentDroplet } from './present/droplet.ts';
import { patchAs, readAs, readIn } from './read-as.ts';

/** Which droplet an app runs from its next revision on. */
export const appDroplet: CfRoutes = (api, platform) => {
  api.get('/v3/apps/:guid/droplets/current', async (c) => {
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid'), 'App');
    const name = app.spec.currentDropletRef?.name;
    const build = name ? await dropletOf(c.var.caller, app, name) : undefined;
    if (!build) throw notFound('Droplet');
    return c.json(presentDroplet(build, c.var.base));
  });

  api.get('/v3/apps/:guid/relationships/current_droplet', async (c) => {
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid'), 'App');
    if (!app.spec.currentDropletRef?.name) throw notFound('Droplet');
    return c.json(presentCurrentDroplet(app, c.var.base));
  });

  api.patch('/v3/apps/:guid/relationships/current_droplet', async (c) => {
    const { caller } = c.var;
    const { guid: name } = (await parseBody(c, currentDroplet)).data;
    const app = await readAs<CfApp>(platform, caller, cfApp, c.req.param('guid'), 'App');
    if (!(await dropletOf(caller, app, name))) throw notOfThisApp();
    const change = ({ spec }: CfApp) =>
      spec.currentDropletRef?.name === name ? undefined : { spec: { currentDropletRef: { name } } };
    return c.json(presentCurrentDroplet(await patchAs(platform, caller, cfApp, app, change, 'App'), c.var.base));
  });
};

/** A droplet of this app, or `undefined`: builds of other apps, and those that are not staged, are none. */
export async function dropletOf(caller: Caller, app: CfApp, name: string): Promise<CfBuild | undefined> {
  const { name: guid, namespace = '' } = app.metadata;
  try {
    const build = await readIn<CfBuild>(caller, cfBuild, { namespace, name }, 'Droplet');
    const staged = build.status?.state === 'STAGED' && build.status.droplet !== undefined;
    return staged && build.spec.appRef.name === guid ? build : undefined;
  } catch (error) {
    if (error instanceof CfError && error.status === 404) return undefined;
    throw error;
  }
}

export function notOfThisApp(): CfError {
  return unprocessable('Unable to assign current droplet. Ensure the droplet exists and belongs to this app.');
}
