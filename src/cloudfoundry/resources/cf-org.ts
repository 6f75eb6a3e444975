import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';

const spec = z.object({
  displayName: z.string().min(1).describe('The name that people use; unique, whatever its case.'),
});

const status = z.object({
  guid: z.string().optional().describe('The namespace, once it can be used.'),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const cfOrg = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'CFOrg',
  plural: 'cforgs',
  scope: 'Namespaced',
  description: 'An organization. Its namespace has its name, and holds its spaces.',
  spec,
  status,
  columns: [
    { name: 'Display Name', type: 'string', path: '.spec.displayName', description: 'The name that people use.' },
    {
      name: 'Ready',
      type: 'string',
      path: '.status.conditions[?(@.type=="Ready")].status',
      description: 'Whether its namespace can be used.',
    },
  ],
});

type Written = Body<typeof cfOrg>;

export type CfOrgSpec = Exact<Written['spec']>;
export type CfOrgStatus = Exact<NonNullable<Written['status']>>;
export type CfOrg = KubeObject & { readonly spec: CfOrgSpec; readonly status?: CfOrgStatus };
