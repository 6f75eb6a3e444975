import * as z from 'zod';
import type { Exact } from '../../schema/exact.ts';

export const colors = ['BLUE', 'GREEN'] as const;
export const color = z.enum(colors);
export type Color = (typeof colors)[number];

/** Why the other side is made. The same words appear in status, events, history and docs. */
export const blueGreenCauses = [
  /** Nothing was deployed before. */
  'first-deployment',
  /** The template demands it. */
  'spec-change',
  /** `savepointRedeployNonce` changed. */
  'savepoint-redeploy',
  /** `statelessRedeployNonce` changed. */
  'stateless-redeploy',
] as const;

/**
 * - `savepointing`: the serving side's savepoint is taken or, where asked for, an unhealthy serving side is suspended for the
 *   sake of its last checkpoint. State: SAVEPOINTING_x
 * - `starting`: the target is made, and has not been ready yet, or not since traffic returned from it
 * - `verifying`: the target is ready; a hold or a person decides when it is promoted
 * - `switching`: traffic moves to the target
 * - `draining`: traffic is at the target; the deletion delay runs
 * - `keeping`: the delay is over; the old side is kept for a way back
 * - `retiring`: the old side is to be deleted
 * - `returning`: traffic moves back to the old side
 *
 * From `starting` on the state is TRANSITIONING_TO_y; during the first deployment it is INITIALIZING_BLUE throughout.
 */
export const blueGreenPhases = [
  'savepointing',
  'starting',
  'verifying',
  'switching',
  'draining',
  'keeping',
  'retiring',
  'returning',
] as const;

const savepoint = z.object({
  snapshot: z.string().describe('The FlinkStateSnapshot that stands for it.'),
  uid: z.string().describe('The uid of the side that it is taken of.'),
  jobId: z.string().optional().describe('The job that it is taken of.'),
  askedAt: z.string().describe('When it was asked for.'),
  deadline: z.string().describe('When it counts as failed.'),
  triggerId: z.string().optional().describe('The id under which Flink knows it.'),
  path: z.string().optional().describe('Where it lies; absent until it is complete.'),
});

/** What a side starts from. */
export const restore = z.object({
  mode: z.enum(['stateless', 'savepoint', 'checkpoint', 'user']).describe('What the target starts from.'),
  path: z.string().optional().describe('The savepoint or checkpoint that it starts from.'),
});

/** The redeploy nonces. */
export const redeployNonces = z.object({
  savepointRedeploy: z.int().optional(),
  statelessRedeploy: z.int().optional(),
});

/** Everything about a transition under way; written before its first effect and dropped as a whole when it ends. */
export const blueGreenTransition = z.object({
  id: z.string().describe('The id of this transition: the uid of the resource and the attempt.'),
  cause: z.enum(blueGreenCauses).describe('Why the other side is made.'),
  because: z.string().describe('The cause in one sentence.'),
  generation: z.int().describe('The generation of the spec that it aims at.'),
  from: color.optional().describe('The side that serves; absent in the first deployment.'),
  to: color.describe('The side that is made.'),
  phase: z.enum(blueGreenPhases).describe('What is being done now.'),
  startedAt: z.string().describe('When it began.'),
  phaseStartedAt: z.string().describe('When its phase began.'),
  spec: z
    .string()
    .optional()
    .describe(
      'The spec that the target was made for; absent until it is made. The format is that of lastReconciledSpec.',
    ),
  noncesBefore: redeployNonces.optional().describe('The nonces that had been acted upon before the target was made.'),
  targetId: z.string().optional().describe('The id that the target carries.'),
  targetUid: z.string().optional().describe('The uid of the target, once it was seen.'),
  savepoint: savepoint.optional().describe('The savepoint of this transition.'),
  savepointFailures: z.int().optional().describe('How often the savepoint has failed.'),
  savepointRetryAt: z.string().optional().describe('When it is tried again.'),
  savepointError: z.string().optional().describe('Why it failed last.'),
  restore: restore.optional().describe('What the target starts from; absent until it is known.'),
  deadline: z.string().optional().describe('When the target must be ready; absent while it is.'),
  readyAt: z.string().optional().describe('Since when the target has been ready.'),
  trafficAt: z.string().optional().describe('When traffic was at the target; absent while the old side has it.'),
  moveId: z
    .string()
    .optional()
    .describe('The id of the last move of traffic, there or back. The Ingress carries it once it is led there.'),
  retire: z
    .object({
      uid: z.string().describe('The uid of the side that is to be deleted.'),
      askedAt: z.string().describe('When that was decided.'),
    })
    .optional()
    .describe('The deletion of the old side: from here on a way back begins with a mark on that side.'),
  steps: z
    .array(z.object({ phase: z.string(), startedAt: z.string() }))
    .max(30)
    .optional()
    .describe('The phases that it has been in, the first first.'),
});

export type BlueGreenTransition = Exact<z.output<typeof blueGreenTransition>>;
export type BlueGreenPhase = (typeof blueGreenPhases)[number];
export type BlueGreenCause = (typeof blueGreenCauses)[number];
