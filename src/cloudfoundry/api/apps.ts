import { labels } from '../keys.ts';
import { labelHash } from '../names.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { askedSpaces } from './asked-spaces.ts';
import { invalidRelation } from './cf-error.ts';
import { changedApp as changeOf } from './change/app.ts';
import { createApp, defaultStack, uniqueName } from './create-app.ts';
import { renameUnique } from './create-unique.ts';
import { includeSpaces } from './include-spaces.ts';
import { jobOf } from './jobs.ts';
import { type ListRules, listQuery, paged } from './list.ts';
import { listAs } from './list-as.ts';
import { changedApp, type NewApp, newApp, variableText } from './payload/app.ts';
import { parseBody } from './payload/parse-body.ts';
import type { CfRoutes } from './platform.ts';
import { presentApp } from './present/app.ts';
import { deleteAs, patchAs, readAs } from './read-as.ts';

const rules: ListRules<CfApp> = {
  keys: ['names', 'guids', 'space_guids', 'order_by', 'per_page', 'page', 'label_selector'],
  also: ['organization_guids', 'lifecycle_type', 'include'],
  orderBy: { name: ({ spec }) => spec.displayName, state: ({ spec }) => spec.desiredState },
};

/** Apps: make, find, change, delete. What they run, and whether, is in files beside this one. */
export const apps: CfRoutes = (api, platform) => {
  api.post('/v3/apps', async (c) => {
    const wanted = await parseBody(c, newApp);
    const space = wanted.relationships.space.data.guid;
    if (!platform.directory.spaces(c.var.caller).some(({ guid }) => guid === space)) throw invalidRelation('space');
    const environment = Object.entries(wanted.environment_variables ?? {}).filter(([, value]) => value !== null);
    const app = await createApp(platform, c.var.caller, {
      name: wanted.name,
      space,
      lifecycle: lifecycleOf(wanted),
      environment: Object.fromEntries(environment.map(([name, value]) => [name, variableText(value)])),
      metadata: wanted.metadata,
    });
    return c.json(presentApp(app, c.var.base), 201);
  });

  api.get('/v3/apps', async (c) => {
    const query = listQuery(c, rules);
    const names = query.values('names');
    const types = query.values('lifecycle_type');
    const found = await listAs<CfApp>(platform, c.var.caller, cfApp, {
      spaces: askedSpaces(platform, c.var.caller, query),
      labels: { [labels.displayName]: names?.map(labelHash), [labels.guid]: query.values('guids') },
    });
    const wanted = found.filter(
      ({ spec }) => (!names || names.includes(spec.displayName)) && (!types || types.includes(spec.lifecycle?.type)),
    );
    const included = await includeSpaces(platform, c, wanted, query.values('include'));
    return c.json(paged(c, query, wanted, (app) => presentApp(app, c.var.base), included));
  });

  api.get('/v3/apps/:guid', async (c) => {
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid'), 'App');
    const included = await includeSpaces(platform, c, [app], c.req.query('include')?.split(','));
    const more = included([app]);
    return c.json({ ...presentApp(app, c.var.base), ...(more && { included: more }) });
  });

  api.patch('/v3/apps/:guid', async (c) => {
    const { caller } = c.var;
    const wanted = await parseBody(c, changedApp);
    const app = await readAs<CfApp>(platform, caller, cfApp, c.req.param('guid'), 'App');
    const change = (current: CfApp) => changeOf(current, wanted);
    const patched =
      wanted.name === undefined || wanted.name === app.spec.displayName
        ? await patchAs(platform, caller, cfApp, app, change, 'App')
        : await renameUnique(platform, caller, cfApp, app, 'App', {
            ...uniqueName(platform, app.metadata.namespace ?? '', wanted.name),
            change,
            back: (before) => changeOf(before, { name: before.spec.displayName }),
          });
    return c.json(presentApp(patched, c.var.base));
  });

  api.delete('/v3/apps/:guid', async (c) => {
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid'), 'App');
    await deleteAs(c.var.caller, cfApp, app, 'App');
    return jobOf(c, 'app.delete', app);
  });
};

function lifecycleOf({ lifecycle }: NewApp): CfApp['spec']['lifecycle'] {
  const { buildpacks, stack } = lifecycle?.data ?? {};
  if (lifecycle?.type === 'docker') return { type: 'docker', data: {} };
  return { type: 'buildpack', data: { ...(buildpacks && { buildpacks }), stack: stack ?? defaultStack } };
}
