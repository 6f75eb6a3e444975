import * as z from 'zod';
import type { Exact } from '../../schema/exact.ts';

/** More do not fit into an object: beyond them only the numbers say how a process stands. */
export const mostInstancesShown = 5000;

/** By index. Only instances of the revision that is wanted; one that still runs another is STARTING, and says so. */
export const instancesStatus = z
  .record(
    z.string(),
    z.object({
      state: z.enum(['DOWN', 'CRASHED', 'STARTING', 'RUNNING']),
      timestamp: z.string().optional().describe('Since when it runs.'),
      details: z.string().optional().describe('Why it does not run yet.'),
    }),
  )
  .describe('How each instance stands, by its index.');

export type InstancesStatus = Exact<z.infer<typeof instancesStatus>>;
