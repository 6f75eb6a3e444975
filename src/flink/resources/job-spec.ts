import * as z from 'zod';
import type { Exact } from '../../schema/exact.ts';
import { rule } from '../../schema/types.ts';
import { ignorableNonce, nonce } from './nonce.ts';
import { ownFields } from './own-fields.ts';

/** The expression that both redeploy nonces take a new value in one update. Removing a nonce is no new value. */
const bothRedeploysChange = ['savepointRedeployNonce', 'statelessRedeployNonce']
  .map((name) => `has(self.${name}) && (!has(oldSelf.${name}) || self.${name} != oldSelf.${name})`)
  .join(' && ');

const job = z
  .object({
    jarURI: z.string().optional().describe('The job jar; when absent the job is on the class path of the image.'),
    parallelism: z
      .int32()
      .optional()
      .meta({
        description: 'Parallelism of the job, unless taskManager.replicas decides it.',
        change: { demands: { by: 'mode', cases: { standalone: 'scale' }, otherwise: 'upgrade' }, absentMeans: 0 },
      }),
    entryClass: z
      .string()
      .optional()
      .describe('The class whose main method runs; when absent the manifest of the jar says it.'),
    args: z
      .array(z.string())
      .optional()
      .meta({ description: 'Arguments of the job.', change: { absentMeans: [] } }),
    state: z
      .enum(['running', 'suspended'])
      .optional()
      .meta({ description: 'Whether the job should run; "running" when absent.', change: { absentMeans: 'running' } }),
    savepointTriggerNonce: ignorableNonce(
      'Another number takes a savepoint; FlinkStateSnapshot is the better way.',
    ).meta({
      deprecated: true,
    }),
    initialSavepointPath: z.string().optional().meta({
      description: 'Where the first deployment, and every savepoint redeploy, takes its state from.',
      change: 'nothing',
    }),
    checkpointTriggerNonce: ignorableNonce(
      'Another number takes a checkpoint; FlinkStateSnapshot is the better way.',
    ).meta({
      deprecated: true,
    }),
    upgradeMode: z
      .enum(['savepoint', 'last-state', 'stateless'])
      .optional()
      .meta({
        description: 'What an upgrade takes along; "stateless" when absent.',
        change: { demands: 'nothing', absentMeans: 'stateless' },
      }),
    allowNonRestoredState: z.boolean().optional().meta({
      description: 'State that no operator of the job claims is dropped instead of refused.',
      change: 'nothing',
    }),
    savepointRedeployNonce: nonce(
      'redeploy-from-savepoint',
      'Another number redeploys the job from initialSavepointPath, whatever state it is in.',
    ),
    statelessRedeployNonce: nonce(
      'redeploy-without-state',
      'Another number redeploys the job empty, whatever state it is in. Needs no initialSavepointPath and ignores one.',
    ),
    autoscalerResetNonce: ignorableNonce('Another number makes the autoscaler forget what it learned.'),
  })
  .meta({ change: ownFields });

/** A job of an application cluster or a session. Without it a FlinkDeployment is a session cluster. */
export const jobSpec = rule(job, {
  rule: `!(${bothRedeploysChange})`,
  message:
    'savepointRedeployNonce and statelessRedeployNonce must not change in one update: one asks for the state at initialSavepointPath, the other for none. Change only the one you mean.',
  messageExpression:
    "'savepointRedeployNonce (now %d) and statelessRedeployNonce (now %d) must not change in one update: one asks for the state at initialSavepointPath, the other for none. Change only the one you mean.'.format([self.savepointRedeployNonce, self.statelessRedeployNonce])",
})
  .optional()
  .describe('The job.');

export type JobSpec = Exact<z.output<typeof job>>;
export type UpgradeMode = NonNullable<JobSpec['upgradeMode']>;
