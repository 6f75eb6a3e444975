import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { rule } from '../../schema/types.ts';
import { blueGreenCauses, blueGreenTransition, color, redeployNonces, restore } from './blue-green-transition.ts';
import { flinkDeploymentSpec } from './flink-deployment.ts';
import { ingressSpec } from './ingress-spec.ts';
import { jobStatus } from './job-status.ts';

/** The states of seed 001. */
export const blueGreenStates = [
  'INITIALIZING_BLUE',
  'ACTIVE_BLUE',
  'ACTIVE_GREEN',
  'SAVEPOINTING_BLUE',
  'SAVEPOINTING_GREEN',
  'TRANSITIONING_TO_BLUE',
  'TRANSITIONING_TO_GREEN',
] as const;

/** The expression that `savepointRedeployNonce` takes a new value in an update. */
const savepointRedeployChanges =
  'has(self.job) && has(oldSelf.job) && has(self.job.savepointRedeployNonce) && (!has(oldSelf.job.savepointRedeployNonce) || self.job.savepointRedeployNonce != oldSelf.job.savepointRedeployNonce)';

const templateSpec = rule(flinkDeploymentSpec, {
  rule: `!(${savepointRedeployChanges}) || (has(self.job.initialSavepointPath) && self.job.initialSavepointPath != '')`,
  fieldPath: '.job.initialSavepointPath',
  message:
    'a change of savepointRedeployNonce needs an initialSavepointPath: write the savepoint to start from there, or set the nonce back; statelessRedeployNonce starts without state',
});

const spec = rule(
  z.object({
    configuration: z
      .record(z.string(), z.string())
      .optional()
      .describe('Settings of the transitions: kubernetes.operator.bluegreen.*'),
    ingress: ingressSpec.describe('An Ingress that follows the side that serves.'),
    template: z
      .object({
        metadata: z
          .looseObject({
            labels: z.record(z.string(), z.string()).optional(),
            annotations: z.record(z.string(), z.string()).optional(),
          })
          .optional()
          .describe('Labels and annotations of both FlinkDeployments.'),
        spec: templateSpec.optional().describe('The spec of both FlinkDeployments.'),
      })
      .optional()
      .describe('What the FlinkDeployments are made from.'),
  }),
  {
    rule: 'has(self.template) && has(self.template.spec) && has(self.template.spec.job)',
    message:
      'template.spec.job is absent: write what to run, at least jarURI and parallelism; a session cluster is a FlinkDeployment of its own, without a job',
  },
);

const historyEntry = z.object({
  id: z.string().describe('The id that the transition had.'),
  cause: z.enum(blueGreenCauses).describe('Why the other side was made.'),
  because: z.string().describe('The cause in one sentence.'),
  generation: z.int().describe('The generation of the spec that it aimed at.'),
  from: color.optional(),
  to: color,
  startedAt: z.string(),
  endedAt: z.string(),
  outcome: z.enum(['promoted', 'aborted', 'superseded', 'cancelled', 'rolled-back']).describe('How it ended.'),
  reason: z.string().optional().describe('Why it ended so, where that is not the rule.'),
  restoredFrom: z.string().optional().describe('The state that the target started from.'),
  steps: z.array(z.object({ phase: z.string(), startedAt: z.string() })).optional(),
});

const aborted = z.object({
  id: z.string().describe('The id of the transition.'),
  at: z.string(),
  color: color.describe('The side that did not come up.'),
  uid: z.string().optional().describe('The uid of that side, where it is left as it is.'),
  spec: z
    .string()
    .describe('The spec that is not tried again until it changes. The format is that of lastReconciledSpec.'),
  reason: z.string().describe('Why it was given up.'),
  byHand: z.boolean().optional().describe('A person gave it up: nothing is wrong.'),
  noncesBefore: redeployNonces
    .optional()
    .describe('The nonces that had been acted upon before it: an edit that mends it acts upon its nonce again.'),
});

