import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { lifecycle } from './lifecycle.ts';

const spec = z.object({
  displayName: z
    .string()
    .regex(/^[-\w]+$/)
    .describe('The name that people use; unique in its space, whatever its case.'),
  desiredState: z.enum(['STARTED', 'STOPPED']),
  lifecycle,
  envSecretName: z
    .string()
    .optional()
    .describe('The Secret with the environment variables that users set, one key each.'),
  currentDropletRef: z
    .object({ name: z.string().optional() })
    .optional()
    .describe('The build whose droplet the next revision runs.'),
});

const status = z.object({
  actualState: z.enum(['STARTED', 'STOPPED']).optional().describe('STARTED while an instance of any process runs.'),
  vcapServicesSecretName: z.string().optional(),
  vcapApplicationSecretName: z.string().optional(),
  observedDesiredState: z.enum(['STARTED', 'STOPPED']).optional().describe('The state that was seen last.'),
  observedLastStopAppRev: z.string().optional().describe('The last-stop-app-rev that was seen with it.'),
  observedAppRev: z.string().optional().describe('The app-rev that this status speaks of.'),
  revision: z
    .object({
      appRev: z.string().describe('The revision.'),
      envSecretName: z.string().describe('The Secret with its environment, never changed.'),
      droplet: z.string().optional().describe('The build whose droplet it runs, whichever is the current one by now.'),
      envNames: z.array(z.string()).describe('The keys of that Secret, in order: names of variables, never values.'),
    })
    .optional()
    .describe('The revision that was started last, with what was taken for it.'),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const cfApp = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'CFApp',
  plural: 'cfapps',
  scope: 'Namespaced',
  description: 'An app: what runs in its processes, and whether it should.',
  spec,
  status,
  columns: [
    { name: 'Display Name', type: 'string', path: '.spec.displayName', description: 'The name that people use.' },
    { name: 'State', type: 'string', path: '.status.actualState', description: 'Whether an instance runs.' },
    {
      name: 'Ready',
      type: 'string',
      path: '.status.conditions[?(@.type=="Ready")].status',
      description: 'Whether the wanted revision runs on all instances.',
    },
  ],
});

type Written = Body<typeof cfApp>;

export type CfAppSpec = Exact<Written['spec']>;
export type CfAppStatus = Exact<NonNullable<Written['status']>>;
export type CfApp = KubeObject & { readonly spec: CfAppSpec; readonly status?: CfAppStatus };
