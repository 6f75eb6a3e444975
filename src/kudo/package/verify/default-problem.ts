import { typeProblem } from '../../parameters/value-problem.ts';
import { goText } from '../go-text.ts';
import type { PackageParameter } from '../operator-package.ts';
import type { Plain } from '../yaml/node.ts';

/** Why the default of a parameter is not a value that it may have, in KUDO's words. */
export function defaultProblem({ name, type, default: value, enum: accepted }: PackageParameter): readonly string[] {
  if (value === null) return [];
  const wrong = plainTypeProblem(type, value);
  if (wrong !== undefined) return [goText('parameter %q has an invalid default value: %v', name, wrong)];
  if (!accepted || accepted.includes(value)) return [];
  const words = 'parameter %q has an invalid default value: value is %q, but only allowed values are %v';
  return [goText(words, name, value, accepted)];
}

/**
 * The same for any value that params.yaml may hold. An integer without quotes is refused, as KUDO does: it has become a float
 * by then, and from a million on it would reach the templates as `1e+06`.
 */
export function plainTypeProblem(type: string | undefined, value: Plain): string | undefined {
  if (typeof value === 'string') return typeProblem(type, value);
  const format = `type is "${type}" but format of %s is invalid`;
  switch (type) {
    case 'string':
      return goText('type is "string" but format is invalid: %s', value);
    case 'integer':
      return goText(format, value);
    case 'number':
      return typeof value === 'number' ? undefined : goText(format, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : goText(format, value);
    case 'array':
      return Array.isArray(value) ? undefined : goText('type is "array" but value %s is not an array', value);
    case 'map':
      return value instanceof Map ? undefined : goText('type is "map" but value %s is not a map', value);
    default:
      return undefined;
  }
}
