import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { notFound, unprocessable } from './cf-error.ts';
import { emptyList, listOf } from './list.ts';
import type { CfContext, CfRoutes } from './platform.ts';
import { readAs } from './read-as.ts';

const features = [
  { name: 'ssh', description: 'Enable SSHing into the app.', enabled: false },
  { name: 'revisions', description: 'Enable versioning of an application', enabled: false },
] as const;

/** What apps do not have here, told truthfully: no ssh, and no revisions that could be listed or returned to. */
export const appFeatures: CfRoutes = (api, platform) => {
  const assertApp = async (c: CfContext): Promise<void> => {
    await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid') ?? '', 'App');
  };

  api.get('/v3/apps/:guid/ssh_enabled', async (c) => {
    await assertApp(c);
    return c.json({ enabled: false, reason: 'Disabled globally' });
  });
  api.get('/v3/apps/:guid/features', async (c) => {
    await assertApp(c);
    return c.json(listOf(c, features));
  });
  api.get('/v3/apps/:guid/features/:name', async (c) => {
    await assertApp(c);
    return c.json(featureOf(c.req.param('name')));
  });
  api.patch('/v3/apps/:guid/features/:name', async (c) => {
    await assertApp(c);
    const { name } = featureOf(c.req.param('name'));
    throw unprocessable(`The feature '${name}' cannot be changed: this platform does not have it.`);
  });
  for (const path of ['/v3/apps/:guid/revisions', '/v3/apps/:guid/revisions/deployed']) {
    api.get(path, async (c: CfContext) => {
      await assertApp(c);
      return c.json(emptyList(c));
    });
  }
};

function featureOf(name: string): (typeof features)[number] {
  const found = features.find((feature) => feature.name === name);
  if (!found) throw notFound('Feature');
  return found;
}
