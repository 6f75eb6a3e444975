import type { Instant } from '../../../../clock/clock.ts';
import type { Job } from '../job.ts';
import { jobStatuses, taskStatuses } from '../job-status.ts';
import type { JobView } from './job-view.ts';

const source = { id: 'ea27fd291a97cca54a5118b66652a19f', name: 'Source: counter-source' };
const counter = { id: 'bde003748507fe3676ee1553bea4cff0', name: 'keyed-count -> discard: Writer' };

/** The vertices of every counting job, in topological order. */
export const vertexIds: readonly string[] = [source.id, counter.id];

const isModern = (version: string): boolean => !version.startsWith('1.');

const zeroes = (names: readonly string[]): Record<string, number> => Object.fromEntries(names.map((name) => [name, 0]));

/** One job in `/jobs/overview`. */
export function overviewView(
  job: Job,
  view: JobView,
  version: string,
  now: Instant,
): Readonly<Record<string, unknown>> {
  const total = view.hasTasks ? 2 * view.parallelism : 0;
  const names = taskStatuses.map((name) => name.toLowerCase());
  return {
    jid: job.id,
    name: job.graph.name,
    ...(isModern(version) && { jobType: 'STREAMING', schedulerType: view.hasTasks ? job.scheduler : null }),
    'start-time': view.startedAt,
    'end-time': view.endedAt ?? -1,
    duration: (view.endedAt ?? now) - view.startedAt,
    state: view.status,
    'last-modification': view.modifiedAt,
    tasks: { ...zeroes(names), total, [view.tasks.toLowerCase()]: total },
    ...(isModern(version) && { 'pending-operators': 0 }),
  };
}

/** `/jobs/:jobid`. */
export function detailsView(job: Job, view: JobView, version: string, now: Instant): Readonly<Record<string, unknown>> {
  return {
    jid: job.id,
    ...(isModern(version) && { 'application-id': job.id }),
    name: job.graph.name,
    isStoppable: false,
    state: view.status,
    'job-type': 'STREAMING',
    ...(isModern(version) && { schedulerType: job.scheduler }),
    'start-time': view.startedAt,
    'end-time': view.endedAt ?? -1,
    duration: (view.endedAt ?? now) - view.startedAt,
    maxParallelism: -1,
    now,
    timestamps: { ...zeroes(jobStatuses), ...view.entered },
    vertices: view.hasTasks ? [source, counter].map((vertex) => vertexView(vertex, view, now)) : [],
    'status-counts': { ...zeroes(taskStatuses), ...(view.hasTasks && { [view.tasks]: 2 }) },
    plan: planView(job, view.parallelism),
    ...(isModern(version) && { 'pending-operators': 0 }),
  };
}

function vertexView({ id, name }: typeof source, view: JobView, now: Instant): Readonly<Record<string, unknown>> {
  const started = view.runStartedAt ?? -1;
  const ended = view.endedAt ?? -1;
  const isSource = id === source.id;
  return {
    id,
    slotSharingGroupId: '05d2222a8f34de218194a5ec588d0977',
    name,
    maxParallelism: 128,
    parallelism: view.parallelism,
    status: view.tasks,
    'start-time': started,
    'end-time': ended,
    duration: started < 0 ? -1 : (ended < 0 ? now : ended) - started,
    tasks: { ...zeroes(taskStatuses), [view.tasks]: view.parallelism },
    metrics: {
      'read-bytes': isSource ? 0 : view.records * 21,
      'read-bytes-complete': true,
      'write-bytes': isSource ? view.records * 21 : 0,
      'write-bytes-complete': true,
      'read-records': isSource ? 0 : view.records,
      'read-records-complete': true,
      'write-records': isSource ? view.records : 0,
      'write-records-complete': true,
      'accumulated-backpressured-time': 0,
      'accumulated-idle-time': 0,
      'accumulated-busy-time': 0,
    },
  };
}

export function planView(job: Job, parallelism: number): Readonly<Record<string, unknown>> {
  const node = { parallelism, operator: '', operator_strategy: '', optimizer_properties: {} };
  return {
    jid: job.id,
    name: job.graph.name,
    type: 'STREAMING',
    nodes: [
      {
        ...node,
        id: counter.id,
        description: 'keyed-count<br/>+- discard: Writer<br/>',
        inputs: [{ num: 0, id: source.id, ship_strategy: 'HASH', exchange: 'pipelined_bounded' }],
      },
      { ...node, id: source.id, description: 'Source: counter-source<br/>' },
    ],
  };
}
