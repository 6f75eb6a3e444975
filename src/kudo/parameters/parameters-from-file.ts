import type { Json } from '../../kube/object.ts';
import { formatFloat, SHORTEST } from '../template/format/float.ts';
import { goYaml } from '../template/functions/sprig/go-yaml.ts';
import type { GoValue } from '../template/value.ts';
import { readYaml, YamlError } from './yaml.ts';

/**
 * Values of parameters from a YAML file: `name: value`. Whatever is no text becomes one: lists and maps as YAML, anything
 * else as Go prints it.
 */
export function parametersFromFile(
  text: string,
): { readonly parameters: Readonly<Record<string, string>> } | { readonly error: string } {
  let read: Json;
  try {
    read = readYaml(text);
  } catch (error) {
    if (error instanceof YamlError) return { error: error.message };
    throw error;
  }
  if (read === null) return { parameters: {} };
  if (typeof read !== 'object' || Array.isArray(read)) return { error: 'it is no map of parameters to values' };
  const values: [string, string][] = [];
  for (const [name, value] of Object.entries(read)) {
    if (value === null || value === undefined) return { error: `parameter ${name} has a null value` };
    values.push([name, textOf(value)]);
  }
  return { parameters: Object.fromEntries(values) };
}

function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatFloat(value, 'g', SHORTEST);
  return typeof value === 'object' ? goYaml(goValue(value)) : String(value);
}

function goValue(value: Json): GoValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(goValue);
  return new Map(Object.entries(value).map(([key, one]) => [key, goValue(one ?? null)]));
}
