import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { rule } from '../../schema/types.ts';
import { disposal } from './disposal.ts';
import { savepointFormat } from './job-status.ts';

const spec = rule(
  z.object({
    jobReference: z
      .object({
        kind: z.enum(['FlinkDeployment', 'FlinkSessionJob']).optional(),
        name: z.string().optional(),
      })
      .optional()
      .describe('The job, in the same namespace.'),
    savepoint: z
      .object({
        path: z.string().optional().describe('The directory to write into; where it lies if it already exists.'),
        formatType: savepointFormat.optional().meta({
          description: 'CANONICAL when absent.',
          change: { absentMeans: 'CANONICAL' },
        }),
        disposeOnDelete: z
          .boolean()
          .optional()
          .meta({
            description: 'Deleting the resource deletes the savepoint; true when absent.',
            change: { absentMeans: true },
          }),
        alreadyExists: z
          .boolean()
          .optional()
          .meta({
            description: 'The savepoint is there; nothing is triggered. False when absent.',
            change: { absentMeans: false },
          }),
      })
      .optional()
      .describe('A savepoint is wanted.'),
    checkpoint: z.looseObject({}).optional().describe('A checkpoint is wanted.'),
    backoffLimit: z
      .int32()
      .optional()
      .meta({
        description: 'How often a failure is tried again; −1, or absent: for ever.',
        change: { absentMeans: -1 },
      }),
  }),
  {
    rule: 'has(self.savepoint) != has(self.checkpoint)',
    message: 'exactly one of savepoint and checkpoint must be given: write "savepoint: {}" or "checkpoint: {}"',
    holds: ({ savepoint, checkpoint }) => (savepoint === undefined) !== (checkpoint === undefined),
  },
);

const status = z.object({
  state: z.enum(['TRIGGER_PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'ABANDONED']).optional(),
  triggerId: z.string().optional().describe('The id under which Flink knows the request.'),
  triggerTimestamp: z.string().optional().describe('When it was triggered.'),
  resultTimestamp: z.string().optional().describe('When it ended.'),
  path: z.string().optional().describe('Where the snapshot lies.'),
  error: z.string().optional().describe('Why it failed last.'),
  failures: z.int32().optional().describe('How often it has failed.'),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  attempt: z.int().optional().describe('How many effects were ever begun; ids derive from it. Never goes back.'),
  disposal: disposal.optional().describe('The removal of the savepoint, once the resource is being deleted.'),
  conditions,
});

export const flinkStateSnapshot = defineKind({
  group: 'flink.apache.org',
  version: 'v1beta1',
  kind: 'FlinkStateSnapshot',
  plural: 'flinkstatesnapshots',
  shortNames: ['flinksnp'],
  scope: 'Namespaced',
  description: 'A savepoint or checkpoint of a job: to be taken, or already there.',
  spec,
  status,
  columns: [
    { name: 'Path', type: 'string', path: '.status.path', description: 'Where the snapshot lies.' },
    {
      name: 'Result Timestamp',
      type: 'string',
      path: '.status.resultTimestamp',
      description: 'When the snapshot ended.',
    },
    { name: 'Snapshot State', type: 'string', path: '.status.state', description: 'How far the snapshot has come.' },
  ],
});

type Written = Body<typeof flinkStateSnapshot>;

export type FlinkStateSnapshotSpec = Exact<Written['spec']>;
export type FlinkStateSnapshotStatus = Exact<NonNullable<Written['status']>>;
export type FlinkStateSnapshot = KubeObject & {
  readonly spec: FlinkStateSnapshotSpec;
  readonly status?: FlinkStateSnapshotStatus;
};
