import type { Checkpoints, ClusterAddress, Interest, JobException, JobOverview, JobTold, Operation } from '../rest.ts';
import { checkpointPath, checkpoints, noCheckpoints } from './answers/checkpoints.ts';
import { metrics, requirements, taskManagers, version } from './answers/cluster.ts';
import { exceptions } from './answers/exceptions.ts';
import { jobFailure } from './answers/job-failure.ts';
import { jobsOverview } from './answers/jobs-overview.ts';
import { checkpointOperation, savepointOperation } from './answers/operation.ts';
import { type Answer, ask, speaksOf } from './ask.ts';
import type { Wire } from './wire.ts';

/** What may be asked of one job. */
export interface JobAnswers {
  readonly checkpoints: Checkpoints;
  readonly exceptions: readonly JobException[];
  /** Absent when it did not fail. */
  readonly failure: Value<'failure'> | undefined;
  readonly metrics: Value<'metrics'>;
  readonly requirements: Value<'requirements'>;
}

type Value<K extends keyof JobTold> = NonNullable<JobTold[K]>['value'];

/** The questions that Flink answers over REST. */
export interface FlinkRest {
  jobs(cluster: ClusterAddress, signal: AbortSignal): Promise<Answer<readonly JobOverview[]>>;
  version(cluster: ClusterAddress, signal: AbortSignal): Promise<Answer<{ version: string; revision: string }>>;
  taskManagers(cluster: ClusterAddress, signal: AbortSignal): Promise<Answer<number>>;
  job<K extends keyof JobAnswers>(
    cluster: ClusterAddress,
    jobId: string,
    what: K,
    signal: AbortSignal,
  ): Promise<Answer<JobAnswers[K]>>;
  operation(
    cluster: ClusterAddress,
    operation: Interest['operations'][number],
    signal: AbortSignal,
  ): Promise<Answer<Operation>>;
}

/** What health is judged by. Newer Flinks call restarts `numRestarts`. */
const healthMetrics = ['numRestarts', 'fullRestarts', 'numberOfCompletedCheckpoints'];
/** Exceptions that are asked for at once; the newest come first. */
const mostExceptions = 20;

/** Flink's REST API over a wire. Every answer may take `timeoutMs` (`flink.client.timeout`). */
export function flinkRest(wire: Wire, { timeoutMs }: { readonly timeoutMs: number }): FlinkRest {
  const get = (path: string, signal: AbortSignal) => ({ method: 'GET', path, timeoutMs, signal }) as const;

  const ofJob: {
    [K in keyof JobAnswers]: (
      cluster: ClusterAddress,
      jobId: string,
      signal: AbortSignal,
    ) => Promise<Answer<JobAnswers[K]>>;
  } = {
    async checkpoints(cluster, jobId, signal) {
      const answer = await ask(wire, cluster, get(`/jobs/${jobId}/checkpoints`, signal), checkpoints);
      const none = !answer.ok && answer.failure.said.includes('Checkpointing has not been enabled');
      return none ? { ok: true, value: noCheckpoints } : answer;
    },
    exceptions: (cluster, jobId, signal) =>
      ask(wire, cluster, get(`/jobs/${jobId}/exceptions?maxExceptions=${mostExceptions}`, signal), exceptions),
    failure: (cluster, jobId, signal) => ask(wire, cluster, get(`/jobs/${jobId}/execution-result`, signal), jobFailure),
    metrics: (cluster, jobId, signal) =>
      ask(wire, cluster, get(`/jobs/${jobId}/metrics?get=${healthMetrics.join(',')}`, signal), metrics),
    requirements: (cluster, jobId, signal) =>
      ask(wire, cluster, get(`/jobs/${jobId}/resource-requirements`, signal), requirements),
  };

  return {
    jobs: (cluster, signal) => ask(wire, cluster, get('/jobs/overview', signal), jobsOverview),
    version: (cluster, signal) => ask(wire, cluster, get('/config', signal), version),
    taskManagers: (cluster, signal) => ask(wire, cluster, get('/taskmanagers', signal), taskManagers),
    job: (cluster, jobId, what, signal) => ofJob[what](cluster, jobId, signal),
    async operation(cluster, { id, of, jobId }, signal) {
      const [path, schema] =
        of === 'savepoint'
          ? (['savepoints', savepointOperation] as const)
          : (['checkpoints', checkpointOperation] as const);
      const answer = await ask(wire, cluster, get(`/jobs/${jobId}/${path}/${id}`, signal), schema);
      if (!answer.ok && answer.failure.status === 404) return { ok: true, value: { is: 'unknown' } };
      if (!answer.ok || answer.value.is !== 'done' || answer.value.checkpointId === undefined) return answer;
      const { checkpointId } = answer.value;
      const details = get(`/jobs/${jobId}/checkpoints/details/${checkpointId}`, signal);
      const where = await ask(wire, cluster, details, checkpointPath);
      // A checkpoint that is not kept any more has no path, but it was taken.
      if (!where.ok) return where.failure.kind === 'refused' ? answer : where;
      if (where.value.id !== checkpointId) {
        return speaksOf(cluster, `checkpoint ${checkpointId}`, `checkpoint ${where.value.id}`);
      }
      const location = where.value.path;
      return { ok: true, value: { ...answer.value, ...(location !== undefined && { location }) } };
    },
  };
}
