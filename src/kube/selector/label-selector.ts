import { KubeError } from '../error.ts';
import { parseSelector } from './parse-selector.ts';
import { type Requirement, satisfies } from './requirement.ts';

/** A selector as it stands in the `spec` of many kinds. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

/** Which labels: Kubernetes' string form, or the object form. An empty one selects everything. */
export type Selector = string | LabelSelector;

/** The selector as a function, for use on many objects. Errors: as `parseSelector`. */
export function compileSelector(selector: Selector): (labels: Readonly<Record<string, string>> | undefined) => boolean {
  const requirements = requirementsOf(selector);
  return (labels = {}) => requirements.every((requirement) => satisfies(requirement, labels));
}

/** Whether the selector selects an object with these labels. Errors: as `parseSelector`. */
export function matches(selector: Selector, labels: Readonly<Record<string, string>> | undefined): boolean {
  return compileSelector(selector)(labels);
}

/** The selector in the string form that goes into a query. */
export function formatSelector(selector: Selector): string {
  return typeof selector === 'string' ? selector : requirementsOf(selector).map(formatRequirement).join(',');
}

function formatRequirement(requirement: Requirement): string {
  const { key, operator } = requirement;
  switch (operator) {
    case 'in':
    case 'notin': {
      const [only, ...more] = requirement.values;
      if (only !== undefined && more.length === 0) return `${key}${operator === 'in' ? '=' : '!='}${only}`;
      return `${key} ${operator} (${requirement.values.join(',')})`;
    }
    case 'exists':
      return key;
    case 'absent':
      return `!${key}`;
    case '>':
    case '<':
      return `${key}${operator}${requirement.value}`;
  }
}

function requirementsOf(selector: Selector): readonly Requirement[] {
  if (typeof selector === 'string') return parseSelector(selector);
  const labels = Object.entries(selector.matchLabels ?? {}).map(
    ([key, value]): Requirement => ({ key, operator: 'in', values: [value] }),
  );
  return [...labels, ...(selector.matchExpressions ?? []).map(fromExpression)];
}

function fromExpression({
  key,
  operator,
  values = [],
}: NonNullable<LabelSelector['matchExpressions']>[number]): Requirement {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        throw new KubeError(
          'refused',
          `values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty`,
        );
      }
      return { key, operator: operator === 'In' ? 'in' : 'notin', values };
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        const shown = JSON.stringify(values);
        throw new KubeError(
          'refused',
          `values: Invalid value: ${shown}: values set must be empty for exists and does not exist`,
        );
      }
      return { key, operator: operator === 'Exists' ? 'exists' : 'absent' };
    default:
      throw new KubeError('refused', `"${operator as string}" is not a valid label selector operator`);
  }
}
