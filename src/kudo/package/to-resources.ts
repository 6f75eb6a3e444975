import { group, labels } from '../keys.ts';
import type { Instance } from '../resources/instance.ts';
import type { Operator } from '../resources/operator.ts';
import type { OperatorVersion, Parameter, Plan, Task } from '../resources/operator-version.ts';
import { defaultText } from './default-text.ts';
import { operatorNameProblem } from './operator-name.ts';
import type { OperatorPackage, PackageParameter, PackagePlan } from './operator-package.ts';
import { type Complaint, PackageError } from './package-error.ts';
import { present } from './present.ts';
import { templatesOfTask } from './templates-of-task.ts';

const apiVersion = `${group}/v1beta1`;

/** What installing a package creates, apart from the Instance. */
export interface PackageResources {
  readonly operator: Operator;
  readonly operatorVersion: OperatorVersion;
}

/** `cassandra-3.11-1.0.0`, without the middle part if the package does not say what it installs. */
export function operatorVersionName(name: string, appVersion: string | undefined, operatorVersion: string): string {
  return appVersion ? `${name}-${appVersion}-${operatorVersion}` : `${name}-${operatorVersion}`;
}

/**
 * The Operator and OperatorVersion of a package. As in KUDO a package can be installed that does not verify; only what could
 * never run is refused. Errors: `PackageError`.
 */
export function toResources(found: OperatorPackage, namespace: string): PackageResources {
  const { operator: file, templates } = found;
  const unnamed = operatorNameProblem(file.name);
  if (unnamed !== undefined) throw new PackageError(`operator.yaml: ${unnamed}`);
  const problems = found.operator.tasks.flatMap(({ task, at }): Complaint[] =>
    taskProblems(task, templates).map((message) => ({ message, at })),
  );
  if (problems.length > 0) throw new PackageError(problems);
  return {
    operator: {
      apiVersion,
      kind: 'Operator',
      metadata: { name: file.name, namespace },
      spec: present({
        description: file.description,
        kudoVersion: file.kudoVersion,
        kubernetesVersion: file.kubernetesVersion,
        maintainers: file.maintainers?.map((one) => ({ ...one })),
        url: file.url,
        namespaceManifest: file.namespaceManifest,
      }),
    },
    operatorVersion: operatorVersionOf(found, namespace),
  };
}

/** The OperatorVersion alone, of any package that could be parsed. */
export function operatorVersionOf(
  { operator: file, params, templates }: OperatorPackage,
  namespace: string,
): OperatorVersion {
  return {
    apiVersion,
    kind: 'OperatorVersion',
    metadata: { name: operatorVersionName(file.name, file.appVersion, file.operatorVersion), namespace },
    spec: {
      operator: { kind: 'Operator', name: file.name },
      version: file.operatorVersion,
      ...present({ appVersion: file.appVersion || undefined, restartPolicy: file.restartPolicy }),
      templates: Object.fromEntries(templates),
      tasks: file.tasks.map(({ task }) => task),
      parameters: params.parameters.map(parameterOf),
      plans: Object.fromEntries([...file.plans].map(([name, plan]) => [name, planOf(plan)])),
    },
  };
}

/** The Instance that the command line posts beside them. */
export function instanceOf(
  { operator, operatorVersion }: PackageResources,
  name: string,
  parameters: Readonly<Record<string, string>>,
): Instance {
  const operatorName = operator.metadata.name ?? '';
  return {
    apiVersion,
    kind: 'Instance',
    metadata: {
      name,
      ...present({ namespace: operatorVersion.metadata.namespace }),
      labels: { [labels.operator]: operatorName },
    },
    spec: {
      operatorVersion: present({ name: operatorVersion.metadata.name }),
      ...(Object.keys(parameters).length > 0 && { parameters: { ...parameters } }),
    },
  };
}

function parameterOf(parameter: PackageParameter): Parameter {
  return {
    name: parameter.name,
    required: parameter.required,
    immutable: parameter.immutable,
    ...present({
      displayName: parameter.displayName || undefined,
      description: parameter.description || undefined,
      default: defaultText(parameter.default, parameter.type),
      trigger: parameter.trigger || undefined,
      'value-type': parameter.type || undefined,
      enum: parameter.enum?.map((value) => defaultText(value, parameter.type) ?? ''),
      forcePodRestart: parameter.forcePodRestart,
    }),
  };
}

function planOf(plan: PackagePlan): Plan {
  return {
    ...present({ strategy: plan.strategy }),
    phases: plan.phases.map((phase) => ({
      name: phase.name,
      ...present({ strategy: phase.strategy }),
      steps: phase.steps.map(({ name, tasks }) => ({ name, tasks: [...tasks] })),
    })),
  };
}

/** Why a task could never run. */
function taskProblems({ name, kind, spec = {} }: Task, templates: ReadonlyMap<string, string>): readonly string[] {
  const problems: string[] = [];
  if (kind === 'Toggle' && !spec.parameter) problems.push(`toggle task ${name} does not have parameter specified`);
  if (kind === 'Pipe' && !spec.pipe?.length) problems.push(`task ${name} does not have pipe files specified`);
  const needed = templatesOfTask({ name, kind, spec });
  if (!needed) problems.push(`unknown task kind ${kind}`);
  for (const template of needed ?? [])
    if (!templates.has(template)) problems.push(`task ${name} missing template: ${template}`);
  return problems;
}
