import * as z from 'zod';

/** Why something is being redone. The same words appear in status, events, history and docs. */
export const causes = [
  /** Nothing was deployed before. */
  'first-deployment',
  /** The spec demands an upgrade; also a changed `restartNonce`, a suspend or a resume. */
  'spec-change',
  /** `savepointRedeployNonce` changed. */
  'savepoint-redeploy',
  /** `statelessRedeployNonce` changed. */
  'stateless-redeploy',
  /** The new spec did not become stable in time. */
  'rollback',
  /** The JobManager Deployment was gone although the job should run. */
  'recovery',
  /** The job restarted too often, or its checkpoints made no progress. */
  'unhealthy',
  /** The job ended as FAILED, and failed jobs are to be restarted. */
  'failed-job',
  /** The resource is being deleted. */
  'deletion',
] as const;

/**
 * How the job that runs is brought to an end.
 * - `none`: it has ended, or never ran
 * - `stateless`: cancelled, its state is left behind
 * - `savepoint`: stopped with a savepoint
 * - `cancel`: cancelled; its last checkpoint is carried over
 * - `last-state`: its cluster is deleted, the HA metadata stays
 */
export const suspendModes = ['none', 'stateless', 'savepoint', 'cancel', 'last-state'] as const;

/** What the next job starts from. `savepoint` also stands for a retained checkpoint: anything with a path. */
export const restoreModes = ['stateless', 'savepoint', 'last-state'] as const;

/**
 * - `suspending`: the old job is being brought to an end
 * - `clearing`: the old cluster's objects are being removed, and its HA metadata unless it is needed
 * - `starting`: the new objects are being made, or the job is being submitted
 * - `rescaling`: nothing is stopped; Flink is told another parallelism
 */
export const phases = ['suspending', 'clearing', 'starting', 'rescaling'] as const;

/** Everything about a change under way; written before its first effect and dropped as a whole when it ends. */
export const transition = z.object({
  id: z.string().describe('The id of this transition: the uid of the resource and the attempt.'),
  cause: z.enum(causes).describe('Why something is being redone.'),
  because: z.string().describe('The cause in one sentence.'),
  generation: z.int().describe('The generation of the spec that it aims at.'),
  phase: z.enum(phases).describe('What is being done now.'),
  startedAt: z.string().describe('When it began.'),
  phaseStartedAt: z.string().describe('When its phase began.'),
  stop: z
    .object({
      mode: z.enum(suspendModes).describe('How the job that runs is brought to an end.'),
      jobId: z.string().optional().describe('The job that is brought to an end.'),
      callId: z
        .string()
        .optional()
        .describe('The id of the request that ends it: the trigger id of a stop with savepoint, or of a cancellation.'),
      askedAt: z.string().optional().describe('When it was first asked to end.'),
      failures: z.int().optional().describe('How often ending it has failed.'),
      retryAt: z.string().optional().describe('When it is tried again.'),
      error: z.string().optional().describe('Why it failed last.'),
    })
    .describe('How the job that runs is brought to an end.'),
  restore: z
    .object({
      mode: z.enum(restoreModes).describe('What the next job starts from.'),
      path: z.string().optional().describe('The savepoint or retained checkpoint that it starts from.'),
    })
    .describe('What the next job starts from.'),
  dropped: z
    .object({
      location: z.string().optional().describe('Where the state that is left behind lies.'),
      knownAt: z.string().optional().describe('How old that knowledge is.'),
    })
    .optional()
    .describe('The state that is left behind.'),
  jobId: z.string().optional().describe('The id of the job that is started.'),
});

export type Transition = z.infer<typeof transition>;
export type Cause = (typeof causes)[number];
export type SuspendMode = (typeof suspendModes)[number];
export type RestoreMode = (typeof restoreModes)[number];
