import * as z from 'zod';
import type { Exact } from '../../schema/exact.ts';
import { ownFields } from './own-fields.ts';
import { podTemplate, resourceRequirements } from './pod-template.ts';

const resource = z
  .object({
    cpu: z.number().optional().describe('CPU cores; fractions are allowed.'),
    memory: z
      .string()
      .optional()
      .describe('Total process memory, in Flink notation (2g, 2048m) or that of Kubernetes (2Gi).'),
    ephemeralStorage: z.string().optional().describe('Local disk, in the same notations.'),
  })
  .optional()
  .meta({ description: 'CPU, memory and disk of each pod; requests and limits follow from it.', change: ownFields });

/** Amounts that a pod of Flink gets, in the short form. */

const resources = resourceRequirements.describe(
  'Requests and limits as Kubernetes writes them; they take precedence over "resource".',
);

/** One demand as a whole: whatever changes here, the cluster is upgraded. */
export const jobManager = z
  .object({
    resource,
    resources,
    replicas: z
      .int32()
      .optional()
      .meta({
        description: 'JobManagers; 1 when absent. More than one needs high availability.',
        change: { absentMeans: 1 },
      }),
    podTemplate: podTemplate('Template of the JobManager pods, merged over the common one.'),
  })
  .optional()
  .meta({ description: 'The JobManager.', change: ownFields });

export const taskManager = z
  .object({
    resource,
    resources,
    replicas: z
      .int32()
      .optional()
      .meta({
        description: 'TaskManagers. When given, the parallelism is replicas × slots.',
        change: { by: 'mode', cases: { standalone: 'scale' }, otherwise: 'upgrade' },
      }),
    podTemplate: podTemplate('Template of the TaskManager pods, merged over the common one.'),
  })
  .optional()
  .meta({ description: 'The TaskManagers.', change: ownFields });

export type JobManagerSpec = Exact<NonNullable<z.output<typeof jobManager>>>;
export type TaskManagerSpec = Exact<NonNullable<z.output<typeof taskManager>>>;
