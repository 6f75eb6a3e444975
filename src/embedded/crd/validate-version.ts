import { duplicateValue, invalidValue, requiredValue, tooMany } from '../schema/field-error.ts';
import type { Schema } from '../schema/schema.ts';
import type { FieldError } from '../status-error.ts';
import type { Version } from './definition.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const mostSelectable = 8;

/** What a version prints in tables. */
export function validateColumns(version: Version, path: string): readonly FieldError[] {
  return (version.additionalPrinterColumns ?? []).flatMap(({ name, type, format, jsonPath }, i) => {
    const at = `${path}[${i}]`;
    const types = `must be one of ${columnTypes.join(',')}`;
    return [
      ...(name ? [] : [requiredValue(`${at}.name`)]),
      ...(type ? [] : [requiredValue(`${at}.type`, types)]),
      ...(type && !columnTypes.includes(type) ? [invalidValue(`${at}.type`, type, types)] : []),
      ...(format && !columnFormats.includes(format)
        ? [invalidValue(`${at}.format`, format, `must be one of ${columnFormats.join(',')}`)]
        : []),
      ...(jsonPath ? validatePath(jsonPath, `${at}.JSONPath`) : [requiredValue(`${at}.JSONPath`)]),
    ];
  });
}

/** Where a version keeps what `scale` shows. */
export function validateScale(version: Version, path: string): readonly FieldError[] {
  const { scale } = version.subresources ?? {};
  if (!scale) return [];
  return [
    ...validatePlace(scale.specReplicasPath, `${path}.scale.specReplicasPath`, ['.spec']),
    ...validatePlace(scale.statusReplicasPath, `${path}.scale.statusReplicasPath`, ['.status']),
    ...(scale.labelSelectorPath
      ? validatePlace(scale.labelSelectorPath, `${path}.scale.labelSelectorPath`, ['.spec', '.status'])
      : []),
  ];
}

function validatePlace(path: string | undefined, field: string, roots: readonly string[]): readonly FieldError[] {
  if (!path) return [requiredValue(field)];
  const wrong = validatePath(path, field);
  if (wrong.length > 0 || roots.some((root) => path.startsWith(`${root}.`))) return wrong;
  const where = roots.length > 1 ? `either ${roots.join(' or ')}` : roots[0];
  return [invalidValue(field, path, `should be a json path under ${where}`)];
}

function validatePath(path: string, field: string): readonly FieldError[] {
  return path.startsWith('.') ? [] : [invalidValue(field, path, 'must be a simple json path starting with .')];
}

/** By which fields a version's objects can be selected. */
export function validateSelectable(version: Version, path: string): readonly FieldError[] {
  const schema = version.schema?.openAPIV3Schema;
  const seen = new Set<string>();
  const errors = (version.selectableFields ?? []).flatMap(({ jsonPath }, i): readonly FieldError[] => {
    const field = `${path}[${i}].jsonPath`;
    if (!jsonPath) return [requiredValue(field)];
    const found = schema && lookUp(schema, jsonPath);
    if (typeof found === 'string') return [invalidValue(field, jsonPath, `is an invalid path: ${found}`)];
    const wrong: FieldError[] = [];
    if (jsonPath.startsWith('.metadata')) {
      wrong.push(invalidValue(field, jsonPath, 'must not point to fields in metadata'));
    }
    if (!['string', 'boolean', 'integer'].includes(found?.type ?? '')) {
      const why =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      wrong.push(invalidValue(field, jsonPath, why));
    }
    if (seen.has(jsonPath)) wrong.push(duplicateValue(field, jsonPath));
    seen.add(jsonPath);
    return wrong;
  });
  return seen.size > mostSelectable ? [...errors, tooMany(path, seen.size, mostSelectable)] : errors;
}

/** The schema that a path of fields leads to, or why it leads nowhere. */
function lookUp(schema: Schema, path: string): Schema | string {
  if (!path.startsWith('.')) return `expected [ or . but got: ${path.split('.')[0]}`;
  let at: Schema = schema;
  for (const step of path.slice(1).split('.')) {
    const next = at.properties && Object.hasOwn(at.properties, step) ? at.properties[step] : undefined;
    if (!next) return step.includes('[') ? 'array notation is not allowed' : 'does not refer to a valid field';
    at = next;
  }
  return at;
}
