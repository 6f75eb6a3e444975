import type { CfTask } from '../../resources/cf-task.ts';
import type { CloudFoundrySettings } from '../../settings.ts';
import { conditionOf } from './condition-of.ts';
import { link, relation } from './links.ts';
import { createdAt, presentMetadata, updatedAt } from './metadata.ts';

type TaskState = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELING';

/** How a task stands, and why it failed. Between the request to cancel it and its end it is CANCELING. */
export function taskState(task: CfTask): { readonly state: TaskState; readonly failure: string | null } {
  const holds = (type: string): boolean => conditionOf(task.status, type)?.status === 'True';
  if (holds('Succeeded')) return { state: 'SUCCEEDED', failure: null };
  if (holds('Failed')) return { state: 'FAILED', failure: whyFailed(task) };
  if (task.spec.canceled) return { state: 'CANCELING', failure: null };
  return { state: holds('Started') ? 'RUNNING' : 'PENDING', failure: null };
}

function whyFailed({ spec, status }: CfTask): string {
  const { message, reason } = conditionOf(status, 'Failed') ?? {};
  return spec.canceled ? 'task was cancelled' : message || reason || 'Failed';
}

/** What a task is called: what its creator said, or its GUID. */
export function taskName({ metadata, spec }: CfTask): string {
  return spec.name || (metadata.name ?? '');
}

/** Its number among the tasks of its app; its controller gives it. */
export function sequenceId({ status }: CfTask): number | undefined {
  return status?.sequenceId;
}

/** A task as the CF API shows it. */
export function presentTask(task: CfTask, base: string, defaults: CloudFoundrySettings['process']): object {
  const { name: guid = '' } = task.metadata;
  const { spec, status } = task;
  const { state, failure } = taskState(task);
  const droplet = status?.dropletRef?.name ?? spec.dropletRef?.name ?? '';
  const self = `/v3/tasks/${guid}`;
  return {
    name: taskName(task),
    guid,
    command: spec.command,
    droplet_guid: droplet,
    metadata: presentMetadata(task),
    relationships: { app: relation(spec.appRef.name) },
    links: {
      self: link(base, self),
      app: link(base, `/v3/apps/${spec.appRef.name}`),
      droplet: link(base, `/v3/droplets/${droplet}`),
      cancel: link(base, `${self}/actions/cancel`, 'POST'),
    },
    sequence_id: sequenceId(task) ?? 0,
    created_at: createdAt(task),
    updated_at: updatedAt(task),
    memory_in_mb: status?.memoryMB ?? spec.memoryMB ?? defaults.memoryMB,
    disk_in_mb: status?.diskQuotaMB ?? spec.diskQuotaMB ?? defaults.diskQuotaMB,
    state,
    result: { failure_reason: failure },
  };
}
