import { stringify } from 'yaml';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfBuild, cfBuild } from '../resources/cf-build.ts';
import { type CfDomain, cfDomain } from '../resources/cf-domain.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import { variablesOf } from './app-environment.ts';
import { CfError, tooLarge, unparsable, unprocessable } from './cf-error.ts';
import { assertMayCreateApps } from './create-app.ts';
import { processesOf } from './find-process.ts';
import { jobNamed } from './jobs.ts';
import { bounded, listAs } from './list-as.ts';
import { appPlan } from './manifest/app-plan.ts';
import { applyPlan, type MadeRoutes } from './manifest/apply-plan.ts';
import { checkPlans } from './manifest/check-plans.ts';
import { exportedApp } from './manifest/exported-app.ts';
import { manifestDiff } from './manifest/manifest-diff.ts';
import { isNamed, processesNamed, routesTo, spaceState } from './manifest/space-state.ts';
import { ManifestError, parseManifest } from './payload/manifest.ts';
import type { Caller, CfRoutes } from './platform.ts';
import { readAs, readIn } from './read-as.ts';
import { listRoot } from './root-namespace.ts';
import { readSpace } from './spaces.ts';
import { warn } from './warn.ts';

/** Manifests: what a space should have of apps, applied at once or merely compared; and an app as a manifest. */
export const manifestRoutes: CfRoutes = (api, platform) => {
  const { settings, random } = platform;

  /** Everything is checked before anything is written. When it answers, all is written: its job is done from the start. */
  api.post('/v3/spaces/:guid/actions/apply_manifest', async (c) => {
    const { caller } = c.var;
    const space = c.req.param('guid');
    // Reading a manifest costs time that others wait for: only who may use the space, and may write in it, gets it.
    await readSpace(platform, caller, space);
    await assertMayCreateApps(platform, caller, space);
    const { applications, warnings } = parsed(await c.req.text());
    const state = await spaceState(platform, caller, space, applications);
    const plans = applications.map((wanted, index) =>
      appPlan(wanted, index, state, { defaultDomain: settings.defaultDomain, random }),
    );
    await checkPlans(platform, caller, state, plans);
    const made: MadeRoutes = new Map();
    for (const plan of plans) await applyPlan(platform, caller, state, plan, made);
    for (const warning of warnings) warn(c, warning);
    return jobNamed(c, 'space.apply_manifest', space);
  });

  api.post('/v3/spaces/:guid/manifest_diff', async (c) => {
    const { caller } = c.var;
    const space = c.req.param('guid');
    await readSpace(platform, caller, space);
    const { applications, written } = parsed(await c.req.text());
    const state = await spaceState(platform, caller, space, applications);
    const present = await bounded(state.apps, 8, async (app) => {
      const [env, build] = await Promise.all([readableVariables(caller, app), currentBuild(caller, app)]);
      const [processes, routes] = [processesNamed(state, app), routesTo(state, app)];
      return exportedApp({ app, processes, routes, domains: state.domains, env, build }, settings.process);
    });
    const diff = manifestDiff(written, (name) => present[state.apps.findIndex(isNamed(name))]);
    return c.json({ diff }, 202);
  });

  api.get('/v3/apps/:guid/manifest', async (c) => {
    const { caller } = c.var;
    const app = await readAs<CfApp>(platform, caller, cfApp, c.req.param('guid'), 'App');
    const [processes, routes, domains, env, build] = await Promise.all([
      processesOf(caller, app),
      listAs<CfRoute>(platform, caller, cfRoute, { spaces: [app.metadata.namespace ?? ''] }),
      listRoot<CfDomain>(platform, caller, cfDomain),
      variablesOf(caller, app, app.spec.envSecretName),
      currentBuild(caller, app),
    ]);
    const parts = { app, processes, routes: routesTo({ routes }, app), domains, env, build };
    const yaml = stringify({ applications: [exportedApp(parts, settings.process)] });
    return c.body(`---\n${yaml}`, 200, { 'content-type': 'application/x-yaml' });
  });
};

/** Longer ones are not read: reading YAML takes up to 200 ms for as much as this, in which nobody else is answered. */
const longest = 64 * 1024;

/** @throws CfError 413, 400 for what is no YAML, 422 for what cannot be */
function parsed(text: string): ReturnType<typeof parseManifest> {
  if (text.length > longest) throw tooLarge(longest);
  try {
    return parseManifest(text);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw error.unreadable ? unparsable() : unprocessable(error.complaints.join(', '));
  }
}

/** The variables of an app; none for whoever may not see them: a comparison is possible without. */
async function readableVariables(caller: Caller, app: CfApp): Promise<Readonly<Record<string, string>>> {
  try {
    return await variablesOf(caller, app, app.spec.envSecretName);
  } catch (error) {
    if (error instanceof CfError && error.status === 403) return {};
    throw error;
  }
}

async function currentBuild(caller: Caller, app: CfApp): Promise<CfBuild | undefined> {
  const name = app.spec.currentDropletRef?.name;
  if (!name) return undefined;
  try {
    return await readIn<CfBuild>(caller, cfBuild, { namespace: app.metadata.namespace ?? '', name }, 'Droplet');
  } catch (error) {
    if (error instanceof CfError && error.status === 404) return undefined;
    throw error;
  }
}
