import { GoInt, GoList, GoObject, GoStringMap, type GoValue } from './value.ts';

/** The type of a value in Go's words, as `%T` prints it. */
export function typeOf(value: GoValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
  }
  if (value === null) return '<nil>';
  if (value instanceof GoInt || value instanceof GoList || value instanceof GoObject) return value.type;
  if (value instanceof GoStringMap) return 'map[string]string';
  return value instanceof Map ? 'map[string]interface {}' : '[]interface {}';
}

/** The kind of a value in Go's words: what its type is built of. */
export function kindOf(value: GoValue): string {
  if (value === null) return 'invalid';
  if (value instanceof Map) return 'map';
  if (Array.isArray(value) || value instanceof GoList) return 'slice';
  if (value instanceof GoObject) return value.type.startsWith('*') ? 'ptr' : 'struct';
  return typeOf(value);
}
