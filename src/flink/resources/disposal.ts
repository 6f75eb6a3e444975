import * as z from 'zod';
import type { Exact } from '../../schema/exact.ts';

/** The removal of a savepoint that nobody needs any more; written before it is asked for. */
export const disposal = z.object({
  id: z.string().describe('The id of the request that removes it.'),
  path: z.string().describe('Where the savepoint lies.'),
  startedAt: z.string().describe('When its removal was first asked for.'),
  failures: z.int().optional().describe('How often it has failed.'),
  retryAt: z.string().optional().describe('When it is tried again.'),
  error: z.string().optional().describe('Why it failed last.'),
});

export type Disposal = Exact<z.output<typeof disposal>>;
