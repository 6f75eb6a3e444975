import type { Schema } from '../schema/schema.ts';

/**
 * Names of the types that the real server decodes into, as far as they follow from a schema and a path: they are part
 * of what it says about a value that does not fit. Exact for scalars, maps and lists of them, and metadata.
 */
export function goTypeOf(schema: Schema, field: string): string {
  const last = field.replace(/^.*\./, '');
  switch (schema.type) {
    case 'integer':
      return schema.format === 'int32' ? 'int32' : 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'string':
      if (schema.format === 'byte') return '[]uint8';
      return last === 'uid' ? 'types.UID' : 'string';
    case 'array':
      return `[]${goTypeOf(schema.items ?? {}, field)}`;
    case 'object':
      if (typeof schema.additionalProperties === 'object') {
        return `map[string]${goTypeOf(schema.additionalProperties, '')}`;
      }
      if (field === 'metadata') return 'v1.ObjectMeta';
      return itemTypes[last] ? `v1.${itemTypes[last]}` : 'map[string]interface {}';
    default:
      return 'interface {}';
  }
}

const itemTypes: Readonly<Record<string, string>> = {
  ownerReferences: 'OwnerReference',
  managedFields: 'ManagedFieldsEntry',
};

/** The struct that has the field at this path of an object of the kind. */
export function structOf(kind: string, field: string): string {
  const [, list = ''] = /^(?:metadata\.)?(ownerReferences|managedFields)\./.exec(field) ?? [];
  if (itemTypes[list]) return itemTypes[list];
  if (field.startsWith('metadata.')) return 'ObjectMeta';
  if (/^spec\.[^.]+$/.test(field)) return `${kind}Spec`;
  if (/^status\.[^.]+$/.test(field)) return `${kind}Status`;
  return kind;
}

/** What a value is called that does not fit: a number is shown when its size or fraction is the reason. */
export function goNameOf(value: unknown, { type }: Schema = {}): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' && type === 'integer' ? `number ${value}` : typeof value;
}
