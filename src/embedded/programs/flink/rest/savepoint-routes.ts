import type { Clock } from '../../../../clock/clock.ts';
import { Operations } from '../operations.ts';
import { readSnapshot, removeSnapshot } from '../snapshot-file.ts';
import { normalPath, schemeOf } from '../storage.ts';
import { failureCause, inCompletion, jobNotFound, stateMissing } from '../throwable.ts';
import { accepted, type Call, idIn, objectOf, ok, type Reply, type Route, textIn } from './call.ts';
import { badBody, handlerError } from './rest-error.ts';

const status =
  'job.savepoints.SavepointHandlers$SavepointStatusHandler.maybeCreateNotFoundError(SavepointHandlers.java:325)';

/** Savepoints, with and without an end of the job, and their disposal. Failures show when the outcome is asked for. */
export function savepointRoutes(clock: Clock): readonly Route[] {
  const operations = new Operations(clock);
  const disposals = new Map<string, Readonly<Record<string, unknown>>>();
  return [
    {
      method: 'POST',
      pattern: '/jobs/:job/savepoints',
      handle: (call) => {
        const body = objectOf(call, 'SavepointTriggerRequestBody');
        return trigger(
          operations,
          call,
          body,
          'SavepointTriggerRequestBody',
          body['cancel-job'] === true ? 'cancel' : 'continue',
        );
      },
    },
    {
      method: 'POST',
      pattern: '/jobs/:job/stop',
      handle: (call) => {
        const body = objectOf(call, 'StopWithSavepointRequestBody');
        return trigger(operations, call, body, 'StopWithSavepointRequestBody', 'stop');
      },
    },
    {
      method: 'GET',
      pattern: '/jobs/:job/savepoints/:trigger',
      handle: ({ parameters: { job, trigger: id } }) => {
        const found = operations.status(`${job}/${id}`);
        if (!found)
          throw handlerError(404, `There is no savepoint operation with triggerId=${id} for job ${job}.`, status);
        const { outcome } = found;
        if (!outcome) return ok({ status: { id: 'IN_PROGRESS' }, operation: null });
        return ok({
          status: { id: 'COMPLETED' },
          operation:
            'problem' in outcome
              ? { 'failure-cause': failureCause(inCompletion(outcome.problem)) }
              : { location: outcome.location },
        });
      },
    },
    {
      method: 'POST',
      pattern: '/savepoint-disposal',
      handle: (call) => {
        const path = textIn(objectOf(call, 'SavepointDisposalRequest'), 'savepoint-path');
        if (path === undefined)
          throw badBody('SavepointDisposalRequest', "Missing required creator property 'savepoint-path'");
        const id = call.manager.here.random.uuid().replaceAll('-', '');
        disposals.set(id, dispose(call, path));
        return ok({ 'request-id': id });
      },
    },
    {
      method: 'GET',
      pattern: '/savepoint-disposal/:trigger',
      handle: ({ parameters: { trigger: id = '' } }) => {
        const at =
          'async.AbstractAsynchronousOperationHandlers$StatusHandler.handleRequest(AbstractAsynchronousOperationHandlers.java:167)';
        const operation = disposals.get(id);
        if (!operation) throw handlerError(404, `Operation not found under key: OperationKey(${id})`, at);
        return ok({ status: { id: 'COMPLETED' }, operation });
      },
    },
  ];
}

function trigger(
  operations: Operations,
  call: Call,
  body: Readonly<Record<string, unknown>>,
  type: string,
  end: 'continue' | 'stop' | 'cancel',
): Reply {
  const { manager, parameters } = call;
  const id = idIn(body, 'triggerId', type) ?? manager.here.random.uuid().replaceAll('-', '');
  const format = body.formatType ?? 'CANONICAL';
  if (format !== 'CANONICAL' && format !== 'NATIVE') {
    throw badBody(type, `Cannot deserialize value of type SavepointFormatType from String "${String(format)}"`);
  }
  const given = textIn(body, 'target-directory', 'targetDirectory');
  const directory = given === undefined ? undefined : normalPath(given);
  operations.start(`${parameters.job}/${id}`, () => {
    const job = manager.jobs.get(parameters.job ?? '');
    if (!job || job.isTerminal) return Promise.resolve({ problem: jobNotFound(parameters.job ?? '') });
    return job.savepoint({ directory, format, end });
  });
  return accepted({ 'request-id': id });
}

function dispose({ manager: { world } }: Call, path: string): Readonly<Record<string, unknown>> {
  const normal = normalPath(path);
  if (readSnapshot(world, normal)) {
    removeSnapshot(world, normal);
    return {};
  }
  return {
    'failure-cause': failureCause({
      type: 'org.apache.flink.util.FlinkException',
      message: `Could not dispose savepoint ${path}.`,
      at: 'org.apache.flink.runtime.dispatcher.Dispatcher.lambda$disposeSavepoint$11(Dispatcher.java:806)',
      cause: stateMissing(path, schemeOf(path)),
    }),
  };
}
