import * as z from 'zod';
import { keptOf, summaryOf } from '../java-trace.ts';

/** `GET /jobs/:jobid/execution-result`: why the job failed; `undefined` while it is not over, or when it did not fail. */
export const jobFailure = z
  .object({
    status: z.object({ id: z.string() }),
    'job-execution-result': z.object({ 'failure-cause': z.object({ 'stack-trace': z.string() }).nullish() }).nullish(),
  })
  .transform((body) => {
    const trace = body['job-execution-result']?.['failure-cause']?.['stack-trace'];
    return trace === undefined ? undefined : { summary: summaryOf(trace), stack: keptOf(trace) };
  });
