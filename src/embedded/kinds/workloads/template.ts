import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../../schema/field-error.ts';
import type { Fields } from '../../schema/json.ts';
import type { FieldError } from '../../status-error.ts';

import { inside } from '../draft.ts';
import { isUsable, matches, selectsAll, validateSelector } from '../label-selector.ts';
import type { LabelSelector } from '../objects/condition.ts';
import type { PodTemplate } from '../objects/pod.ts';
import { defaultPodSpec } from '../pod/defaults.ts';
import { validateTemplate } from '../pod/validate.ts';

/** Fills in `spec.template`. */
export function defaultTemplate(spec: Fields | undefined): void {
  if (!spec) return;
  const template = inside(spec, 'template');
  if (!template) return;
  inside(template, 'metadata');
  defaultPodSpec(inside(template, 'spec'));
}

interface Selecting {
  readonly selector?: LabelSelector;
  readonly template: PodTemplate;
}

/**
 * What is wrong with `spec.selector` and `spec.template` of a workload whose pods run for ever. `kind` is what Kubernetes
 * calls the workload in its message, `unusable` what it says of a selector that cannot be read.
 */
export function validateSelecting(
  spec: Selecting,
  kind: string,
  options: { readonly extraVolumes?: readonly string[]; readonly unusable?: string; readonly optional?: boolean } = {},
): readonly FieldError[] {
  const { selector, template } = spec;
  const wrong: FieldError[] = [];
  if (selector) {
    wrong.push(...validateSelector('spec.selector', selector));
    if (selectsAll(selector)) {
      wrong.push(invalidValue('spec.selector', selector, `empty selector is invalid for ${kind}`));
    }
    if (!isUsable(selector)) {
      return [...wrong, invalidValue('spec.selector', selector, options.unusable ?? 'invalid label selector')];
    }
  } else if (!options.optional) wrong.push(requiredValue('spec.selector'));
  const labels = template?.metadata?.labels;
  if (!selector || !matches(selector, labels)) {
    const detail = '`selector` does not match template `labels`';
    wrong.push(invalidValue('spec.template.metadata.labels', labels ?? null, detail));
  }
  return [...wrong, ...validateTemplate('spec.template', template, options.extraVolumes)];
}

/** Pods of a workload are always restarted, and never end by a deadline. `kind` as in the kind's name. */
export function validateEndless(template: PodTemplate, kind: string): readonly FieldError[] {
  const { restartPolicy, activeDeadlineSeconds } = template?.spec ?? {};
  const field = 'spec.template.spec';
  return [
    ...(restartPolicy !== 'Always'
      ? [unsupportedValue(`${field}.restartPolicy`, restartPolicy ?? '', ['Always'])]
      : []),
    ...(activeDeadlineSeconds !== undefined
      ? [forbiddenValue(`${field}.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)]
      : []),
  ];
}
