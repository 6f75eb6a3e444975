import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';

const spec = z.object({
  name: z.string().min(1).describe('The domain, as DNS has it: apps.example.'),
});

const status = z.object({
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const cfDomain = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'CFDomain',
  plural: 'cfdomains',
  scope: 'Namespaced',
  description: 'A domain that routes of every space may use.',
  spec,
  status,
  columns: [{ name: 'Domain Name', type: 'string', path: '.spec.name', description: 'The domain.' }],
});

type Written = Body<typeof cfDomain>;

export type CfDomainSpec = Exact<Written['spec']>;
export type CfDomainStatus = Exact<NonNullable<Written['status']>>;
export type CfDomain = KubeObject & { readonly spec: CfDomainSpec; readonly status?: CfDomainStatus };
