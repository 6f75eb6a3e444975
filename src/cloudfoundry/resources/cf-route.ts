import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';

const destination = z.object({
  guid: z.string().describe('Its Service is s-<guid>.'),
  port: z
    .int32()
    .optional()
    .describe('Where the process listens; the first port of the droplet when absent, else 8080.'),
  appRef: z.object({ name: z.string().optional() }).describe('The app, in the same namespace.'),
  processType: z.string(),
  protocol: z.string().optional().describe('http1 when absent.'),
});

const spec = z.object({
  host: z.string().optional().describe('What stands before the domain; * for all that no other route names.'),
  path: z.string().optional().describe('What the path begins with: /orders.'),
  protocol: z.enum(['http', 'tcp']).optional().describe('http when absent.'),
  domainRef: z
    .looseObject({ name: z.string().optional(), namespace: z.string().optional() })
    .describe('The domain; in the namespace of the route when none is named.'),
  destinations: z.array(destination).optional(),
});

const status = z.object({
  fqdn: z.string().optional().describe('Host and domain.'),
  uri: z.string().optional().describe('Host, domain and path.'),
  description: z.string().optional(),
  destinations: z.array(destination).optional().describe('As they are reached: with ports and protocols.'),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const cfRoute = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'CFRoute',
  plural: 'cfroutes',
  scope: 'Namespaced',
  description: 'An address, and the processes that answer there.',
  spec,
  status,
  columns: [
    { name: 'URI', type: 'string', path: '.status.uri', description: 'The address.' },
    {
      name: 'Ready',
      type: 'string',
      path: '.status.conditions[?(@.type=="Ready")].status',
      description: 'Whether the address leads to its destinations.',
    },
  ],
});

type Written = Body<typeof cfRoute>;

export type CfRouteSpec = Exact<Written['spec']>;
export type CfRouteStatus = Exact<NonNullable<Written['status']>>;
export type CfRoute = KubeObject & { readonly spec: CfRouteSpec; readonly status?: CfRouteStatus };
