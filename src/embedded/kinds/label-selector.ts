import { forbiddenValue, invalidValue, requiredValue } from '../schema/field-error.ts';
import type { FieldError } from '../status-error.ts';
import { invalidFor } from './checks.ts';
import type { LabelSelector } from './objects/condition.ts';
import { labelKey, labelValue } from './syntax.ts';

type Labels = Readonly<Record<string, string>>;

/** Whether a selector has no requirement at all: it then matches everything. */
export function selectsAll(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;
}

/** Whether every requirement can be decided: known operators, with values where they need some and none elsewhere. */
export function isUsable(selector: LabelSelector): boolean {
  return validateSelector('', selector).length === 0;
}

/** Whether the labels fulfil every requirement. An absent selector matches nothing, an empty one everything. */
export function matches(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (!selector) return false;
  return (
    matchesLabels(selector.matchLabels, labels) && (selector.matchExpressions ?? []).every((one) => meets(one, labels))
  );
}

/** Whether `labels` contains all of `wanted`. */
export function matchesLabels(wanted: Labels = {}, labels: Labels = {}): boolean {
  return Object.entries(wanted).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Whether labels meet one requirement; what is no operator is met by none. */
export function meets({ key, operator, values = [] }: Requirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

export function validateLabels(field: string, labels: Labels | undefined): readonly FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...invalidFor(field, key, labelKey(key)),
    ...invalidFor(field, value, labelValue(String(value))),
  ]);
}

export function validateSelector(field: string, selector: LabelSelector | undefined): readonly FieldError[] {
  if (!selector) return [];
  return [
    ...validateLabels(`${field}.matchLabels`, selector.matchLabels),
    ...(selector.matchExpressions ?? []).flatMap((one, index) =>
      validateRequirement(`${field}.matchExpressions[${index}]`, one),
    ),
  ];
}

function validateRequirement(field: string, { key, operator, values = [] }: Requirement): readonly FieldError[] {
  const wrong: FieldError[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      wrong.push(requiredValue(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      wrong.push(
        forbiddenValue(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      );
    }
  } else {
    wrong.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
  }
  wrong.push(...invalidFor(`${field}.key`, key, labelKey(key ?? '')));
  for (const [index, value] of values.entries()) {
    wrong.push(...invalidFor(`${field}.values[${index}]`, value, labelValue(value)));
  }
  return wrong;
}
