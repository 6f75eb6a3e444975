import { dns1035Label } from '../kinds/syntax.ts';
import { invalidValue, requiredValue } from '../schema/field-error.ts';
import { type Fields, isFields } from '../schema/json.ts';
import type { Schema } from '../schema/schema.ts';
import type { FieldError } from '../status-error.ts';

/** Objects within objects (`x-kubernetes-embedded-resource`) say what they are. */
export function checkEmbedded(schema: Schema, value: unknown, path = ''): readonly FieldError[] {
  if (!contains(schema)) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.flatMap((item, i) => checkEmbedded(items, item, `${path}[${i}]`)) : [];
  }
  if (!isFields(value)) return [];
  const own = schema['x-kubernetes-embedded-resource'] ? checkType(value, path) : [];
  const { properties, additionalProperties: more } = schema;
  const nested = Object.keys(value).flatMap((key) => {
    const known = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known) return checkEmbedded(known, value[key], join(path, key));
    return typeof more === 'object' ? checkEmbedded(more, value[key], `${path}[${key}]`) : [];
  });
  return [...own, ...nested];
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function checkType(value: Fields, path: string): readonly FieldError[] {
  return ['apiVersion', 'kind'].flatMap((name): readonly FieldError[] => {
    const field = join(path, name);
    if (!Object.hasOwn(value, name)) return [requiredValue(field)];
    const text = value[name];
    if (typeof text !== 'string') return [invalidValue(field, text, 'must be a string')];
    if (text === '') return [invalidValue(field, text, 'must not be empty')];
    if (name === 'apiVersion') {
      const slashes = text.split('/').length - 1;
      return slashes > 1 ? [invalidValue(field, text, `unexpected GroupVersion string: ${text}`)] : [];
    }
    const wrong = dns1035Label(text.toLowerCase());
    const detail = `may have mixed case, but should otherwise match: ${wrong.join(',')}`;
    return wrong.length > 0 ? [invalidValue(field, text, detail)] : [];
  });
}

const containing = new WeakMap<Schema, boolean>();

/** Most schemas have no embedded resource anywhere: their objects need not be walked. */
function contains(schema: Schema): boolean {
  let known = containing.get(schema);
  if (known === undefined) {
    const { items, properties, additionalProperties: more } = schema;
    known =
      schema['x-kubernetes-embedded-resource'] === true ||
      (items !== undefined && contains(items)) ||
      (typeof more === 'object' && contains(more)) ||
      Object.values(properties ?? {}).some(contains);
    containing.set(schema, known);
  }
  return known;
}
