import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';

const offer = z.object({
  name: z.string(),
  description: z.string().optional(),
  stack: z.string().optional(),
  version: z.string().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});

const spec = z.object({});

const status = z.object({
  stacks: z.array(offer).optional(),
  buildpacks: z.array(offer).optional(),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const builderInfo = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'BuilderInfo',
  plural: 'builderinfos',
  scope: 'Namespaced',
  description:
    "A builder that is installed, with what it offers. It stands in the root namespace under the builder's name.",
  spec,
  status,
  columns: [
    {
      name: 'Ready',
      type: 'string',
      path: '.status.conditions[?(@.type=="Ready")].status',
      description: 'Whether it builds.',
    },
  ],
});

type Written = Body<typeof builderInfo>;

export type BuilderInfoSpec = Exact<Written['spec']>;
export type BuilderInfoStatus = Exact<NonNullable<Written['status']>>;
export type BuilderInfo = KubeObject & { readonly spec: BuilderInfoSpec; readonly status?: BuilderInfoStatus };
