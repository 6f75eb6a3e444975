import { notAddressable } from '../checkpoints.ts';
import type { Job } from '../job.ts';
import { type Call, jobOf, ok, type Reply, type Route } from './call.ts';
import { vertexIds } from './job-details-view.ts';
import { notFound } from './rest-error.ts';

const at = 'job.metrics.AbstractMetricsHandler.handleRequest(AbstractMetricsHandler.java:73)';

/** Metrics of a job, its vertices, the JobManager and the TaskManagers, as far as operators and autoscalers ask. */
export function metricRoutes(): readonly Route[] {
  return [
    { method: 'GET', pattern: '/jobs/:job/metrics', handle: (call) => listed(call, jobMetrics(call, jobOf(call, at))) },
    {
      method: 'GET',
      pattern: '/jobs/:job/vertices/:vertex/subtasks/metrics',
      handle: (call) => {
        const job = jobOf(call, at);
        const { vertex = '' } = call.parameters;
        if (!vertexIds.includes(vertex)) throw notFound(`JobVertex ${vertex} not found`, at);
        const rate = job.run ? job.program.rate : 0;
        const each = rate / Math.max(1, job.parallelism);
        const isSource = vertex === vertexIds[0];
        return aggregated(call, {
          numRecordsInPerSecond: isSource ? 0 : each,
          numRecordsOutPerSecond: isSource ? each : 0,
          numRecordsIn: isSource ? 0 : records(job) / Math.max(1, job.parallelism),
          numRecordsOut: isSource ? records(job) / Math.max(1, job.parallelism) : 0,
          busyTimeMsPerSecond: job.run ? 20 : 0,
          idleTimeMsPerSecond: job.run ? 980 : 0,
          backPressuredTimeMsPerSecond: 0,
        });
      },
    },
    {
      method: 'GET',
      pattern: '/jobmanager/metrics',
      handle: (call) => {
        const { slots, jobs } = call.manager;
        return listed(call, {
          taskSlotsTotal: slots.total,
          taskSlotsAvailable: slots.free,
          numRegisteredTaskManagers: slots.workers.length,
          numRunningJobs: [...jobs.values()].filter((job) => !job.isTerminal).length,
          'Status.JVM.Memory.Heap.Max': 536_870_912,
        });
      },
    },
    {
      method: 'GET',
      pattern: '/taskmanagers/metrics',
      handle: (call) =>
        aggregated(call, {
          'Status.JVM.Memory.Heap.Used': 134_217_728,
          'Status.JVM.Memory.Heap.Max': 536_870_912,
          'Status.JVM.GarbageCollector.All.TimeMsPerSecond': 1,
        }),
    },
  ];
}

const records = ({ run }: Job): number => (run ? run.to - run.from : 0);

function jobMetrics({ manager }: Call, job: Job): Readonly<Record<string, number | string>> {
  const { checkpoints, statuses, restarts } = job;
  checkpoints.catchUp();
  const { counts, latest, restored, inProgress } = checkpoints;
  const now = manager.here.clock.now();
  const isOld = manager.version.startsWith('1.');
  const since = (entered: number | undefined, isIn: boolean): number =>
    isIn && entered !== undefined ? now - entered : 0;
  return {
    numRestarts: restarts,
    ...(isOld ? { fullRestarts: restarts } : { numRescales: 0, allSubTasksRunningOrFinishedTime: 0 }),
    numberOfCompletedCheckpoints: counts.completed,
    numberOfFailedCheckpoints: counts.failed,
    numberOfInProgressCheckpoints: inProgress,
    totalNumberOfCheckpoints: counts.completed + counts.failed + inProgress,
    lastCheckpointExternalPath: latest.completed ? (latest.completed.path ?? notAddressable) : 'n/a',
    lastCompletedCheckpointId: latest.completed?.id ?? -1,
    lastCheckpointRestoreTimestamp: restored?.at ?? -1,
    lastCheckpointSize: latest.completed ? 4189 : -1,
    lastCheckpointFullSize: latest.completed ? 4189 : -1,
    lastCheckpointDuration: latest.completed?.durationMs ?? -1,
    lastCheckpointProcessedData: latest.completed ? 0 : -1,
    lastCheckpointPersistedData: latest.completed ? 0 : -1,
    ...(!isOld && {
      lastCheckpointMetadataSize: latest.completed ? 1024 : -1,
      lastCheckpointCompletedTimestamp: latest.completed
        ? latest.completed.triggeredAt + latest.completed.durationMs
        : -1,
    }),
    uptime: since(statuses.entered.RUNNING, job.status === 'RUNNING'),
    downtime: since(statuses.entered.RESTARTING, job.status === 'RESTARTING'),
    runningTime: since(statuses.entered.RUNNING, job.status === 'RUNNING'),
    restartingTime: since(statuses.entered.RESTARTING, job.status === 'RESTARTING'),
    failingTime: since(statuses.entered.FAILING, job.status === 'FAILING'),
    cancellingTime: since(statuses.entered.CANCELLING, job.status === 'CANCELLING'),
    initializingTime: since(statuses.entered.INITIALIZING, job.status === 'INITIALIZING'),
    createdTime: since(statuses.entered.CREATED, job.status === 'CREATED'),
    deployingTime: 0,
  };
}

/** The names of all, or the values of those that `get` names. */
function listed(call: Call, metrics: Readonly<Record<string, number | string>>): Reply {
  const asked = call.query.get('get');
  if (asked === null) return ok(Object.keys(metrics).map((id) => ({ id })));
  const known = asked.split(',').filter((id) => Object.hasOwn(metrics, id));
  return ok(known.map((id) => ({ id, value: String(metrics[id]) })));
}

/** All subtasks are alike, so their least, greatest and mean are one. */
function aggregated(call: Call, metrics: Readonly<Record<string, number>>): Reply {
  const asked = call.query.get('get');
  if (asked === null) return ok(Object.keys(metrics).map((id) => ({ id })));
  const parts = call.query.get('agg')?.split(',') ?? ['min', 'max', 'avg', 'sum', 'skew'];
  const known = asked.split(',').filter((id) => Object.hasOwn(metrics, id));
  return ok(
    known.map((id) => {
      const value = metrics[id] ?? 0;
      const all: Readonly<Record<string, number>> = { min: value, max: value, avg: value, sum: value, skew: 0 };
      return {
        id,
        ...Object.fromEntries(parts.filter((part) => Object.hasOwn(all, part)).map((part) => [part, all[part]])),
      };
    }),
  );
}
