import type { Json } from '../../kube/object.ts';
import type { Parameter } from '../resources/operator-version.ts';
import { quote } from '../template/format/quote.ts';
import { booleanProblem } from './go-bool.ts';
import { integerProblem, numberProblem } from './go-number.ts';
import { readYaml } from './yaml.ts';

/**
 * Why a parameter cannot have this value, in KUDO's words; `''` stands for no value. `undefined` when it can.
 *
 * No value is never of a wrong type; it only is missing where one is required and there is no default. A value that nobody should
 * see is not told.
 */
export function valueProblem(
  parameter: Parameter,
  value: string,
  isSecret: () => boolean = () => false,
): string | undefined {
  const { name, required, default: fallback } = parameter;
  if (value === '') {
    const missing = required === true && (fallback === undefined || fallback === null);
    return missing ? `parameter ${quote(name)} is required but has no value set` : undefined;
  }
  const wrongType = typeProblem(parameter['value-type'], value);
  const problem = wrongType ?? enumProblem(parameter.enum, value);
  if (problem !== undefined && isSecret()) {
    const hint = wrongType === undefined ? 'is none of the enum' : `is not of type "${parameter['value-type']}"`;
    return `parameter ${quote(name)} has an invalid value, which is not shown: it ${hint}`;
  }
  return problem && `parameter ${quote(name)} has an invalid value ${quote(value)}: ${problem}`;
}

/** Why a text is no value of a type. A type that is unknown is a text's, as in KUDO. */
export function typeProblem(type: string | undefined, value: string): string | undefined {
  switch (type) {
    case 'integer':
      return scalarProblem(type, value, integerProblem(value));
    case 'number':
      return scalarProblem(type, value, numberProblem(value));
    case 'boolean':
      return scalarProblem(type, value, booleanProblem(value));
    case 'array':
      return isYaml(value, Array.isArray) ? undefined : `type is "array", but format of ${value} is invalid`;
    case 'map':
      return isYaml(value, isMap) ? undefined : `type is "map", but format of ${value} is invalid`;
    default:
      return undefined;
  }
}

/** Why a text is none of the values that are accepted; `undefined` also where all are. */
export function enumProblem(accepted: readonly string[] | null | undefined, value: string): string | undefined {
  if (!Array.isArray(accepted) || accepted.includes(value)) return undefined;
  return `value is ${quote(value)}, but only allowed values are [${accepted.join(' ')}]`;
}

function scalarProblem(type: string, value: string, problem: string | undefined): string | undefined {
  return problem && `type is "${type}" but format of ${quote(value)} is invalid: ${problem}`;
}

/** No list or map of a package is larger; to read one that is takes long. */
const longest = 512 * 1024;

/** A document that is null is an empty list, or an empty map. */
function isYaml(text: string, isType: (value: Json) => boolean): boolean {
  if (text.length > longest) return false;
  try {
    const value = readYaml(text);
    return value === null || isType(value);
  } catch {
    return false;
  }
}

function isMap(value: Json): boolean {
  return typeof value === 'object' && !Array.isArray(value);
}
