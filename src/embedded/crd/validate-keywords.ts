import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../schema/field-error.ts';
import type { Schema } from '../schema/schema.ts';
import type { FieldError } from '../status-error.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Keywords of JSON schema that definitions may not use. */
const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const;

/** Whether a schema has a keyword that structural schemas do not know at all. */
export function isForeign(schema: Schema): boolean {
  return (
    unsupported.some((key) => Object.hasOwn(schema, key)) ||
    Array.isArray(schema.items) ||
    schema['x-kubernetes-preserve-unknown-fields'] === false
  );
}

const metaFields = ['metadata', 'kind', 'apiVersion'];

/** Where a schema stands. */
interface Place {
  readonly root: boolean;
  readonly insideMeta: boolean;
  /** Why there may be no default here. */
  readonly noDefault: string | undefined;
}

/** Keywords that are forbidden, misspelled, or do not go together. */
export function validateKeywords(schema: Schema, path: string): readonly FieldError[] {
  return walk(schema, path, { root: true, insideMeta: false, noDefault: undefined });
}

function walk(schema: Schema, path: string, place: Place): FieldError[] {
  const errors = [...plain(schema, path, place)];
  const { properties = {}, additionalProperties: more, items, not, allOf = [], anyOf = [], oneOf = [] } = schema;
  const inside: Place = { ...place, root: false };
  if (schema.uniqueItems) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenValue(`${path}.uniqueItems`, why));
  }
  if (more !== undefined && more !== true && Object.keys(properties).length > 0) {
    const why = 'additionalProperties and properties are mutual exclusive';
    errors.push(forbiddenValue(`${path}.additionalProperties`, why));
  }
  if (typeof more === 'object') {
    const noDefault = place.insideMeta ? 'inside additionalProperties applying to object metadata' : place.noDefault;
    errors.push(...walk(more, `${path}.additionalProperties`, { ...inside, noDefault }));
  }
  for (const [name, child] of Object.entries(properties)) {
    const meta = (place.root || schema['x-kubernetes-embedded-resource']) && metaFields.includes(name);
    errors.push(
      ...walk(child, `${path}.properties[${name}]`, {
        root: false,
        insideMeta: meta || place.insideMeta,
        noDefault: meta && place.root ? `in top-level ${name}` : place.noDefault,
      }),
    );
  }
  if (not) errors.push(...walk(not, `${path}.not`, inside));
  for (const [i, child] of allOf.entries()) errors.push(...walk(child, `${path}.allOf[${i}]`, inside));
  for (const [i, child] of oneOf.entries()) errors.push(...walk(child, `${path}.oneOf[${i}]`, inside));
  for (const [i, child] of anyOf.entries()) errors.push(...walk(child, `${path}.anyOf[${i}]`, inside));
  if (items && !Array.isArray(items)) errors.push(...walk(items, `${path}.items`, inside));
  return [...errors, ...extensions(schema, path)];
}

function plain(schema: Schema, path: string, { insideMeta, noDefault }: Place): FieldError[] {
  const errors: FieldError[] = [];
  const { type } = schema;
  if (type && !types.includes(type)) errors.push(unsupportedValue(`${path}.type`, type, types));
  if (schema.default !== undefined && noDefault) {
    errors.push(forbiddenValue(`${path}.default`, `must not be set ${noDefault}`));
  }
  for (const key of unsupported) {
    if (Object.hasOwn(schema, key)) errors.push(forbiddenValue(`${path}.${key}`, `${key} is not supported`));
  }
  if ((type as string) === 'null') {
    const why = 'type cannot be set to null, use nullable as an alternative';
    errors.push(forbiddenValue(`${path}.type`, why));
  }
  if (Array.isArray(schema.items)) {
    errors.push(forbiddenValue(`${path}.items`, 'items must be a schema object and not an array'));
  }
  if (insideMeta && schema['x-kubernetes-embedded-resource']) {
    errors.push(forbiddenValue(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'));
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
  return errors;
}

function extensions(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const mapType = schema['x-kubernetes-map-type'];
  const listType = schema['x-kubernetes-list-type'];
  if (mapType !== undefined) {
    errors.push(...ofType(schema, 'object', path, 'must be object if x-kubernetes-map-type is specified'));
    if (!['atomic', 'granular'].includes(mapType)) {
      errors.push(unsupportedValue(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
    }
  }
  if (listType !== undefined) {
    const wrong = ofType(schema, 'array', path, 'must be array if x-kubernetes-list-type is specified');
    errors.push(...(wrong.length > 0 || listType !== 'set' ? wrong : atomicItems(schema, path)));
    if (!['atomic', 'set', 'map'].includes(listType)) {
      errors.push(unsupportedValue(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']));
    }
  }
  if ((schema['x-kubernetes-list-map-keys'] ?? []).length > 0 && listType !== 'map') {
    const field = `${path}.x-kubernetes-list-type`;
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(listType === undefined ? requiredValue(field, why) : invalidValue(field, listType, why));
  }
  if (listType === 'map') errors.push(...mapKeys(schema, path));
  if (listType === 'map' || listType === 'set') errors.push(...notNullable(schema, path, listType));
  return errors;
}

function ofType(schema: Schema, type: string, path: string, why: string): FieldError[] {
  if (schema.type === type) return [];
  return [schema.type ? invalidValue(`${path}.type`, schema.type, why) : requiredValue(`${path}.type`, why)];
}

/** Values of a set are compared as a whole, so they must be merged as a whole. */
function atomicItems({ items }: Schema, path: string): FieldError[] {
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items?.['x-kubernetes-list-type'];
  const mapType = items?.['x-kubernetes-map-type'];
  if (items?.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalidValue(`${path}.items.x-kubernetes-list-type`, listType, why)];
  }
  if (items?.type === 'object' && mapType !== 'atomic') {
    return [invalidValue(`${path}.items.x-kubernetes-map-type`, listType ?? null, why)];
  }
  return [];
}

function mapKeys(schema: Schema, path: string): FieldError[] {
  const { items } = schema;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const errors: FieldError[] = [];
  const field = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) errors.push(requiredValue(field, 'must not be empty if x-kubernetes-list-type is map'));
  if (!items) return [...errors, requiredValue(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  if (items.type !== 'object') {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalidValue(`${path}.items.type`, items.type ?? '', why)];
  }
  for (const [i, key] of keys.entries()) {
    const property = items.properties?.[key];
    if (!property) {
      errors.push(invalidValue(field, keys, 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalidValue(`${path}.items.properties[${key}].type`, items.type, why));
    }
    if (keys.indexOf(key) < i) errors.push(invalidValue(field, keys, 'must not contain duplicate entries'));
  }
  return errors;
}

function notNullable(schema: Schema, path: string, listType: string): FieldError[] {
  const { items } = schema;
  if (!items) return [];
  const errors: FieldError[] = [];
  if (items.nullable) {
    const why = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbiddenValue(`${path}.items.nullable`, why));
  }
  if (listType !== 'map') return errors;
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const property = items.properties?.[key];
    if (!property) continue;
    const at = `${path}.items.properties[${key}]`;
    if (!items.required?.includes(key) && property.default === undefined) {
      const why = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      errors.push(requiredValue(`${at}.default`, why));
    }
    if (property.nullable) {
      const why = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable';
      errors.push(forbiddenValue(`${at}.nullable`, why));
    }
  }
  return errors;
}
