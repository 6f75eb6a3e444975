import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';

const spec = z.object({
  displayName: z.string().min(1).describe('The name that people use; unique in its organization, whatever its case.'),
});

const status = z.object({
  guid: z.string().optional().describe('The namespace, once it can be used.'),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const cfSpace = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'CFSpace',
  plural: 'cfspaces',
  scope: 'Namespaced',
  description: 'A space of an organization. Its namespace has its name, and holds its apps.',
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

type Written = Body<typeof cfSpace>;

export type CfSpaceSpec = Exact<Written['spec']>;
export type CfSpaceStatus = Exact<NonNullable<Written['status']>>;
export type CfSpace = KubeObject & { readonly spec: CfSpaceSpec; readonly status?: CfSpaceStatus };
