import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { droplet, packageSource } from './image.ts';

const spec = z.object({
  buildRef: z.object({ name: z.string() }).describe('The CFBuild, in the same namespace.'),
  source: packageSource,
  buildpacks: z.array(z.string()).optional(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).optional(),
  services: z.array(z.looseObject({ name: z.string().optional() })).optional(),
  builderName: z.string().describe('The builder that it is for.'),
});

const status = z.object({
  droplet: droplet.optional().describe('What it built; with the condition Succeeded.'),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const buildWorkload = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'BuildWorkload',
  plural: 'buildworkloads',
  scope: 'Namespaced',
  description: 'What a builder builds: it makes an image of a source, and says so in the status.',
  spec,
  status,
});

type Written = Body<typeof buildWorkload>;

export type BuildWorkloadSpec = Exact<Written['spec']>;
export type BuildWorkloadStatus = Exact<NonNullable<Written['status']>>;
export type BuildWorkload = KubeObject & { readonly spec: BuildWorkloadSpec; readonly status?: BuildWorkloadStatus };
