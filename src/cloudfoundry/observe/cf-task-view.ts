import type { Glance, View } from '../../control/controller.ts';
import type { Client } from '../../kube/client.ts';
import { hasEnded, isTrue } from '../decide/task/conditions.ts';
import type { CfApp } from '../resources/cf-app.ts';
import type { CfBuild } from '../resources/cf-build.ts';
import type { CfTask } from '../resources/cf-task.ts';
import { type TaskWorkload, taskWorkload } from '../resources/task-workload.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { askedFor, type Server } from './asked.ts';
import type { CloudFoundryCaches } from './caches.ts';
import { type EnvNames, envNames } from './env-names.ts';
import { ours } from './ours.ts';

/** What is known when a task is decided on. */
export interface CfTaskView extends View {
  readonly resource: CfTask;
  readonly app?: CfApp;
  /** The build whose droplet it runs. */
  readonly build?: CfBuild;
  readonly workload?: TaskWorkload;
  /** Only while the task is to be handed over. */
  readonly env?: EnvNames;
  /** The greatest number that a task of the app has. */
  readonly lastSequenceId: number;
  readonly settings: Pick<CloudFoundrySettings, 'process' | 'taskTtlMs' | 'version'>;
}

export interface CfTaskSources {
  readonly caches: Pick<CloudFoundryCaches, 'apps' | 'builds' | 'tasks' | 'taskWorkloads'>;
  readonly client: Client;
  readonly settings: CloudFoundrySettings;
}

/** Looks at a task. Only before it is handed over, or when what was handed over is missed, is the server asked. */
export async function cfTaskView(key: string, glance: Glance<CfTask>, sources: CfTaskSources): Promise<CfTaskView> {
  const { caches, client, settings } = sources;
  const { object: resource, now, outcomes, signal } = glance;
  const { app } = named(resource, caches);
  const open = !hasEnded(resource.status?.conditions) && resource.metadata.deletionTimestamp === undefined;
  const missing = open && !resource.spec?.canceled && !ours(caches.taskWorkloads.get(key), resource);
  const started = isTrue(resource.status?.conditions, 'Started');
  const found = missing && started ? await handedOver(resource, { client, signal }) : undefined;
  const env = missing && !started && app ? await envNames(client, app, signal) : undefined;

  const workload = ours(caches.taskWorkloads.get(key) ?? found, resource);
  const { process, taskTtlMs, version } = settings;
  return {
    now,
    outcomes,
    resource,
    ...named(resource, caches),
    ...(workload && { workload }),
    ...(env && { env }),
    lastSequenceId: lastSequenceId(resource, caches),
    settings: { process, taskTtlMs, version },
  };
}

function named(
  { metadata, spec, status }: CfTask,
  caches: CfTaskSources['caches'],
): { readonly app?: CfApp; readonly build?: CfBuild } {
  const app = caches.apps.get(`${metadata.namespace}/${spec?.appRef?.name}`);
  const droplet = status?.dropletRef?.name ?? spec?.dropletRef?.name ?? app?.spec?.currentDropletRef?.name;
  const build = droplet ? caches.builds.get(`${metadata.namespace}/${droplet}`) : undefined;
  // The droplet of another app is none for this one.
  const own = build?.spec?.appRef?.name === spec?.appRef?.name;
  return { ...(app && { app }), ...(build && own && { build }) };
}

/** Numbers that another controller gave may be too great to be counted on; ours begin anew beside them. */
function lastSequenceId({ metadata, spec }: CfTask, { tasks }: CfTaskSources['caches']): number {
  const siblings = tasks.by('app', `${metadata.namespace}/${spec?.appRef?.name}`);
  const numbers = siblings.map(({ status }) => status?.sequenceId ?? 0).filter((id) => Number.isSafeInteger(id));
  return Math.max(0, ...numbers);
}

function handedOver({ metadata }: CfTask, server: Server): Promise<TaskWorkload | undefined> {
  const { namespace = '', name = '' } = metadata;
  return askedFor<TaskWorkload>(taskWorkload.type, { namespace, name }, server);
}