const inPlace = z.object({
  color: color.describe('The side that is changed.'),
  uid: z.string().optional().describe('The uid of that side.'),
  how: z
    .enum(['patched', 'replaced', 'restarted'])
    .describe('Only where the templates differ, as a whole, or as a whole and starting from what it says.'),
  spec: z.string().describe('What the side has when it is done. The format is that of lastReconciledSpec.'),
  givenUp: z.string().optional().describe('What was given up, as it is wanted now.'),
  restore: restore.optional().describe('What that side starts from, should it be made once more.'),
  because: z.string(),
});

const status = z.object({
  jobStatus,
  blueGreenState: z.enum(blueGreenStates).optional().describe('Where the state machine is.'),
  lastReconciledSpec: z.string().optional().describe('The spec that the serving side has.'),
  lastReconciledTimestamp: z.string().optional().describe('When that was last written.'),
  abortTimestamp: z.string().optional().describe('When the transition is given up; 1970 when there is none.'),
  deploymentReadyTimestamp: z.string().optional().describe('When the target became ready; 1970 when it is not.'),
  savepointTriggerId: z.string().optional().describe('The savepoint of the transition, as Flink knows it.'),
  error: z.string().optional().describe('What is wrong.'),

  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  serving: z
    .object({
      color: color.describe('The side that serves.'),
      name: z.string().describe('Its FlinkDeployment.'),
      uid: z.string().optional().describe('The uid of that FlinkDeployment.'),
      since: z.string().describe('Since when.'),
      suspended: z
        .boolean()
        .optional()
        .describe('It was suspended for the sake of its last checkpoint, not because the spec says so.'),
    })
    .optional()
    .describe('The side that traffic goes to; external routing may follow it.'),
  attempt: z.int().optional().describe('How many effects were ever begun; ids derive from it. Never goes back.'),
  nonces: redeployNonces
    .optional()
    .describe('The last value of each redeploy nonce that was acted upon; outlives its removal.'),
  superseded: redeployNonces
    .optional()
    .describe('A redeploy nonce that does not act: the other one was changed before a side was made for it.'),
  wanted: z
    .string()
    .optional()
    .describe(
      'The spec that was accepted last, until a side has it or is made for it: what holds while an edit is refused. The format is that of lastReconciledSpec.',
    ),
  transition: blueGreenTransition.optional().describe('Everything about the transition under way.'),
  inPlace: inPlace.optional().describe('The change of a side in place that is under way.'),
  aborted: aborted.optional().describe('The transition that was given up last, until the spec changes.'),
  lastSavepoint: z
    .object({ path: z.string(), at: z.string(), snapshot: z.string().optional() })
    .optional()
    .describe('The last state that is known of the serving side.'),
  history: z.array(historyEntry).max(10).optional().describe('The last transitions, the newest first.'),
  conditions,
});

export const flinkBlueGreenDeployment = defineKind({
  group: 'flink.apache.org',
  version: 'v1beta1',
  kind: 'FlinkBlueGreenDeployment',
  plural: 'flinkbluegreendeployments',
  shortNames: ['flinkbgdep'],
  scope: 'Namespaced',
  description: 'A Flink application whose changes go to a second cluster, which takes over once it runs.',
  spec,
  status,
  columns: [
    { name: 'Job Status', type: 'string', path: '.status.jobStatus.state', description: 'How the job is.' },
    { name: 'State', type: 'string', path: '.status.blueGreenState', description: 'Where the state machine is.' },
    { name: 'Serving', type: 'string', path: '.status.serving.color', description: 'The side that traffic goes to.' },
    {
      name: 'Cause',
      type: 'string',
      path: '.status.transition.cause',
      description: 'Why the other side is being made.',
    },
  ],
});

type Written = Body<typeof flinkBlueGreenDeployment>;

export type FlinkBlueGreenDeploymentSpec = Exact<Written['spec']>;
export type FlinkBlueGreenDeploymentStatus = Exact<NonNullable<Written['status']>>;
export type FlinkBlueGreenDeployment = KubeObject & {
  readonly spec: FlinkBlueGreenDeploymentSpec;
  readonly status?: FlinkBlueGreenDeploymentStatus;
};
export type BlueGreenState = (typeof blueGreenStates)[number];
export type BlueGreenHistoryEntry = Exact<z.output<typeof historyEntry>>;
