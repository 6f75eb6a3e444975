import * as z from 'zod';
import type { KubeObject } from '../../kube/object.ts';
import type { Exact } from '../../schema/exact.ts';
import { type Body, defineKind } from '../../schema/kind.ts';
import { group } from '../keys.ts';
import { reference } from './reference.ts';

const parameter = z.object({
  name: z.string(),
  displayName: z.string().optional(),
  description: z.string().optional(),
  required: z
    .boolean()
    .optional()
    .describe(
      'Whether there must be a value or a default. Absent: there need not be; packages that do not say it have `true`.',
    ),
  default: z.string().nullable().optional(),
  trigger: z.string().optional().describe('The plan that a change runs. Absent: `update`, else `deploy`.'),
  'value-type': z
    .string()
    .optional()
    .describe('`string`, `integer`, `number`, `boolean`, `array` or `map`. Absent: `string`.'),
  immutable: z.boolean().optional(),
  enum: z.array(z.string()).optional().describe('The only values that are accepted.'),
  forcePodRestart: z
    .boolean()
    .optional()
    .describe(
      'Whether a change restarts the pods of all workloads that the plan applies. Absent: it does. With `false` pods restart only if their template itself changes.',
    ),
});

const pipe = z.object({
  file: z.string().optional(),
  envFile: z.string().optional(),
  kind: z.string().optional().describe('`ConfigMap` or `Secret`.'),
  key: z.string().optional(),
});

/** One flat object for all kinds of tasks, as it was published. Which fields count depends on the kind. */
const taskSpec = z.object({
  resources: z.array(z.string()).optional().describe('Apply, Delete, Toggle: templates.'),
  parameter: z.string().optional().describe('Toggle: the boolean parameter that decides.'),
  pod: z.string().optional().describe('Pipe: the template of the pod.'),
  pipe: z.array(pipe).optional().describe('Pipe: the files that become ConfigMaps and Secrets.'),
  package: z.string().optional().describe('KudoOperator: the name of the operator.'),
  instanceName: z.string().optional().describe('KudoOperator: the name of the child Instance.'),
  appVersion: z.string().optional().describe('KudoOperator.'),
  operatorVersion: z.string().optional().describe('KudoOperator.'),
  parameterFile: z.string().optional().describe("KudoOperator: the template of the child's parameters."),
  wantErr: z.boolean().optional().describe('Dummy: fail.'),
  fatal: z.boolean().optional().describe('Dummy: fail for good.'),
  done: z.boolean().optional().describe('Dummy: complete. Absent: never.'),
});

const step = z.object({ name: z.string(), tasks: z.array(z.string()).nullable().optional() });

const phase = z.object({
  name: z.string(),
  strategy: z.string().optional().describe('`serial` or `parallel`. Anything else counts as `parallel`.'),
  steps: z.array(step).nullable().optional(),
});

const plan = z.object({
  strategy: z.string().optional().describe('`serial` or `parallel`. Anything else counts as `parallel`.'),
  phases: z.array(phase).nullable().optional(),
});

const spec = z.object({
  operator: reference.optional(),
  version: z.string().optional(),
  appVersion: z.string().optional(),
  templates: z.record(z.string(), z.string()).nullable().optional().describe('By their path under `templates/`.'),
  tasks: z
    .array(z.object({ name: z.string(), kind: z.string(), spec: taskSpec.optional() }))
    .nullable()
    .optional(),
  parameters: z.array(parameter).nullable().optional(),
  plans: z.record(z.string(), plan).nullable().optional(),
  connectionString: z.string().optional(),
  upgradableFrom: z.array(reference).nullable().optional(),
  restartPolicy: z
    .enum(['always', 'onDependencyChange'])
    .optional()
    .describe(
      'What a forced change restarts: `always` (when absent) all workloads that the plan applies; `onDependencyChange` those whose ConfigMaps or Secrets changed.',
    ),
});

export const operatorVersion = defineKind({
  group,
  version: 'v1beta1',
  kind: 'OperatorVersion',
  plural: 'operatorversions',
  scope: 'Namespaced',
  description: 'One version of a package: its templates, tasks, plans and parameters.',
  spec,
  columns: [
    { name: 'Operator', type: 'string', path: '.spec.operator.name', description: 'The package.' },
    { name: 'Version', type: 'string', path: '.spec.version', description: 'The version of the package.' },
    { name: 'App-Version', type: 'string', path: '.spec.appVersion', description: 'The version of what it installs.' },
    { name: 'Age', type: 'date', path: '.metadata.creationTimestamp', description: 'When it was installed.' },
  ],
});

type Written = Body<typeof operatorVersion>;

export type OperatorVersionSpec = Exact<Written['spec']>;
export type OperatorVersion = KubeObject & { readonly spec: OperatorVersionSpec };
export type Parameter = NonNullable<OperatorVersionSpec['parameters']>[number];
export type Task = NonNullable<OperatorVersionSpec['tasks']>[number];
export type TaskSpec = NonNullable<Task['spec']>;
export type Plan = NonNullable<OperatorVersionSpec['plans']>[string];
export type Phase = NonNullable<Plan['phases']>[number];
export type Step = NonNullable<Phase['steps']>[number];
