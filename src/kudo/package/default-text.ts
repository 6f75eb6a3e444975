import { goYaml } from '../template/functions/sprig/go-yaml.ts';
import { GoInt, type GoValue } from '../template/value.ts';
import { goText } from './go-text.ts';
import type { Plain } from './yaml/node.ts';

/**
 * A default, or a word of an enum, as the text that the OperatorVersion holds: arrays and maps as YAML, anything else as Go
 * prints it. So 1000000 without quotes is `1e+06`, as in KUDO. A map or array without a default has the YAML of nothing,
 * which is a default: KUDO never asks for a value of it, whether it is required or not.
 */
export function defaultText(value: Plain, type: string | undefined): string | undefined {
  if (type === 'array' || type === 'map') return goYaml(forYaml(value));
  return value === null ? undefined : goText('%v', value);
}

/** Integers as integers: on the way through JSON they lose their exponent. */
function forYaml(value: Plain): GoValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? new GoInt('int64', BigInt(value)) : value;
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, forYaml(one)]));
  return Array.isArray(value) ? value.map(forYaml) : (value as GoValue);
}
