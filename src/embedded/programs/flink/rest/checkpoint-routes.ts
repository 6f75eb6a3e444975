import type { Clock } from '../../../../clock/clock.ts';
import { Operations } from '../operations.ts';
import { failureCause, inCompletion, jobNotFound } from '../throwable.ts';
import { accepted, idIn, jobOf, objectOf, ok, type Route } from './call.ts';
import { recordDetails, statisticsView } from './checkpoint-view.ts';
import { badBody, handlerError, notFound, serverError } from './rest-error.ts';

const statistics =
  'job.checkpoints.AbstractCheckpointStatsHandler.lambda$handleRequest$2(AbstractCheckpointStatsHandler.java:102)';
const status =
  'job.checkpoints.CheckpointHandlers$CheckpointStatusHandler.maybeCreateNotFoundError(CheckpointHandlers.java:226)';

/** A job has no master yet that could tell. */
const initializing = {
  type: 'org.apache.flink.runtime.dispatcher.UnavailableDispatcherOperationException',
  message:
    'Unable to get JobMasterGateway for initializing job. The requested operation is not available while the JobManager is initializing.',
  at: 'org.apache.flink.runtime.dispatcher.Dispatcher.getJobMasterGateway(Dispatcher.java:1503)',
};

/** About checkpoints: statistics, and taking one on demand. */
export function checkpointRoutes(clock: Clock): readonly Route[] {
  const operations = new Operations(clock);
  return [
    {
      method: 'GET',
      pattern: '/jobs/:job/checkpoints',
      handle: (call) => {
        const job = jobOf(call, statistics);
        if (job.status === 'INITIALIZING') throw serverError(initializing);
        const view = call.views.of(job, 'checkpoints');
        const at =
          'job.checkpoints.CheckpointingStatisticsHandler.handleRequest(CheckpointingStatisticsHandler.java:92)';
        if (!view.hasTasks) throw handlerError(404, 'Checkpointing has not been enabled.', at);
        return ok(statisticsView(view));
      },
    },
    {
      method: 'GET',
      pattern: '/jobs/:job/checkpoints/config',
      handle: (call) => {
        const { settings } = jobOf(call, statistics);
        return ok({
          mode: 'exactly_once',
          // Without periodic checkpoints Flink shows the largest long.
          interval: settings.intervalMs ?? 9_223_372_036_854_776_000,
          timeout: settings.timeoutMs,
          min_pause: 0,
          max_concurrent: 1,
          externalization: {
            enabled: settings.retention !== 'NO_EXTERNALIZED_CHECKPOINTS',
            delete_on_cancellation: settings.retention !== 'RETAIN_ON_CANCELLATION',
          },
          state_backend: 'HashMapStateBackend',
          checkpoint_storage: settings.directory ? 'FileSystemCheckpointStorage' : 'JobManagerCheckpointStorage',
          unaligned_checkpoints: false,
          tolerable_failed_checkpoints: settings.tolerableFailures,
          aligned_checkpoint_timeout: 0,
          checkpoints_after_tasks_finish: true,
          state_changelog_enabled: false,
          changelog_periodic_materialization_interval: 600_000,
          changelog_storage: 'memory',
        });
      },
    },
    {
      method: 'GET',
      pattern: '/jobs/:job/checkpoints/details/:checkpoint',
      handle: (call) => {
        const view = call.views.of(jobOf(call, statistics), 'checkpoints');
        const id = Number(call.parameters.checkpoint);
        const { history, latest } = view.checkpoints;
        const record = [...history, ...Object.values(latest)].find((one) => one.id === id);
        const at =
          'job.checkpoints.CheckpointStatisticDetailsHandler.handleRequest(CheckpointStatisticDetailsHandler.java:96)';
        if (!record)
          throw notFound(`Could not find checkpointing statistics for checkpoint ${call.parameters.checkpoint}.`, at);
        return ok(recordDetails(record, view.parallelism));
      },
    },
    {
      method: 'POST',
      pattern: '/jobs/:job/checkpoints',
      handle: (call) => {
        const type = 'CheckpointTriggerRequestBody';
        const body = objectOf(call, type);
        const kind = body.checkpointType ?? 'CONFIGURED';
        if (!['CONFIGURED', 'FULL', 'INCREMENTAL'].includes(String(kind))) {
          throw badBody(type, `Cannot deserialize value of type CheckpointType from String "${String(kind)}"`);
        }
        const id = idIn(body, 'triggerId', type) ?? call.manager.here.random.uuid().replaceAll('-', '');
        const job = call.manager.jobs.get(call.parameters.job ?? '');
        operations.start(`${call.parameters.job}/${id}`, () =>
          job && !job.isTerminal
            ? job.checkpoint()
            : Promise.resolve({ problem: jobNotFound(call.parameters.job ?? '') }),
        );
        return accepted({ 'request-id': id });
      },
    },
    {
      method: 'GET',
      pattern: '/jobs/:job/checkpoints/:trigger',
      handle: ({ parameters: { job, trigger } }) => {
        const found = operations.status(`${job}/${trigger}`);
        if (!found)
          throw handlerError(404, `There is no checkpoint operation with triggerId=${trigger} for job ${job}.`, status);
        const { outcome } = found;
        if (!outcome) return ok({ status: { id: 'IN_PROGRESS' }, operation: null });
        return ok({
          status: { id: 'COMPLETED' },
          operation:
            'problem' in outcome
              ? { failureCause: failureCause(inCompletion(outcome.problem)) }
              : { checkpointId: outcome.id },
        });
      },
    },
  ];
}
