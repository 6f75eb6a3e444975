import * as z from 'zod';
import type { Exact } from '../../schema/exact.ts';

/** Which spec has become true. The two specs are texts in the format of `recorded-spec.ts`. */
export const reconciliationStatus = z
  .object({
    reconciliationTimestamp: z.int().optional().describe('When the last spec was taken up; milliseconds since 1970.'),
    lastReconciledSpec: z.string().optional().describe('The spec that was deployed last.'),
    lastStableSpec: z.string().optional().describe('The spec that last ran stably: where a rollback leads.'),
    state: z.enum(['DEPLOYED', 'UPGRADING', 'ROLLING_BACK', 'ROLLED_BACK']).optional(),
  })
  .optional();

export type ReconciliationStatus = Exact<NonNullable<z.output<typeof reconciliationStatus>>>;

/** Where a resource is in its life. */
export const lifecycleState = z
  .enum([
    'CREATED',
    'SUSPENDED',
    'UPGRADING',
    'DEPLOYED',
    'STABLE',
    'ROLLING_BACK',
    'ROLLED_BACK',
    'FAILED',
    'DELETING',
    'DELETED',
  ])
  .optional();

export type LifecycleState = NonNullable<z.output<typeof lifecycleState>>;
