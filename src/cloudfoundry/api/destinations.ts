import { cfApp } from '../resources/cf-app.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import { CfError, unprocessable } from './cf-error.ts';
import { onlyDestinations, withDestinations, withoutDestination } from './change/destinations.ts';
import { bounded } from './list-as.ts';
import { parseBody } from './payload/parse-body.ts';
import { type NewDestination, newDestinations } from './payload/route.ts';
import type { Caller, CfRoutes } from './platform.ts';
import { presentDestinationList } from './present/route.ts';
import { patchAs, readIn } from './read-as.ts';
import { readRoute } from './routes.ts';

/** The destinations of a route: the processes that answer there. Each change is one guarded write of the whole list. */
export const destinations: CfRoutes = (api, platform) => {
  const { random } = platform;

  api.get('/v3/routes/:guid/destinations', async (c) =>
    c.json(presentDestinationList(await readRoute(platform, c, c.req.param('guid')), c.var.base)),
  );

  api.post('/v3/routes/:guid/destinations', async (c) => {
    const wanted = await parseBody(c, newDestinations);
    const route = await readRoute(platform, c, c.req.param('guid'));
    await appsMustBe(c.var.caller, route, wanted.destinations);
    const decide = (current: CfRoute) => withDestinations(current, wanted.destinations, random);
    const patched = await patchAs(platform, c.var.caller, cfRoute, route, decide, 'Route');
    return c.json(presentDestinationList(patched, c.var.base));
  });

  api.patch('/v3/routes/:guid/destinations', async (c) => {
    const wanted = await parseBody(c, newDestinations);
    const route = await readRoute(platform, c, c.req.param('guid'));
    await appsMustBe(c.var.caller, route, wanted.destinations);
    const decide = (current: CfRoute) => onlyDestinations(current, wanted.destinations, random);
    const patched = await patchAs(platform, c.var.caller, cfRoute, route, decide, 'Route');
    return c.json(presentDestinationList(patched, c.var.base));
  });

  api.delete('/v3/routes/:guid/destinations/:destination', async (c) => {
    const route = await readRoute(platform, c, c.req.param('guid'));
    const decide = (current: CfRoute) => withoutDestination(current, c.req.param('destination'));
    await patchAs(platform, c.var.caller, cfRoute, route, decide, 'Route');
    return c.body(null, 204);
  });
};

/** A route leads to apps of its own space that the caller can see. */
async function appsMustBe(caller: Caller, route: CfRoute, wanted: readonly NewDestination[]): Promise<void> {
  const { namespace = '' } = route.metadata;
  const guids = [...new Set(wanted.map(({ app }) => app.guid))];
  const found = await bounded(guids, 8, (name) =>
    readIn(caller, cfApp, { namespace, name }, 'App').then(
      () => true,
      (error: unknown) => {
        if (error instanceof CfError && error.status === 404) return false;
        throw error;
      },
    ),
  );
  const missing = guids.filter((_, at) => !found[at]);
  if (missing.length > 0) {
    const names = missing.map((guid) => `"${guid.slice(0, 100)}"`).join(', ');
    throw unprocessable(`App(s) with guid(s) ${names} do not exist or you do not have access.`);
  }
}
