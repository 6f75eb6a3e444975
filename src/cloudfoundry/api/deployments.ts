import { type DeploymentStanding, deploymentStatus } from '../decide/deployment-status.ts';
import { labels } from '../keys.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfDeployment, cfDeployment } from '../resources/cf-deployment.ts';
import { unprocessable } from './cf-error.ts';
import { createDeployment } from './create-deployment.ts';
import { type ListQuery, type ListRules, listQuery, paged } from './list.ts';
import { listAs } from './list-as.ts';
import { changedDeployment, newDeployment } from './payload/deployment.ts';
import { metadataPatch } from './payload/metadata-patch.ts';
import { parseBody } from './payload/parse-body.ts';
import type { Caller, CfContext, CfRoutes, Platform } from './platform.ts';
import { presentDeployment } from './present/deployment.ts';
import { patchAs, readAs, readIn } from './read-as.ts';
import { spacesOfApps } from './spaces-of-apps.ts';

const rules: ListRules<CfDeployment> = {
  keys: ['app_guids', 'status_values', 'order_by', 'page', 'per_page'],
  also: ['status_reasons', 'states', 'guids', 'label_selector'],
};

/** Deployments: begin, find, change their metadata. Canceling and continuing are in `deployment-actions.ts`. */
export const deployments: CfRoutes = (api, platform) => {
  const { clock } = platform;
  const shown = (c: CfContext, record: CfDeployment, app: CfApp): object =>
    presentDeployment(record, deploymentStatus(record, app, clock.now()), c.var.base);

  api.post('/v3/deployments', async (c) => {
    const { record, app } = await createDeployment(platform, c.var.caller, await parseBody(c, newDeployment));
    return c.json(shown(c, record, app), 201);
  });

  api.get('/v3/deployments', async (c) => {
    const query = listQuery(c, rules);
    assertValues(query);
    const records = await listAs<CfDeployment>(platform, c.var.caller, cfDeployment, {
      spaces: await spacesOfApps(platform, c.var.caller, query.values('app_guids')),
      labels: { [labels.appGuid]: query.values('app_guids'), [labels.guid]: query.values('guids') },
    });
    const standings = await standingsOf(platform, c.var.caller, records, query);
    const wanted = records.filter((record) => matches(standings.get(record), query));
    const present = (record: CfDeployment): object =>
      presentDeployment(record, standings.get(record) as DeploymentStanding, c.var.base);
    return c.json(paged(c, query, wanted, present));
  });

  api.get('/v3/deployments/:guid', async (c) => {
    const { record, app } = await deploymentAs(platform, c.var.caller, c.req.param('guid'));
    return c.json(shown(c, record, app));
  });

  api.patch('/v3/deployments/:guid', async (c) => {
    const { caller } = c.var;
    const patch = metadataPatch((await parseBody(c, changedDeployment)).metadata);
    const { record, app } = await deploymentAs(platform, caller, c.req.param('guid'));
    return c.json(shown(c, await patchAs(platform, caller, cfDeployment, record, () => patch, 'Deployment'), app));
  });
};

/** A deployment with its app, as the caller. The record is read first: what has happened since, the app tells. */
export async function deploymentAs(
  platform: Platform,
  caller: Caller,
  guid: string,
): Promise<{ readonly record: CfDeployment; readonly app: CfApp }> {
  const record = await readAs<CfDeployment>(platform, caller, cfDeployment, guid, 'Deployment');
  const { namespace = '' } = record.metadata;
  return {
    record,
    app: await readIn<CfApp>(caller, cfApp, { namespace, name: record.spec.appRef.name }, 'Deployment'),
  };
}

/** How each stands. Those of apps that are gone, or not the caller's, are left out, as they soon will be by themselves. */
async function standingsOf(
  platform: Platform,
  caller: Caller,
  records: readonly CfDeployment[],
  query: ListQuery<CfDeployment>,
): Promise<ReadonlyMap<CfDeployment, DeploymentStanding>> {
  const values = query.values('status_values');
  const possible = records.filter(
    ({ status }) => !values || status?.value !== 'FINALIZED' || values.includes('FINALIZED'),
  );
  if (possible.length === 0) return new Map();
  const guids = [...new Set(possible.map(({ spec }) => spec.appRef.name))];
  const spaces = [...new Set(possible.flatMap(({ metadata }) => metadata.namespace ?? []))];
  const apps = await listAs<CfApp>(platform, caller, cfApp, { spaces, labels: { [labels.guid]: guids } });
  const byName = new Map(apps.map((app) => [`${app.metadata.namespace}/${app.metadata.name}`, app]));
  const now = platform.clock.now();
  return new Map(
    possible.flatMap((record) => {
      const app = byName.get(`${record.metadata.namespace}/${record.spec.appRef.name}`);
      return app ? [[record, deploymentStatus(record, app, now)] as const] : [];
    }),
  );
}

const statusValues = ['ACTIVE', 'FINALIZED'];

function assertValues(query: ListQuery<CfDeployment>): void {
  const wrong = query.values('status_values')?.findIndex((value) => !statusValues.includes(value)) ?? -1;
  if (wrong >= 0) throw unprocessable(`status_values${wrong} value must be one of: ${statusValues.join(', ')}`);
}

function matches(standing: DeploymentStanding | undefined, query: ListQuery<CfDeployment>): boolean {
  if (!standing) return false;
  const { value, reason } = standing;
  const values = query.values('status_values');
  const reasons = query.values('status_reasons');
  // `states` is the older name of reasons, with no difference between them that matters here.
  const states = query.values('states');
  return (
    (!values || values.includes(value)) &&
    (!reasons || reasons.includes(reason)) &&
    (!states || states.includes(reason))
  );
}
