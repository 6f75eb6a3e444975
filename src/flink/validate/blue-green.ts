import { matches } from '../../kube/selector/label-selector.ts';
import { labelKeyProblem, labelValueProblem } from '../../kube/selector/requirement.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import { colorLabel } from '../manifests/blue-green-child.ts';
import { colors } from '../resources/blue-green-transition.ts';
import { type FlinkBlueGreenDeployment, flinkBlueGreenDeployment } from '../resources/flink-blue-green-deployment.ts';
import { blueGreenConfigurationRules } from './blue-green-configuration.ts';
import { type BlueGreenContext, type BlueGreenSubject, blueGreenSubject } from './blue-green-subject.ts';
import { sideRulesInTemplate, templateRules } from './blue-green-template.ts';
import { isCanary } from './canary.ts';
import { ingressRules } from './ingress.ts';
import { isClusterName, nameOf } from './name.ts';
import type { Problem } from './problem.ts';
import { type Finding, problemsOf, type Rule, short, shown } from './rule.ts';
import { shapeProblems } from './shape.ts';

/** A FlinkDeployment's name has 45 characters at most, and the longer of the two colours takes six. */
const longestName = 39;

/** Keys by which Cutover marks objects, and people talk to it on the resource. */
const reserved = 'cutover.dev/';

const resourceRules: readonly Rule<BlueGreenSubject>[] = [
  {
    rule: 'blue-green-name',
    field: 'metadata.name',
    says: `The name leaves room for the colours: at most ${longestName} lower case letters, digits and hyphens, a letter first and no hyphen last.`,
    check({ resource }) {
      const name = nameOf(resource.metadata);
      return isClusterName(`${name}-green`) && isClusterName(name)
        ? undefined
        : `metadata.name is ${shown(short(name))} (${name.length} characters), and its FlinkDeployments are called so with -blue and -green behind it: that takes at most ${longestName} lower case letters, digits and hyphens, a letter first and no hyphen last. Create it under such a name.`;
    },
  },
  {
    rule: 'template-spec',
    field: 'spec.template.spec',
    says: 'There is a template.',
    check: ({ spec: { template } }) =>
      template?.spec
        ? undefined
        : `${template ? 'spec.template.spec' : 'spec.template'} is absent. Write what a FlinkDeployment has as its spec into spec.template.spec.`,
  },
  {
    rule: 'template-job',
    field: 'spec.template.spec.job',
    says: 'The template has a job: a session cluster has no state that could be carried over.',
    check: ({ spec: { template } }) =>
      !template?.spec || template.spec.job
        ? undefined
        : 'spec.template.spec.job is absent. Write what to run, at least jarURI and parallelism, with state "suspended" to stop it; a session cluster is a FlinkDeployment of its own, without a job.',
  },
  {
    rule: 'template-metadata',
    field: 'spec.template.metadata',
    says: 'Labels and annotations of the template are ones that Kubernetes accepts.',
    check: ({ spec: { template } }) => {
      const { labels = {}, annotations = {} } = template?.metadata ?? {};
      return [
        ...Object.entries(labels).map(([key, value]) =>
          unacceptable('labels', key, labelKeyProblem(key) ?? labelValueProblem(value)),
        ),
        ...Object.keys(annotations).map((key) => unacceptable('annotations', key, labelKeyProblem(key))),
      ];
    },
  },
  {
    rule: 'template-reserved',
    field: 'spec.template.metadata',
    says: `Labels and annotations of the template do not begin with ${reserved}: on the sides they would be taken for marks of Cutover itself.`,
    check: ({ spec: { template } }) =>
      (['labels', 'annotations'] as const).flatMap((kind) =>
        Object.entries(template?.metadata?.[kind] ?? {})
          .filter(([key]) => key.startsWith(reserved))
          .map(([key, value]) => {
            const field = `spec.template.metadata.${kind}[${short(key)}]`;
            const message = `${field} is ${shown(value)}: ${reserved} is reserved. Both sides would have it, and it would be taken for a mark that Cutover made on them. Remove it; what people write under ${reserved} belongs on the resource itself.`;
            return { field, message };
          }),
      ),
  },
  {
    rule: 'template-selected',
    field: 'spec.template.metadata.labels',
    says: 'Where the operator looks only for resources with certain labels, the template has them: its FlinkDeployments would never be seen.',
    check({ spec, side }) {
      const { labels = {} } = spec.template?.metadata ?? {};
      const selector = side ? read(side.config, operatorOptions.labelSelector) : '';
      if (colors.every((color) => selects(selector, { ...labels, [colorLabel]: color }))) return undefined;
      return `spec.template.metadata.labels are ${shown(labels)}, but this operator looks only for resources with ${shown(selector)} (${operatorOptions.labelSelector.key}), and nobody would run the FlinkDeployments. Write the labels there, as the resource itself has them.`;
    },
  },
];

/** A selector that cannot be read selects nothing anywhere; whoever starts with it says so. */
function selects(selector: string, labels: Readonly<Record<string, string>>): boolean {
  try {
    return matches(selector, labels);
  } catch {
    return true;
  }
}

function unacceptable(kind: 'labels' | 'annotations', key: string, why: string | undefined): Finding {
  if (why === undefined) return undefined;
  const field = `spec.template.metadata.${kind}[${short(key)}]`;
  return { field, message: `${field} is refused by Kubernetes: ${short(why)}. Correct or remove it.` };
}

/** The ingress that follows the side that serves. */
const activeIngressRules: readonly Rule<BlueGreenSubject>[] = ingressRules.map(({ check, ...rest }) => ({
  ...rest,
  rule: `active-${rest.rule}`,
  check: ({ resource, spec }) => check({ resource, spec }),
}));

const inPlaceRules: readonly Rule<BlueGreenSubject>[] = [
  {
    rule: 'mode-in-place',
    field: 'spec.template.spec.mode',
    says: 'While the job is suspended, and in the edit that suspends or resumes it, the mode stays: such edits go to the side that is there.',
    check({ side, inPlace }) {
      const [before, after] = [side?.recorded?.mode ?? 'native', side?.spec.mode ?? 'native'];
      if (!inPlace || before === after) return undefined;
      return `spec.template.spec.mode is ${shown(side?.spec.mode)}, and the side that is there is ${before}: what is edited while the job is suspended goes to that side, and a cluster keeps its mode. Write ${before} with job.state "running", wait until the job runs, then change the mode.`;
    },
  },
];

/** The rules that only blue/green deployments have. */
export const ownBlueGreenRules: readonly Rule<BlueGreenSubject>[] = [
  ...resourceRules,
  ...blueGreenConfigurationRules,
  ...activeIngressRules,
  ...sideRulesInTemplate,
  ...inPlaceRules,
];

/** In the order in which they are reported: the resource itself before its template. */
const blueGreenRules: readonly Rule<BlueGreenSubject>[] = [...ownBlueGreenRules, ...templateRules];

/** All that is wrong with a FlinkBlueGreenDeployment. Pure and total. */
export function validateBlueGreen(resource: FlinkBlueGreenDeployment, context: BlueGreenContext): readonly Problem[] {
  const misshapen = shapeProblems(flinkBlueGreenDeployment, resource);
  if (misshapen.length > 0) return misshapen;
  if (isCanary(resource)) return [];
  return problemsOf(blueGreenRules, blueGreenSubject(resource, context));
}
