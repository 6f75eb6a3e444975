import { labels } from '../keys.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfProcess, cfProcess } from '../resources/cf-process.ts';
import { type CfTask, type CfTaskSpec, cfTask } from '../resources/cf-task.ts';
import { dropletOf } from './app-droplet.ts';
import { notFound, unprocessable } from './cf-error.ts';
import { type ListQuery, listQuery, paged } from './list.ts';
import { listAs } from './list-as.ts';
import { newObject } from './new-object.ts';
import { metadataPatch } from './payload/metadata-patch.ts';
import { parseBody } from './payload/parse-body.ts';
import { changedTask, type NewTask, newTask } from './payload/task.ts';
import type { Caller, CfContext, CfRoutes, Platform } from './platform.ts';
import { presentTask, sequenceId, taskName, taskState } from './present/task.ts';
import { createAs, patchAs, readAs, readIn } from './read-as.ts';
import { spacesOfApps } from './spaces-of-apps.ts';
import { until } from './until.ts';

const label = 'Task';
const appKeys = ['sequence_ids', 'names', 'states', 'guids', 'order_by', 'per_page', 'page'];
const keys = ['app_guids', 'space_guids', ...appKeys];
/** How long a client waits for the number of its task, which it needs to cancel it. */
const numberedWithinMs = 3000;

/** `/v3/tasks`, and the tasks of an app: commands that run once, beside its instances. */
export const taskRoutes: CfRoutes = (api, platform) => {
  const shown = (c: CfContext, task: CfTask): object => presentTask(task, c.var.base, platform.settings.process);
  const taskOf = (c: CfContext, guid: string): Promise<CfTask> =>
    readAs<CfTask>(platform, c.var.caller, cfTask, guid, label);

  api.post('/v3/apps/:guid/tasks', async (c) => {
    const asked = await parseBody(c, newTask);
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid'), 'App');
    if (app.metadata.deletionTimestamp) throw notFound('App');
    const task = await createAs<CfTask>(
      platform,
      c.var.caller,
      cfTask,
      await taskFor(platform, c.var.caller, app, asked),
      label,
    );
    const numbered = await until(platform, cfTask, task, (seen) => sequenceId(seen) !== undefined, numberedWithinMs);
    return c.json(shown(c, numbered), 201);
  });

  api.get('/v3/apps/:guid/tasks', async (c) => {
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid'), 'App');
    const query = listQuery<CfTask>(c, { keys: appKeys, also: ['label_selector'] });
    const found = await listAs<CfTask>(platform, c.var.caller, cfTask, {
      spaces: [app.metadata.namespace ?? ''],
      labels: { [labels.appGuid]: [app.metadata.name ?? ''] },
    });
    return c.json(paged(c, query, found.filter(chosen(query)), (task) => shown(c, task)));
  });

  api.get('/v3/tasks', async (c) => {
    const query = listQuery<CfTask>(c, { keys, also: ['organization_guids', 'label_selector'] });
    const apps = query.values('app_guids');
    const orgs = query.values('organization_guids');
    const inOrgs = orgs && platform.directory.spaces(c.var.caller).filter(({ orgGuid }) => orgs.includes(orgGuid));
    const found = await listAs<CfTask>(platform, c.var.caller, cfTask, {
      spaces:
        query.values('space_guids') ??
        inOrgs?.map(({ guid }) => guid) ??
        (await spacesOfApps(platform, c.var.caller, apps)),
      labels: { [labels.appGuid]: apps },
    });
    return c.json(paged(c, query, found.filter(chosen(query)), (task) => shown(c, task)));
  });

  api.get('/v3/tasks/:guid', async (c) => c.json(shown(c, await taskOf(c, c.req.param('guid')))));

  api.patch('/v3/tasks/:guid', async (c) => {
    const patch = metadataPatch((await parseBody(c, changedTask)).metadata);
    const task = await taskOf(c, c.req.param('guid'));
    return c.json(shown(c, await patchAs(platform, c.var.caller, cfTask, task, () => patch, label)));
  });

  const cancel = async (c: CfContext): Promise<Response> => {
    const task = await taskOf(c, c.req.param('guid') ?? '');
    return c.json(shown(c, await patchAs(platform, c.var.caller, cfTask, task, cancellation, label)), 202);
  };
  api.post('/v3/tasks/:guid/actions/cancel', cancel);
  // What `cf terminate-task` still sends.
  api.put('/v3/tasks/:guid/cancel', cancel);
};

/** What is written to cancel a task; nothing when that was done before. @throws CfError 422 when it has ended */
function cancellation(task: CfTask): { readonly spec: { readonly canceled: true } } | undefined {
  const { state } = taskState(task);
  if (state === 'CANCELING') return undefined;
  if (state === 'SUCCEEDED' || state === 'FAILED') {
    throw unprocessable(`Task state is ${state} and therefore cannot be canceled`);
  }
  return { spec: { canceled: true } };
}

async function taskFor(platform: Platform, caller: Caller, app: CfApp, asked: NewTask): Promise<CfTask> {
  const { name: appGuid = '', namespace = '' } = app.metadata;
  const droplet = asked.droplet_guid ?? app.spec.currentDropletRef?.name;
  if (!droplet) throw unprocessable('Task must have a droplet. Assign current droplet to app.');
  if (asked.droplet_guid && !(await dropletOf(caller, app, asked.droplet_guid))) throw notFound('Droplet');
  metadataPatch(asked.metadata);
  const template = asked.template && (await templateOf(caller, app, asked.template.process.guid));
  const command = asked.command || template?.command || template?.detectedCommand;
  if (!command) throw unprocessable('command cannot be blank: the process of the template has none either');
  const memoryMB = asked.memory_in_mb ?? template?.memoryMB;
  const diskQuotaMB = asked.disk_in_mb ?? template?.diskQuotaMB;
  return newObject<CfTaskSpec>(platform, cfTask, {
    namespace,
    labels: { [labels.spaceGuid]: namespace, [labels.appGuid]: appGuid },
    metadata: asked.metadata,
    spec: {
      command,
      appRef: { name: appGuid },
      canceled: false,
      ...(asked.name && { name: asked.name }),
      ...(memoryMB && { memoryMB }),
      ...(diskQuotaMB && { diskQuotaMB }),
      ...(asked.droplet_guid && { dropletRef: { name: asked.droplet_guid } }),
    },
  });
}

async function templateOf(caller: Caller, app: CfApp, guid: string): Promise<CfProcess['spec']> {
  const name = { namespace: app.metadata.namespace ?? '', name: guid };
  const { spec } = await readIn<CfProcess>(caller, cfProcess, name, 'Process');
  if (spec.appRef.name !== app.metadata.name) throw notFound('Process');
  return spec;
}

function chosen(query: ListQuery<CfTask>): (task: CfTask) => boolean {
  const [numbers, names, states] = [query.values('sequence_ids'), query.values('names'), query.values('states')];
  return (task) =>
    (!numbers || numbers.includes(String(sequenceId(task)))) &&
    (!names || names.includes(taskName(task))) &&
    (!states || states.includes(taskState(task).state));
}
