import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { packageSource } from './image.ts';

const ref = z.object({ name: z.string().optional() });

const spec = z.object({
  type: z.enum(['bits', 'docker']),
  appRef: ref.describe('The app, in the same namespace.'),
  source: packageSource.optional().describe('Where the source is. Absent until files are uploaded.'),
});

const status = z.object({
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const cfPackage = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'CFPackage',
  plural: 'cfpackages',
  scope: 'Namespaced',
  description: 'The source of an app: an image, or uploaded files that a builder finds in one.',
  spec,
  status,
  columns: [
    { name: 'Type', type: 'string', path: '.spec.type', description: 'bits or docker.' },
    {
      name: 'Ready',
      type: 'string',
      path: '.status.conditions[?(@.type=="Ready")].status',
      description: 'Whether it can be staged.',
    },
  ],
});

type Written = Body<typeof cfPackage>;

export type CfPackageSpec = Exact<Written['spec']>;
export type CfPackageStatus = Exact<NonNullable<Written['status']>>;
export type CfPackage = KubeObject & { readonly spec: CfPackageSpec; readonly status?: CfPackageStatus };
