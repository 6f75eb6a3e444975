import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import { vcapApplicationSecretName, vcapServicesSecretName } from '../names.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { notAuthorized, notFound } from './cf-error.ts';
import { envSecret } from './create-app.ts';
import { cfErrorOf } from './kube-trouble.ts';
import { changedEnvironment, variableText } from './payload/app.ts';
import { parseBody } from './payload/parse-body.ts';
import type { Caller, CfRoutes, Platform } from './platform.ts';
import { presentVariables } from './present/app.ts';
import { patchAs, readAs } from './read-as.ts';

type Variables = Readonly<Record<string, string>>;
type Secret = KubeObject & { readonly data?: Variables };

/** The environment of apps. It is taken into a revision when that is started: a change restarts nothing. */
export const appEnvironment: CfRoutes = (api, platform) => {
  api.get('/v3/apps/:guid/env', async (c) => {
    const { caller } = c.var;
    const app = await readAs<CfApp>(platform, caller, cfApp, c.req.param('guid'), 'App');
    const { name: guid = '' } = app.metadata;
    const [variables, application, services] = await Promise.all([
      variablesOf(caller, app, app.spec.envSecretName),
      variablesOf(caller, app, app.status?.vcapApplicationSecretName ?? vcapApplicationSecretName(guid)),
      variablesOf(caller, app, app.status?.vcapServicesSecretName ?? vcapServicesSecretName(guid)),
    ]);
    return c.json({
      environment_variables: variables,
      staging_env_json: {},
      running_env_json: {},
      system_env_json: parsed(services),
      application_env_json: parsed(application),
    });
  });

  api.get('/v3/apps/:guid/environment_variables', async (c) => {
    const { caller } = c.var;
    const app = await readAs<CfApp>(platform, caller, cfApp, c.req.param('guid'), 'App');
    const variables = await variablesOf(caller, app, app.spec.envSecretName);
    return c.json(presentVariables(app.metadata.name ?? '', variables, c.var.base));
  });

  api.patch('/v3/apps/:guid/environment_variables', async (c) => {
    const { var: wanted } = await parseBody(c, changedEnvironment);
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid'), 'App');
    if (app.metadata.deletionTimestamp) throw notFound('App');
    const changes = Object.entries(wanted).map(([name, value]) => [name, value === null ? null : variableText(value)]);
    const variables = await setVariables(platform, c.var.caller, app, Object.fromEntries(changes));
    return c.json(presentVariables(app.metadata.name ?? '', variables, c.var.base));
  });
};

/**
 * Sets variables of an app, and takes away those that are `null`; answers all that it has then. The Secret is made where
 * there is none.
 */
export async function setVariables(
  platform: Platform,
  caller: Caller,
  app: CfApp,
  changes: Readonly<Record<string, string | null>>,
): Promise<Variables> {
  const { namespace = '' } = app.metadata;
  const secrets = caller.client.resource<Secret>(kinds.secrets);
  const name = await secretNameOf(platform, caller, app);
  const data = Object.fromEntries(
    Object.entries(changes).map(([key, value]) => [key, value === null ? null : encoded(value)]),
  );
  const patch = { type: 'merge', body: { data } } as const;
  try {
    return decoded(await secrets.patch({ namespace, name }, patch));
  } catch (error) {
    if (!isKubeError(error, 'not-found')) throw cfErrorOf(error, { verb: 'write', label: 'App' });
  }
  const set = Object.entries(changes).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
  try {
    return decoded(await secrets.create(envSecret(app, name, Object.fromEntries(set))));
  } catch (error) {
    if (!isKubeError(error, 'exists')) throw cfErrorOf(error, { verb: 'write', label: 'App' });
  }
  try {
    return decoded(await secrets.patch({ namespace, name }, patch));
  } catch (error) {
    throw cfErrorOf(error, { verb: 'write', label: 'App' });
  }
}

/** Where the app's variables are; an app that was made by hand may have no place for them yet. */
async function secretNameOf(platform: Platform, caller: Caller, app: CfApp): Promise<string> {
  if (app.spec.envSecretName) return app.spec.envSecretName;
  const fresh = platform.random.uuid();
  const settled = await patchAs(
    platform,
    caller,
    cfApp,
    app,
    ({ spec }) => (spec.envSecretName ? undefined : { spec: { envSecretName: fresh } }),
    'App',
  );
  return settled.spec.envSecretName ?? fresh;
}

/** What a Secret of the app holds. @throws CfError 403 for whoever may see the app, but not its Secrets */
export async function variablesOf(caller: Caller, app: CfApp, name: string | undefined): Promise<Variables> {
  if (!name) return {};
  const { namespace = '' } = app.metadata;
  try {
    return decoded(await caller.client.resource<Secret>(kinds.secrets).get({ namespace, name }));
  } catch (error) {
    if (isKubeError(error, 'not-found')) return {};
    if (isKubeError(error, 'forbidden')) throw notAuthorized(error);
    throw cfErrorOf(error, { verb: 'read', label: 'App' });
  }
}

function decoded({ data = {} }: Secret): Variables {
  const entries = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]);
  return Object.fromEntries(entries);
}

function encoded(value: string): string {
  return Buffer.from(value, 'utf8').toString('base64');
}

/** Variables whose values are JSON; empty ones say nothing. */
function parsed(variables: Variables): object {
  const entries = Object.entries(variables).flatMap(([name, text]) => {
    try {
      const value: unknown = JSON.parse(text);
      const empty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
      return empty ? [] : [[name, value] as const];
    } catch {
      return [[name, text] as const];
    }
  });
  return Object.fromEntries(entries);
}
