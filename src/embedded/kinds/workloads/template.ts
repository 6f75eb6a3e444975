import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../../schema/field-error.ts';
import type { FieldError } from '../../status-error.ts';
import type { Fields } from '../draft.ts';
import { inside } from '../draft.ts';
import { matches, selectsAll, validateSelector } from '../label-selector.ts';
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

/** What is wrong with `spec.selector` and `spec.template` of a workload whose pods run for ever. `kind` in small letters. */
export function validateSelecting(
  spec: Selecting,
  kind: string,
  extraVolumes: readonly string[] = [],
): readonly FieldError[] {
  const wrong: FieldError[] = [];
  if (!spec.selector) wrong.push(requiredValue('spec.selector'));
  else {
    wrong.push(...validateSelector('spec.selector', spec.selector));
    if (selectsAll(spec.selector)) {
      wrong.push(invalidValue('spec.selector', spec.selector, `empty selector is invalid for ${kind}`));
    }
  }
  const labels = spec.template?.metadata?.labels;
  if (spec.selector && !selectsAll(spec.selector) && !matches(spec.selector, labels)) {
    const detail = '`selector` does not match template `labels`';
    wrong.push(invalidValue('spec.template.metadata.labels', labels, detail));
  }
  wrong.push(...validateTemplate('spec.template', spec.template, extraVolumes));
  return wrong;
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
