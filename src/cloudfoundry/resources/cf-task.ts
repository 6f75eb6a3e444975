import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';

const ref = z.object({ name: z.string().optional() });

const spec = z.object({
  command: z.string().min(1),
  appRef: ref.describe('The app, in the same namespace.'),
  canceled: z.boolean().optional().describe('Set it to end the task.'),
  name: z.string().optional().describe('What people call it.'),
  memoryMB: z.int().min(1).optional().describe('As much as processes have by default when absent.'),
  diskQuotaMB: z.int().min(1).optional().describe('As much as processes have by default when absent.'),
  dropletRef: ref.optional().describe('The build whose droplet it runs; the current one when absent.'),
});

const status = z.object({
  sequenceId: z.int().optional().describe('Its number among the tasks of its app.'),
  memoryMB: z.int().optional(),
  diskQuotaMB: z.int().optional(),
  dropletRef: ref.optional(),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const cfTask = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'CFTask',
  plural: 'cftasks',
  scope: 'Namespaced',
  description: 'A command that runs once, with the droplet and environment of an app.',
  spec,
  status,
});

type Written = Body<typeof cfTask>;

export type CfTaskSpec = Exact<Written['spec']>;
export type CfTaskStatus = Exact<NonNullable<Written['status']>>;
export type CfTask = KubeObject & { readonly spec: CfTaskSpec; readonly status?: CfTaskStatus };
