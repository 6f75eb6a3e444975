import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { flinkConfiguration } from './flink-configuration.ts';
import { jobSpec } from './job-spec.ts';
import { jobStatus } from './job-status.ts';
import { nonce } from './nonce.ts';
import { ownFields } from './own-fields.ts';
import { progress, type WithTransition } from './progress.ts';
import { lifecycleState, reconciliationStatus } from './reconciliation-status.ts';

const spec = z
  .object({
    deploymentName: z.string().optional().describe('The session cluster, a FlinkDeployment of the same namespace.'),
    job: jobSpec,
    restartNonce: nonce('upgrade', 'Another number restarts the job as an upgrade would.'),
    flinkConfiguration,
  })
  .meta({ change: ownFields });

const status = z.object({
  jobStatus,
  error: z.string().optional().describe('What is wrong: a JSON object with type and message, or plain text.'),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  lifecycleState,
  reconciliationStatus,
  ...progress,
});

export const flinkSessionJob = defineKind({
  group: 'flink.apache.org',
  version: 'v1beta1',
  kind: 'FlinkSessionJob',
  plural: 'flinksessionjobs',
  shortNames: ['sessionjob'],
  scope: 'Namespaced',
  description: 'A job in a session cluster.',
  spec,
  status,
  columns: [
    {
      name: 'Job Status',
      type: 'string',
      path: '.status.jobStatus.state',
      description: 'Last observed state of the job.',
    },
    {
      name: 'Lifecycle State',
      type: 'string',
      path: '.status.lifecycleState',
      description: 'Where the resource is in its life.',
    },
  ],
});

type Written = Body<typeof flinkSessionJob>;

export type FlinkSessionJobSpec = Exact<Written['spec']>;
export type FlinkSessionJobStatus = WithTransition<Exact<NonNullable<Written['status']>>>;
export type FlinkSessionJob = KubeObject & {
  readonly spec: FlinkSessionJobSpec;
  readonly status?: FlinkSessionJobStatus;
};
