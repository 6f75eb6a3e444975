import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { intOrString } from '../../schema/types.ts';
import { instancesStatus } from './instances-status.ts';

const quantities = z.record(z.string(), intOrString()).optional();

const spec = z.object({
  GUID: z.string().describe('The process.'),
  version: z.string().describe('The app-rev that all below was taken for.'),
  appGUID: z.string(),
  processType: z.string(),
  image: z.string(),
  imagePullSecrets: z.array(z.object({ name: z.string().optional() })).optional(),
  command: z.array(z.string()).optional(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).optional(),
  startupProbe: z.looseObject({}).optional(),
  livenessProbe: z.looseObject({}).optional(),
  readinessProbe: z.looseObject({}).optional(),
  ports: z.array(z.int32()).optional(),
  instances: z.int32().min(0).default(1),
  runnerName: z.string(),
  resources: z.object({ limits: quantities, requests: quantities }).optional(),
  services: z.array(z.object({ guid: z.string(), name: z.string(), secret: z.string().optional() })).optional(),
  rollout: z
    .object({
      maxInFlight: z.int32().min(1).optional().describe('How many instances are replaced at once; 1 when absent.'),
      canaries: z
        .int32()
        .min(0)
        .optional()
        .describe('How many instances have the new revision, beside the old ones; absent: all of them.'),
    })
    .optional()
    .describe('How a new revision takes the place of the old one. It restarts nothing by itself.'),
});

const status = z.object({
  actualInstances: z.int32().optional().describe('How many instances are ready, whatever their revision.'),
  instancesStatus: instancesStatus.optional(),
  observedAppRev: z.string().optional().describe('The revision that all wanted instances run.'),
  canaries: z.int32().optional().describe('How many instances of the newest revision are ready while it is held back.'),
  rollout: z
    .object({
      maxInFlight: z.int32().optional().describe('What was granted: 1 where the cluster cannot do more.'),
      note: z.string().optional().describe('Why it is less than what was asked for, or what it waits for.'),
    })
    .optional()
    .describe('The roll that is under way.'),
  error: z.string().optional().describe('Why new instances do not come up, as far as the cluster says.'),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const appWorkload = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'AppWorkload',
  plural: 'appworkloads',
  scope: 'Namespaced',
  description: 'What a runner runs for a process: everything of one revision, and how many instances.',
  spec,
  status,
});

type Written = Body<typeof appWorkload>;

export type AppWorkloadSpec = Exact<Written['spec']>;
export type AppWorkloadStatus = Exact<NonNullable<Written['status']>>;
export type AppWorkload = KubeObject & { readonly spec: AppWorkloadSpec; readonly status?: AppWorkloadStatus };
