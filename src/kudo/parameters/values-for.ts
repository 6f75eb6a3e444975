import type { Json } from '../../kube/object.ts';
import type { OperatorVersion, Parameter } from '../resources/operator-version.ts';
import { quote } from '../template/format/quote.ts';
import { defaultOf, definitionsOf, valuesOf } from './definitions.ts';
import { readYaml, YamlError } from './yaml.ts';

/** A value that cannot be given to templates. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  readonly parameter: string;

  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}

/**
 * What templates see as `.Params`: of every parameter that the version has, the value of the Instance, else the default,
 * else an empty text. Arrays and maps are what their YAML says, with every number a float64. An
 * empty array is a list of nothing (recorded: its `kindOf` is slice, its `len` 0), an empty map is null; all other types stay
 * texts. Parameters that the version does not know are not seen.
 *
 * Throws a `ParameterError` for an array or map that is none. Admission refuses those, so it can only be a default, or a
 * value that was accepted before the version was changed.
 */
export function valuesFor(version: OperatorVersion, parameters: unknown): Record<string, Json> {
  const values = valuesOf(parameters);
  const seen = [...definitionsOf(version).values()].map((parameter) => {
    return [parameter.name, unwrapped(parameter, values.get(parameter.name) ?? defaultOf(parameter) ?? '')] as const;
  });
  return Object.fromEntries(seen);
}

function unwrapped({ name, 'value-type': type }: Parameter, text: string): Json {
  if (type !== 'array' && type !== 'map') return text;
  const value = text === '' ? null : read(name, text);
  // A map may be any YAML, as KUDO has it: only what is set on an Instance is checked.
  if (type === 'map' || Array.isArray(value)) return value;
  if (value === null) return [];
  throw new ParameterError(name, `parameter ${quote(name)} is of type array, but its value is not a list`);
}

function read(name: string, text: string): Json {
  try {
    return readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new ParameterError(name, `parameter ${quote(name)} is not YAML: ${error.message}`);
  }
}
