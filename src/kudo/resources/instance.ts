import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { group } from '../keys.ts';
import { reference } from './reference.ts';

const parameters = z.record(z.string(), z.string());

const spec = z.object({
  operatorVersion: reference.optional(),
  parameters: parameters.nullable().optional().describe('Values; what is absent has the default of the package.'),
  planExecution: z
    .object({
      planName: z
        .string()
        .optional()
        .describe('Set it to run a plan, blank it to cancel the one that runs. While a plan runs, its name.'),
      uid: z.string().optional().describe('Of the execution. Another one for the same plan starts it over.'),
      status: z.string().optional().describe('Written by the operator.'),
      override: z.boolean().optional().describe('Run it at once, instead of the plan that runs now.'),
      restart: z
        .boolean()
        .optional()
        .describe('`false`: do not restart pods on account of this trigger, upgrade or installation.'),
    })
    .nullable()
    .optional(),
  retryLimit: z
    .int32()
    .min(0)
    .optional()
    .describe('How often a step that fails is tried again before its plan has failed. Absent or 0: without limit.'),
  planTimeoutSeconds: z
    .int32()
    .min(0)
    .optional()
    .describe('After this time a running plan gives way to a change that waits. Absent: 600; 0: never.'),
  drift: z
    .enum(['ignore', 'report', 'repair'])
    .optional()
    .describe('What to do about objects that were changed or deleted by others. Absent: `report`.'),
});

const step = z.object({ name: z.string(), status: z.string().optional(), message: z.string().optional() });

const phase = z.object({
  name: z.string(),
  status: z.string().optional(),
  message: z.string().optional(),
  steps: z.array(step).nullable().optional(),
});

const planStatus = z.object({
  name: z.string().optional(),
  status: z.string().optional().describe('NEVER_RUN, PENDING, IN_PROGRESS, COMPLETE, ERROR or FATAL_ERROR.'),
  message: z.string().optional(),
  lastUpdatedTimestamp: z.string().nullable().optional(),
  uid: z.string().optional(),
  phases: z.array(phase).nullable().optional(),
});

const restart = z.object({
  kind: z.string(),
  name: z.string(),
  because: z.string().describe('Why its pods restart.'),
});

/** What is known of an execution from its beginning. */
const begun = {
  uid: z.string(),
  plan: z.string(),
  cause: z.enum(['install', 'parameters', 'upgrade', 'trigger', 'cleanup', 'repair']),
  changed: z.array(z.string()).optional().describe('The parameters whose change caused it.'),
  forced: z.boolean().describe('Whether its own cause restarts pods.'),
  restartUID: z
    .string()
    .optional()
    .describe(
      'The execution whose demand for a restart it carries out: itself, or an earlier one that did not end well.',
    ),
  restarts: z.array(restart).optional().describe('Workloads whose pods restart on its account.'),
  startedAt: z.string(),
};

const demand = { uid: z.string(), plan: z.string(), changed: z.array(z.string()).optional() };

const status = z.object({
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  accepted: z
    .object({ operatorVersion: reference, parameters })
    .optional()
    .describe('What plans work with: the last specification that was not refused.'),
  execution: z
    .object({
      ...begun,
      reasons: z
        .array(restart)
        .optional()
        .describe('What its cause changes in workloads and in what their pods use, foretold when it began.'),
      shown: z.boolean().optional().describe('`spec.planExecution` has been seen to tell of it.'),
      warned: z.array(z.string()).optional().describe('What had to be repaired in rendered objects.'),
      failures: z.int().optional().describe('How often steps have failed so far, and were tried again.'),
      failedAt: z.string().optional().describe('When a step last failed.'),
      calls: z.array(z.string()).optional().describe('What is being fetched from pods of Pipe tasks.'),
    })
    .optional()
    .describe('The plan that runs.'),
  letter: z
    .object({ planName: z.string(), uid: z.string().optional(), declined: z.boolean().optional() })
    .optional()
    .describe('What `spec.planExecution` asked for and has been dealt with, while it still stands there.'),
  executions: z.int().optional().describe('How many there have been.'),
  restart: z
    .object({
      ...demand,
      earlier: z
        .array(z.object(demand))
        .optional()
        .describe('Others that are not done either, of plans that apply something else; the newest first.'),
    })
    .optional()
    .describe('A restart that was demanded and is not done yet: the plan that is to do it has not completed.'),
  planStatus: z.record(z.string(), planStatus).optional(),
  objects: z
    .array(z.object({ apiVersion: z.string(), kind: z.string(), name: z.string() }))
    .optional()
    .describe('What plans have applied and not deleted.'),
  history: z
    .array(
      z.object({
        ...begun,
        endedAt: z.string(),
        outcome: z.enum(['COMPLETE', 'FATAL_ERROR', 'CANCELED', 'SUPERSEDED']),
        message: z.string().optional(),
      }),
    )
    .optional()
    .describe('The last executions, the newest first; at most ten.'),
  latest: z
    .object({ plan: z.string(), status: z.string(), restart: z.enum(['yes', 'no']) })
    .optional()
    .describe('The plan that runs, or ran last, in short.'),
  conditions,
});

export const instance = defineKind({
  group,
  version: 'v1beta1',
  kind: 'Instance',
  plural: 'instances',
  scope: 'Namespaced',
  description: 'An installation of an operator version, with its parameters.',
  spec,
  status,
  columns: [
    { name: 'Operator-Version', type: 'string', path: '.spec.operatorVersion.name', description: 'What is installed.' },
    { name: 'Plan', type: 'string', path: '.status.latest.plan', description: 'The plan that runs, or ran last.' },
    { name: 'Plan-Status', type: 'string', path: '.status.latest.status', description: 'How far it has come.' },
    {
      name: 'Ready',
      type: 'string',
      path: '.status.conditions[?(@.type=="Ready")].status',
      description: 'Whether its resources are healthy.',
    },
    { name: 'Restart', type: 'string', path: '.status.latest.restart', description: 'Whether it restarts pods.' },
    { name: 'Age', type: 'date', path: '.metadata.creationTimestamp', description: 'When it was made.' },
  ],
});

type Written = Body<typeof instance>;

export type InstanceSpec = Exact<Written['spec']>;
export type InstanceStatus = Exact<NonNullable<Written['status']>>;
export type Instance = KubeObject & { readonly spec: InstanceSpec; readonly status?: InstanceStatus };
export type PlanExecution = NonNullable<InstanceSpec['planExecution']>;
export type Execution = NonNullable<InstanceStatus['execution']>;
export type PastExecution = NonNullable<InstanceStatus['history']>[number];
export type Restart = NonNullable<Execution['restarts']>[number];
export type PlanStatus = NonNullable<InstanceStatus['planStatus']>[string];
export type PhaseStatus = NonNullable<PlanStatus['phases']>[number];
export type StepStatus = NonNullable<PhaseStatus['steps']>[number];
