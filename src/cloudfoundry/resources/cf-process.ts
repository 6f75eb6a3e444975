import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { instancesStatus } from './instances-status.ts';

const spec = z.object({
  appRef: z.object({ name: z.string().optional() }),
  processType: z.string(),
  command: z.string().optional().describe('What users want to run instead of what staging found.'),
  detectedCommand: z.string().optional().describe('What staging found.'),
  healthCheck: z
    .object({
      type: z.enum(['http', 'port', 'process', '']).optional(),
      data: z
        .object({
          httpEndpoint: z.string().optional(),
          invocationTimeoutSeconds: z.int32().optional(),
          timeoutSeconds: z.int32().optional(),
        })
        .optional(),
    })
    .optional()
    .describe('How an instance is found to be well. When absent: port for web, process for others.'),
  desiredInstances: z.int32().min(0).optional().describe('When absent: 1 for web, 0 for others.'),
  memoryMB: z.int().min(0).optional().describe("When absent or 0: the platform's own default."),
  diskQuotaMB: z.int().min(0).optional().describe("When absent or 0: the platform's own default."),
  ports: z.array(z.int32()).optional().meta({ description: 'Without effect: the droplet says it.', deprecated: true }),
});

const status = z.object({
  actualInstances: z.int32().optional().describe('How many instances are ready, whatever their revision.'),
  instancesStatus: instancesStatus.optional(),
  observedAppRev: z.string().optional().describe('The app-rev that all of this speaks of.'),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const cfProcess = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'CFProcess',
  plural: 'cfprocesses',
  scope: 'Namespaced',
  description: 'One kind of process of an app, and how many instances of it should run.',
  spec,
  status,
});

type Written = Body<typeof cfProcess>;

export type CfProcessSpec = Exact<Written['spec']>;
export type CfProcessStatus = Exact<NonNullable<Written['status']>>;
export type CfProcess = KubeObject & { readonly spec: CfProcessSpec; readonly status?: CfProcessStatus };
