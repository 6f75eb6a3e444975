import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { intOrString } from '../../schema/types.ts';

const quantities = z.record(z.string(), intOrString()).optional();

const spec = z.object({
  command: z.array(z.string()),
  image: z.string(),
  imagePullSecrets: z.array(z.object({ name: z.string().optional() })).optional(),
  resources: z.object({ limits: quantities, requests: quantities }).optional(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).optional(),
});

const status = z.object({
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const taskWorkload = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'TaskWorkload',
  plural: 'taskworkloads',
  scope: 'Namespaced',
  description: 'What a task runner runs once.',
  spec,
  status,
});

type Written = Body<typeof taskWorkload>;

export type TaskWorkloadSpec = Exact<Written['spec']>;
export type TaskWorkloadStatus = Exact<NonNullable<Written['status']>>;
export type TaskWorkload = KubeObject & { readonly spec: TaskWorkloadSpec; readonly status?: TaskWorkloadStatus };
