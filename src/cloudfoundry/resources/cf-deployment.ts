import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';

const ref = z.object({ name: z.string() });

const spec = z.object({
  appRef: ref.describe('The app, in the same namespace.'),
  strategy: z.enum(['rolling', 'canary']),
  dropletRef: ref.describe('The build whose droplet is deployed.'),
  previousDropletRef: ref.optional().describe('The droplet that a cancel returns to.'),
  maxInFlight: z.int32().min(1).describe('How many instances are replaced at once.'),
  steps: z
    .array(z.object({ instanceWeight: z.int32().min(1).max(100) }))
    .optional()
    .describe('canary: how many of a hundred instances have the new revision at each step; one instance when absent.'),
  step: z.int32().min(1).describe('canary: the step that may be done; `continue` makes it the next one.'),
});

const status = z.object({
  value: z.enum(['ACTIVE', 'FINALIZED']).optional(),
  reason: z.enum(['DEPLOYING', 'PAUSED', 'CANCELING', 'DEPLOYED', 'CANCELED', 'SUPERSEDED']).optional(),
  appRev: z.string().optional().describe('The revision that it made; absent until it was seen to begin.'),
  step: z.int32().optional().describe('canary: the step that is being done, or waits to be continued.'),
  webDone: z.boolean().optional().describe('The web process runs the revision: the others follow.'),
  error: z.string().optional().describe('Why it does not get on.'),
  lastStatusChange: z.string().optional(),
  lastSuccessfulHealthcheck: z.string().optional().describe('When an instance of the revision last became ready.'),
  finalizedAt: z.string().optional(),
  envRestored: z.boolean().optional().describe('After a cancel: whether the environment is the previous one again.'),
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  conditions,
});

export const cfDeployment = defineKind({
  group: 'korifi.cloudfoundry.org',
  version: 'v1alpha1',
  kind: 'CFDeployment',
  plural: 'cfdeployments',
  scope: 'Namespaced',
  description: 'One deployment of an app: what replaces what, how, and how far it has come. Kept as history.',
  spec,
  status,
  columns: [
    { name: 'Status', type: 'string', path: '.status.value', description: 'ACTIVE or FINALIZED.' },
    { name: 'Reason', type: 'string', path: '.status.reason', description: 'How far it has come.' },
    { name: 'Strategy', type: 'string', path: '.spec.strategy', description: 'rolling or canary.' },
  ],
});

type Written = Body<typeof cfDeployment>;

export type CfDeploymentSpec = Exact<Written['spec']>;
export type CfDeploymentStatus = Exact<NonNullable<Written['status']>>;
export type CfDeployment = KubeObject & { readonly spec: CfDeploymentSpec; readonly status?: CfDeploymentStatus };
