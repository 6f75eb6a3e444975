import * as z from 'zod';
import type { JobException } from '../../rest.ts';
import { keptOf } from '../java-trace.ts';

const entry = z.object({
  exceptionName: z.string(),
  stacktrace: z.string(),
  timestamp: z.number(),
  taskName: z.string().nullish(),
  endpoint: z.string().nullish(),
  taskManagerId: z.string().nullish(),
  failureLabels: z.record(z.string(), z.string()).nullish(),
});

/** `GET /jobs/:jobid/exceptions`, newest first. Only the history is read: the older fields are gone from Flink 2. */
export const exceptions = z
  .object({ exceptionHistory: z.object({ entries: z.array(entry) }) })
  .transform(({ exceptionHistory: { entries } }): readonly JobException[] =>
    entries
      .map((one) => ({
        name: one.exceptionName,
        stack: keptOf(one.stacktrace),
        at: one.timestamp,
        task: one.taskName ?? undefined,
        endpoint: one.endpoint ?? undefined,
        taskManager: one.taskManagerId ?? undefined,
        labels: one.failureLabels ?? {},
      }))
      .sort((a, b) => b.at - a.at),
  );
