import type { Glance, View } from '../../control/controller.ts';
import type { Client } from '../../kube/client.ts';
import { kinds } from '../../kube/kinds.ts';
import { hasEnded, isTrue } from '../decide/task/conditions.ts';
import { taskContainer } from '../manifests/task-job.ts';
import type { TaskWorkload } from '../resources/task-workload.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { askedFor, type Server } from './asked.ts';
import type { CloudFoundryCaches } from './caches.ts';
import type { Job, Pod } from './kube-shapes.ts';
import { ours } from './ours.ts';

/** What is known when a task's workload is decided on. */
export interface TaskWorkloadView extends View {
  readonly resource: TaskWorkload;
  readonly job?: Job;
  /** How its container ended, once the Job has failed. */
  readonly end?: { readonly reason?: string; readonly exitCode?: number };
  readonly settings: Pick<CloudFoundrySettings, 'runner'>;
}

export interface TaskWorkloadSources {
  readonly caches: Pick<CloudFoundryCaches, 'jobs' | 'taskPods'>;
  readonly client: Client;
  readonly settings: CloudFoundrySettings;
}

/**
 * Looks at a task's workload. The server is asked for what the caches do not show, and must be there: a Job that was made
 * (perhaps by another task runner, which does not label it), and the pod of one that has failed.
 */
export async function taskWorkloadView(
  key: string,
  glance: Glance<TaskWorkload>,
  { caches, client, settings }: TaskWorkloadSources,
): Promise<TaskWorkloadView> {
  const { object: resource, now, outcomes, signal } = glance;
  const { conditions } = resource.status ?? {};
  const open = !hasEnded(conditions) && resource.metadata.deletionTimestamp === undefined;
  const cached = (): Job | undefined => ours(caches.jobs.get(key), resource);
  const missed = open && isTrue(conditions, 'Initialized') && !cached();
  const found = missed ? ours(await made(resource, { client, signal }), resource) : undefined;
  const failed = open && hasFailed(cached() ?? found);
  const told = failed ? endOf(caches.taskPods.by('task', key)) : undefined;
  const end = failed && !told ? endOf(await podsOf(client, resource, signal)) : told;
  const job = cached() ?? found;
  return {
    now,
    outcomes,
    resource,
    ...(job && { job }),
    ...(end && { end }),
    settings: { runner: settings.runner },
  };
}

export function hasFailed(job: Job | undefined): boolean {
  return job?.status?.conditions?.some(({ type, status }) => type === 'Failed' && status === 'True') ?? false;
}

function endOf(pods: readonly Pod[]): TaskWorkloadView['end'] {
  for (const { status } of pods) {
    const container = status?.containerStatuses?.find(({ name }) => name === taskContainer);
    const ended = container?.state?.terminated;
    if (!ended) continue;
    const { reason, exitCode } = ended;
    return { ...(reason && { reason }), ...(exitCode !== undefined && { exitCode }) };
  }
  return undefined;
}

function made({ metadata }: TaskWorkload, server: Server): Promise<Job | undefined> {
  const { namespace = '', name = '' } = metadata;
  return askedFor<Job>(kinds.jobs, { namespace, name }, server);
}

async function podsOf(client: Client, { metadata }: TaskWorkload, signal: AbortSignal): Promise<readonly Pod[]> {
  const { namespace = '', name = '' } = metadata;
  const labelSelector = `batch.kubernetes.io/job-name=${name}`;
  const { items } = await client.resource<Pod>(kinds.pods).list({ namespace, labelSelector, signal });
  return items;
}
