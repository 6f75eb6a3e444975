import { isTerminalStatus } from '../job-status.ts';
import { failureCause, type Throwable } from '../throwable.ts';
import { accepted, type Call, jobOf, objectOf, ok, type Route } from './call.ts';
import { exceptionsView } from './exceptions-view.ts';
import { detailsView, overviewView, planView, vertexIds } from './job-details-view.ts';
import { viewOf } from './job-view.ts';
import { handlerError, RestError, serverError } from './rest-error.ts';

const graphHandler = 'job.AbstractExecutionGraphHandler.lambda$handleRequest$1(AbstractExecutionGraphHandler.java:99)';

const notAdaptive: Throwable = {
  type: 'java.lang.UnsupportedOperationException',
  message:
    'The DefaultScheduler does not support changing the parallelism without a job restart. This feature is currently only expected to work with the AdaptiveScheduler.',
  at: 'org.apache.flink.runtime.scheduler.SchedulerNG.requestJobResourceRequirements(SchedulerNG.java:225)',
};

/** About jobs: what they are, how they are, and how they end. */
export function jobRoutes(): readonly Route[] {
  return [
    {
      method: 'GET',
      pattern: '/jobs',
      handle: ({ manager }) => ok({ jobs: [...manager.jobs.values()].map(({ id, status }) => ({ id, status })) }),
    },
    {
      method: 'GET',
      pattern: '/jobs/overview',
      handle: ({ manager }) => {
        const now = manager.here.clock.now();
        const jobs = [...manager.jobs.values()];
        return ok({ jobs: jobs.map((job) => overviewView(job, viewOf(job), manager.version, now)) });
      },
    },
    {
      method: 'GET',
      pattern: '/jobs/:job',
      handle: (call) => {
        const job = jobOf(call, graphHandler);
        const { version, here } = call.manager;
        return ok(detailsView(job, call.views.of(job, 'graph'), version, here.clock.now()));
      },
    },
    {
      method: 'PATCH',
      pattern: '/jobs/:job',
      handle: cancel,
    },
    {
      method: 'GET',
      pattern: '/jobs/:job/status',
      handle: (call) => ok({ status: jobOf(call, graphHandler).status }),
    },
    {
      method: 'GET',
      pattern: '/jobs/:job/plan',
      handle: (call) => {
        const job = jobOf(call, graphHandler);
        return ok({ plan: planView(job, job.parallelism) });
      },
    },
    {
      method: 'GET',
      pattern: '/jobs/:job/config',
      handle: (call) => {
        const { id, graph, strategy, parallelism } = jobOf(call, graphHandler);
        return ok({
          jid: id,
          name: graph.name,
          'execution-config': {
            ...(call.manager.version.startsWith('1.') && { 'execution-mode': 'PIPELINED' }),
            'restart-strategy': strategy.description,
            'job-parallelism': parallelism,
            'object-reuse-mode': false,
            'user-config': {},
          },
        });
      },
    },
    {
      method: 'GET',
      pattern: '/jobs/:job/exceptions',
      handle: (call) => {
        const job = jobOf(call, graphHandler);
        const most = Number(call.query.get('maxExceptions') ?? 20);
        const { failures, status } = call.views.of(job, 'graph');
        return ok(exceptionsView(failures, status === 'FAILED', call.manager.version, most));
      },
    },
    {
      method: 'GET',
      pattern: '/jobs/:job/execution-result',
      handle: (call) => {
        const at = 'job.JobExecutionResultHandler.lambda$handleRequest$1(JobExecutionResultHandler.java:82)';
        const { id, status, failures, statuses } = jobOf(call, at);
        if (!isTerminalStatus(status)) return ok({ status: { id: 'IN_PROGRESS' }, 'job-execution-result': null });
        const [failure] = failures;
        return ok({
          status: { id: 'COMPLETED' },
          'job-execution-result': {
            id,
            'application-status': status === 'FINISHED' ? 'SUCCEEDED' : status,
            'accumulator-results': {},
            'net-runtime': (statuses.endedAt ?? 0) - statuses.startedAt,
            ...(status === 'FAILED' && failure && { 'failure-cause': failureCause(failure.throwable) }),
          },
        });
      },
    },
    {
      method: 'GET',
      pattern: '/jobs/:job/resource-requirements',
      handle: (call) => {
        const job = jobOf(call, graphHandler);
        if (job.scheduler !== 'Adaptive') throw serverError(notAdaptive);
        const parallelism = { lowerBound: job.bounds.lower, upperBound: job.bounds.upper };
        return ok(Object.fromEntries(vertexIds.map((id) => [id, { parallelism }])));
      },
    },
    {
      method: 'PUT',
      pattern: '/jobs/:job/resource-requirements',
      handle: rescale,
    },
  ];
}

function cancel(call: Call): ReturnType<typeof accepted> {
  const mode = call.query.get('mode') ?? 'cancel';
  if (mode !== 'cancel') {
    throw new RestError(
      308,
      `The termination mode "${mode}" has been removed. For a ungraceful shutdown, please use "cancel" instead. For a graceful shutdown, please use "jobs/:jobId/stop" instead.`,
    );
  }
  const at = 'job.JobCancellationHandler.lambda$handleRequest$0(JobCancellationHandler.java:111)';
  const job = jobOf(call, at);
  if (job.status === 'FINISHED' || job.status === 'FAILED') {
    const why = `Job cancellation failed because the job has already reached another terminal state (${job.status}).`;
    throw handlerError(409, why, at);
  }
  job.cancel();
  return accepted({});
}

/** All vertices of a counting job share their slots, so the widest of them decides. */
function rescale(call: Call): ReturnType<typeof ok> {
  const type = 'JobResourceRequirementsBody';
  const at = 'job.JobResourceRequirementsUpdateHandler.handleRequest(JobResourceRequirementsUpdateHandler.java:66)';
  const job = jobOf(call, at);
  if (job.scheduler !== 'Adaptive') throw serverError(notAdaptive);
  const body = objectOf(call, type);
  const bounds = Object.entries(body).map(([vertex, value]) => {
    const { lowerBound, upperBound } = (value as { parallelism?: Record<string, unknown> } | null)?.parallelism ?? {};
    const problem = !vertexIds.includes(vertex)
      ? `The job vertex [${vertex}] was not found in the job graph.`
      : !Number.isInteger(lowerBound) ||
          !Number.isInteger(upperBound) ||
          Number(lowerBound) > Number(upperBound) ||
          Number(lowerBound) < 1
        ? `Invalid bounds [${lowerBound}, ${upperBound}] of vertex [${vertex}].`
        : undefined;
    if (problem) throw handlerError(400, problem, at);
    return { lower: Number(lowerBound), upper: Number(upperBound) };
  });
  if (bounds.length < vertexIds.length) {
    throw handlerError(
      400,
      `The request is incomplete, missing job vertex ids: ${vertexIds.filter((id) => !Object.hasOwn(body, id))}.`,
      at,
    );
  }
  job.require({
    lower: Math.max(...bounds.map(({ lower }) => lower)),
    upper: Math.max(...bounds.map(({ upper }) => upper)),
  });
  return ok({});
}
