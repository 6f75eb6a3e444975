import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { flinkConfiguration } from './flink-configuration.ts';
import { ingressSpec } from './ingress-spec.ts';
import { jobSpec } from './job-spec.ts';
import { jobStatus } from './job-status.ts';
import { nonce } from './nonce.ts';
import { ownFields } from './own-fields.ts';
import { podTemplate } from './pod-template.ts';
import { jobManager, taskManager } from './processes.ts';
import { progress, type WithTransition } from './progress.ts';
import { lifecycleState, reconciliationStatus } from './reconciliation-status.ts';

/** Versions that the upstream's enumeration names. Which of them are supported is a question of validation. */
export const flinkVersions = [
  'v1_13',
  'v1_14',
  'v1_15',
  'v1_16',
  'v1_17',
  'v1_18',
  'v1_19',
  'v1_20',
  'v2_0',
  'v2_1',
  'v2_2',
  'v2_3',
  'v2_4',
] as const;

/**
 * A cluster as users write it, in the order in which the upstream lists changes. A blue/green deployment has the same as
 * its template.
 *
 * Nothing has a default that the API server fills in: an applied object comes back as it was written. What an absent field
 * means is said to the diff.
 */
export const flinkDeploymentSpec = z
  .object({
    image: z.string().optional().describe('The image of JobManager and TaskManagers.'),
    imagePullPolicy: z.string().optional().describe('IfNotPresent, Always or Never.'),
    serviceAccount: z.string().optional().describe('The service account of the pods; it must be there.'),
    flinkVersion: z.enum(flinkVersions).optional().describe('The minor version of Flink in the image.'),
    ingress: ingressSpec,
    podTemplate: podTemplate('Template of all pods of the cluster.'),
    jobManager,
    taskManager,
    logConfiguration: z
      .record(z.string(), z.string())
      .optional()
      .describe('Logging configuration by file name: log4j-console.properties, logback-console.xml.'),
    mode: z
      .enum(['native', 'standalone'])
      .optional()
      .meta({
        description: 'Who makes the TaskManagers: Flink itself ("native", also when absent) or Cutover ("standalone").',
        change: { absentMeans: 'native' },
      }),
    job: jobSpec.describe('The job of an application cluster; a session cluster has none.'),
    restartNonce: nonce('upgrade', 'Another number restarts the cluster as an upgrade would.'),
    flinkConfiguration,
  })
  .meta({ change: ownFields });

const status = z.object({
  jobStatus,
  error: z.string().optional().describe('What is wrong: a JSON object with type and message, or plain text.'),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  lifecycleState,
  clusterInfo: z.record(z.string(), z.string()).optional().describe('Version and size of the running cluster.'),
  jobManagerDeploymentStatus: z.enum(['READY', 'DEPLOYED_NOT_READY', 'DEPLOYING', 'MISSING', 'ERROR']).optional(),
  reconciliationStatus,
  taskManager: z
    .object({
      labelSelector: z.string().optional().describe('Finds the TaskManager pods.'),
      replicas: z.int32().optional().describe('How many TaskManagers there should be.'),
    })
    .optional(),
  ...progress,
});

export const flinkDeployment = defineKind({
  group: 'flink.apache.org',
  version: 'v1beta1',
  kind: 'FlinkDeployment',
  plural: 'flinkdeployments',
  shortNames: ['flinkdep'],
  scope: 'Namespaced',
  description: 'A Flink cluster: an application with its one job, or a session into which jobs are submitted.',
  spec: flinkDeploymentSpec,
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
  scale: {
    spec: '.spec.taskManager.replicas',
    status: '.status.taskManager.replicas',
    selector: '.status.taskManager.labelSelector',
  },
});

type Written = Body<typeof flinkDeployment>;

export type FlinkDeploymentSpec = Exact<Written['spec']>;
export type FlinkDeploymentStatus = WithTransition<Exact<NonNullable<Written['status']>>>;
export type FlinkDeployment = KubeObject & {
  readonly spec: FlinkDeploymentSpec;
  readonly status?: FlinkDeploymentStatus;
};
export type DeploymentMode = NonNullable<FlinkDeploymentSpec['mode']>;
