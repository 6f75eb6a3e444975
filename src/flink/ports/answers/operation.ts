import * as z from 'zod';
import type { Operation } from '../../rest.ts';
import { summaryOf } from '../java-trace.ts';

const status = z.object({ id: z.enum(['IN_PROGRESS', 'COMPLETED']) });
const cause = z.object({ 'stack-trace': z.string() });

/** `GET /jobs/:jobid/savepoints/:triggerid`, also of a stop. A failure is an answer like any other. */
export const savepointOperation = z
  .object({
    status,
    operation: z.object({ location: z.string().nullish(), 'failure-cause': cause.nullish() }).nullish(),
  })
  .transform(({ status: { id }, operation }, context): Operation => {
    if (id === 'IN_PROGRESS') return { is: 'in progress' };
    if (operation?.['failure-cause']) return failed(operation['failure-cause']);
    if (operation?.location) return { is: 'done', location: operation.location };
    context.addIssue('completed, but neither a location nor a failure');
    return z.NEVER;
  });

/** `GET /jobs/:jobid/checkpoints/:triggerid`. Where it lies is another question. */
export const checkpointOperation = z
  .object({
    status,
    operation: z.object({ checkpointId: z.int().nullish(), failureCause: cause.nullish() }).nullish(),
  })
  .transform(({ status: { id }, operation }, context): Operation => {
    if (id === 'IN_PROGRESS') return { is: 'in progress' };
    if (operation?.failureCause) return failed(operation.failureCause);
    if (operation?.checkpointId != null) return { is: 'done', checkpointId: operation.checkpointId };
    context.addIssue('completed, but neither a checkpoint nor a failure');
    return z.NEVER;
  });

/** `GET /savepoint-disposal/:triggerid`: absent while it runs, then why it failed, or an empty text. */
export const disposalOperation = z
  .object({ status, operation: z.object({ 'failure-cause': cause.nullish() }).nullish() })
  .transform(({ status: { id }, operation }) =>
    id === 'IN_PROGRESS' ? undefined : (operation?.['failure-cause']?.['stack-trace'] ?? ''),
  );

/** What every trigger answers: `{"request-id": …}`. */
export const triggered = z.object({ 'request-id': z.string() }).transform((body) => body['request-id']);

function failed(why: z.output<typeof cause>): Operation {
  return { is: 'failed', message: summaryOf(why['stack-trace']) };
}
