import * as z from 'zod';
import type { Exact } from '../../schema/exact.ts';

/** Flink's own states of a job. */
export const jobStates = [
  'INITIALIZING',
  'CREATED',
  'RUNNING',
  'FAILING',
  'FAILED',
  'CANCELLING',
  'CANCELED',
  'FINISHED',
  'RESTARTING',
  'SUSPENDED',
  'RECONCILING',
] as const;

const triggerType = z.enum(['MANUAL', 'PERIODIC', 'UPGRADE', 'UNKNOWN']).optional();
export const savepointFormat = z.enum(['CANONICAL', 'NATIVE', 'UNKNOWN']);
const checkpointType = z.enum(['FULL', 'INCREMENTAL', 'UNKNOWN']);

const savepoint = z.object({
  timeStamp: z.int().optional(),
  location: z.string().optional(),
  triggerType,
  formatType: savepointFormat.optional(),
  triggerNonce: z.int().optional(),
});

const checkpoint = z.object({
  timeStamp: z.int().optional(),
  triggerType,
  formatType: checkpointType.optional(),
  triggerNonce: z.int().optional(),
});

const trigger = {
  triggerId: z.string().optional(),
  triggerTimestamp: z.int().optional(),
  triggerType,
};

const savepointInfo = z.object({
  lastSavepoint: savepoint.optional(),
  ...trigger,
  formatType: savepointFormat.optional(),
  savepointHistory: z.array(savepoint).optional(),
  lastPeriodicSavepointTimestamp: z.int().optional(),
});

const checkpointInfo = z.object({
  lastCheckpoint: checkpoint.optional(),
  ...trigger,
  formatType: checkpointType.optional(),
  lastPeriodicCheckpointTimestamp: z.int().optional(),
});

/** What is known of the job. Times are milliseconds since 1970, as text where the upstream writes text. */
export const jobStatus = z
  .object({
    jobName: z.string().optional(),
    jobId: z.string().optional().describe('32 hexadecimal digits.'),
    state: z.enum(jobStates).optional().describe('The state that Flink reports.'),
    startTime: z.string().optional(),
    updateTime: z.string().optional(),
    upgradeSavepointPath: z.string().optional().describe('The state that the next deployment starts from.'),
    savepointInfo: savepointInfo.optional().meta({ deprecated: true }),
    checkpointInfo: checkpointInfo.optional().meta({ deprecated: true }),
  })
  .optional();

export type JobStatus = Exact<NonNullable<z.output<typeof jobStatus>>>;
export type JobState = (typeof jobStates)[number];
export type SavepointInfo = Exact<z.output<typeof savepointInfo>>;
