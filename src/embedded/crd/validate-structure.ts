import { equal } from '../schema/equal.ts';
import { forbiddenValue, invalidValue, requiredValue } from '../schema/field-error.ts';
import { goRegExp } from '../schema/regexp.ts';
import type { Schema } from '../schema/schema.ts';
import type { FieldError } from '../status-error.ts';

type Level = 'root' | 'item' | 'field';

/** What keeps a schema from being structural, in the API server's words and order. */
export function validateStructure(schema: Schema, path: string): readonly FieldError[] {
  const errors = [...invariants(schema, 'root', path), ...completeness(schema, schema, path, path)];
  const text = (error: FieldError): string => `${error.field}: ${error.message}`;
  return errors.sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

const withoutType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function invariants(schema: Schema, level: Level, path: string): FieldError[] {
  const { type, items, properties = {}, additionalProperties: more } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const mixed = schema['x-kubernetes-int-or-string'] === true;
  const errors: FieldError[] = [];

  if (type === 'array' && !items) errors.push(requiredValue(`${path}.items`, 'must be specified'));
  if (items) errors.push(...invariants(items, 'item', `${path}.items`));
  for (const [name, child] of Object.entries(properties)) {
    errors.push(...invariants(child, 'field', `${path}.properties[${name}]`));
  }
  if (more !== undefined && more !== false) {
    if (level === 'root') errors.push(forbiddenValue(`${path}.additionalProperties`, 'must not be used at the root'));
    if (typeof more === 'object') errors.push(...invariants(more, 'field', `${path}.additionalProperties`));
  }
  if (mixed && open) {
    const why = 'must be false if x-kubernetes-int-or-string is true';
    errors.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, true, why));
  }
  if (mixed && embedded) {
    const why = 'must be false if x-kubernetes-int-or-string is true';
    errors.push(invalidValue(`${path}.x-kubernetes-embedded-resource`, true, why));
  }
  errors.push(...validations(schema, path, isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf)));

  if (embedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type ? invalidValue(`${path}.type`, type, why) : requiredValue(`${path}.type`, why));
  } else if (!type && !mixed && !open) {
    errors.push(requiredValue(`${path}.type`, withoutType[level]));
  }
  if (embedded && more !== undefined) {
    const why = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbiddenValue(`${path}.additionalProperties`, why));
  }
  if (level === 'root' && type && type !== 'object') {
    errors.push(invalidValue(`${path}.type`, type, 'must be object at the root'));
  }
  if (level === 'root' || embedded) errors.push(...typeMeta(properties, path));
  if (properties.metadata) errors.push(...metadata(properties.metadata, level, embedded, path));
  if (embedded && !open && Object.keys(properties).length === 0) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(requiredValue(`${path}.properties`, why));
  }
  return errors;
}

function typeMeta(properties: Readonly<Record<string, Schema>>, path: string): FieldError[] {
  return ['kind', 'apiVersion'].flatMap((name) => {
    const child = properties[name];
    if (!child || child.type === 'string') return [];
    return [invalidValue(`${path}.properties[${name}].type`, child.type ?? '', 'must be string')];
  });
}

/** Of its metadata a definition may only restrict the names. */
function metadata(schema: Schema, level: Level, embedded: boolean, path: string): FieldError[] {
  const at = `${path}.properties[metadata]`;
  const errors: FieldError[] = [];
  if ((level === 'root' || embedded) && schema.type !== 'object') {
    errors.push(invalidValue(`${at}.type`, schema.type ?? '', 'must be object'));
  }
  if (level !== 'root') return errors;
  const { type: _type, default: _default, properties = {}, ...rest } = schema;
  const names = Object.keys(properties);
  if (Object.keys(rest).length > 0 || names.some((name) => name !== 'name' && name !== 'generateName')) {
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbiddenValue(at, why));
  }
  return errors;
}

/** The one pattern in which types may stand inside `anyOf`. */
function isIntOrString(anyOf: readonly Schema[] | undefined): boolean {
  return anyOf !== undefined && equal(anyOf, [{ type: 'integer' }, { type: 'string' }]);
}

function validations(schema: Schema, path: string, skipAnyOf: boolean, skipFirstAllOf: boolean): FieldError[] {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern } = schema;
  const errors: FieldError[] = [];
  if (!skipAnyOf) for (const [i, child] of anyOf.entries()) errors.push(...nested(child, `${path}.anyOf[${i}]`, false));
  for (const [i, child] of allOf.entries()) {
    errors.push(...nested(child, `${path}.allOf[${i}]`, skipFirstAllOf && i === 0));
  }
  for (const [i, child] of oneOf.entries()) errors.push(...nested(child, `${path}.oneOf[${i}]`, false));
  if (not) errors.push(...nested(not, `${path}.not`, false));
  const expression = pattern ? goRegExp(pattern) : undefined;
  if (expression instanceof Error) {
    const why = `must be a valid regular expression, but isn't: ${expression.message}`;
    errors.push(invalidValue(`${path}.pattern`, pattern, why));
  }
  return errors;
}

/** What a branch of `allOf`, `anyOf`, `oneOf` or `not` must leave to the schema around it. */
const forbiddenInside = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
] as const;

function nested(schema: Schema, path: string, skipAnyOf: boolean): FieldError[] {
  const errors = validations(schema, path, skipAnyOf, false);
  if (schema.items) errors.push(...nested(schema.items, `${path}.items`, false));
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    errors.push(...nested(child, `${path}.properties[${name}]`, false));
  }
  for (const [key, why] of forbiddenInside) {
    const value = schema[key];
    if (value !== undefined && value !== false && value !== '') errors.push(forbiddenValue(`${path}.${key}`, why));
  }
  if (schema.properties?.metadata) {
    const why = 'must not be specified in a nested context';
    errors.push(forbiddenValue(`${path}.properties[metadata]`, why));
  }
  return errors;
}

/** Every field that a branch mentions must be specified outside of it as well. */
function completeness(branch: Schema, structure: Schema, at: string, path: string): FieldError[] {
  const { anyOf = [], allOf = [], oneOf = [], not } = branch;
  return [
    ...(not ? complete(not, structure, at, `${path}.not`) : []),
    ...allOf.flatMap((child, i) => complete(child, structure, at, `${path}.allOf[${i}]`)),
    ...anyOf.flatMap((child, i) => complete(child, structure, at, `${path}.anyOf[${i}]`)),
    ...oneOf.flatMap((child, i) => complete(child, structure, at, `${path}.oneOf[${i}]`)),
  ];
}

function complete(branch: Schema, structure: Schema | undefined, at: string, path: string): FieldError[] {
  if (!structure) return [requiredValue(at, `because it is defined in ${path}`)];
  return [
    ...completeness(branch, structure, at, path),
    ...(branch.items ? complete(branch.items, structure.items, `${at}.items`, `${path}.items`) : []),
    ...Object.entries(branch.properties ?? {}).flatMap(([name, child]) => {
      const step = `properties[${name}]`;
      return complete(child, structure.properties?.[name], `${at}.${step}`, `${path}.${step}`);
    }),
  ];
}
