import { goPrint, goType, goValue } from '../schema/go-text.ts';
import { isFields } from '../schema/json.ts';
import { stepText } from './field-set.ts';
import { itemStep, type ListType, type MapType, type MergeType, partFor } from './merge-type.ts';

/** What is wrong with a configuration before it can be merged: fields of the wrong kind, unknown ones, duplicates. */
export function checkConfig(type: MergeType, value: unknown, path = ''): string[] {
  if (value === null || value === undefined) return [];
  switch (partFor(type, value)) {
    case 'scalar': {
      const problem = scalarProblem(type.scalar, value);
      return problem ? [`${path}: ${problem}`] : [];
    }
    case 'list':
      if (!Array.isArray(value)) return [`${path}: expected list, got ${shown(value)}`];
      return checkList(type.list as ListType, value, path);
    case 'map':
      if (!isFields(value)) return [`${path}: expected map, got ${shown(value)}`];
      return checkMap(type.map as MapType, value, path);
  }
}

function scalarProblem(scalar: MergeType['scalar'], value: unknown): string | undefined {
  switch (scalar) {
    case 'numeric':
      return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goValue(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${shown(value)}`;
    default:
      return typeof value === 'object' ? `expected any scalar, got ${shown(value)}` : undefined;
  }
}

function checkList(list: ListType, items: readonly unknown[], path: string): string[] {
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const [i, item] of items.entries()) {
    let at = `${path}[${i}]`;
    if (!list.atomic) {
      const found = itemStep(list, item);
      if ('problem' in found) return [...problems, `${path}: element ${i}: ${found.problem}`];
      if (seen.has(found.step)) problems.push(`${path}: duplicate entries for key ${stepText(found.step)}`);
      seen.add(found.step);
      at = path + stepText(found.step);
    }
    problems.push(...checkConfig(list.items, item, at));
  }
  return problems;
}

function checkMap(map: MapType, value: Record<string, unknown>, path: string): string[] {
  const problems: string[] = [];
  for (const key of Object.keys(value)) {
    const type = map.field(key)?.type ?? map.others;
    if (type) problems.push(...checkConfig(type, value[key], `${path}.${key}`));
    else problems.push(`${path}.${key}: field not declared in schema`);
  }
  return problems;
}

/** A value as the API server's Go code happens to print it here. */
function shown(value: unknown): string {
  return `&{${goPrint(value)}}`;
}
