import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { droplet } from './image.ts';
import { lifecycle } from './lifecycle.ts';

const ref = z.object({ name: z.string().optional() });

const spec = z.object({
  packageRef: ref.describe('What is staged.'),
  appRef: ref.describe('The app, in the same namespace.'),
  stagingMemoryMB: z.int().optional(),
  stagingDiskMB: z.int().optional(),
  lifecycle,
});

const status = z.object({
  state: z.enum(['STAGING', 'STAGED', 'FAILED']).optional(),
  droplet: droplet.optional().describe('What staging gave.'),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const cfBuild = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'CFBuild',
  plural: 'cfbuilds',
  scope: 'Namespaced',
  description: 'One staging of a package, and the droplet that came of it.',
  spec,
  status,
  columns: [{ name: 'State', type: 'string', path: '.status.state', description: 'STAGING, STAGED or FAILED.' }],
});

type Written = Body<typeof cfBuild>;

export type CfBuildSpec = Exact<Written['spec']>;
export type CfBuildStatus = Exact<NonNullable<Written['status']>>;
export type CfBuild = KubeObject & { readonly spec: CfBuildSpec; readonly status?: CfBuildStatus };
