import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';

const spec = z.object({
  runnerName: z.string().describe('The name that workloads call it by.'),
});

const status = z.object({
  capabilities: z
    .object({
      rollingDeploy: z.boolean().describe('Whether it replaces instances without stopping the app.'),
    })
    .optional(),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const runnerInfo = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'RunnerInfo',
  plural: 'runnerinfos',
  scope: 'Namespaced',
  description: 'A runner that is installed, with what it can do. It stands in the root namespace under its name.',
  spec,
  status,
});

type Written = Body<typeof runnerInfo>;

export type RunnerInfoSpec = Exact<Written['spec']>;
export type RunnerInfoStatus = Exact<NonNullable<Written['status']>>;
export type RunnerInfo = KubeObject & { readonly spec: RunnerInfoSpec; readonly status?: RunnerInfoStatus };
