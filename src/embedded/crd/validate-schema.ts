import { forbiddenValue, invalidValue } from '../schema/field-error.ts';
import type { Schema } from '../schema/schema.ts';
import type { FieldError } from '../status-error.ts';
import { partsOf } from './definition-warnings.ts';
import { validateDefaults } from './validate-defaults.ts';
import { isForeign, validateKeywords } from './validate-keywords.ts';
import { validateRules } from './validate-rules.ts';
import { validateStructure } from './validate-structure.ts';

/** What the root of a schema may say when the status has its own endpoint and is checked apart. */
const allowedWithStatus: Readonly<Record<string, string>> = {
  description: 'Description',
  type: 'Type',
  format: 'Format',
  title: 'Title',
  maximum: 'Maximum',
  exclusiveMaximum: 'ExclusiveMaximum',
  minimum: 'Minimum',
  exclusiveMinimum: 'ExclusiveMinimum',
  maxLength: 'MaxLength',
  minLength: 'MinLength',
  pattern: 'Pattern',
  maxItems: 'MaxItems',
  minItems: 'MinItems',
  uniqueItems: 'UniqueItems',
  multipleOf: 'MultipleOf',
  required: 'Required',
  items: 'Items',
  properties: 'Properties',
  externalDocs: 'ExternalDocs',
  example: 'Example',
  'x-kubernetes-preserve-unknown-fields': 'XPreserveUnknownFields',
  'x-kubernetes-validations': 'XValidations',
};

/**
 * What is wrong with the schema of a definition: it must be structural (every field has a type, wherever else it is
 * mentioned), use no forbidden keywords, have defaults that it would itself accept, and rules that compile.
 *
 * Each step runs only when the one it relies on has found nothing, so that one mistake gives one message.
 */
export function validateSchema(schema: Schema, path: string, status: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (status) errors.push(...validateRoot(schema, path));
  if (schema.nullable) errors.push(forbiddenValue(`${path}.nullable`, 'nullable cannot be true at the root'));
  const keywords = validateKeywords(schema, path);
  // What a structural schema has no place for is reported as such, and hides the rest.
  const structure = [...partsOf(schema)].some(isForeign) ? [] : validateStructure(schema, path);
  errors.push(...structure);
  const sound = structure.length === 0 && keywords.length === 0;
  const defaults = sound ? validateDefaults(schema, path) : [];
  errors.push(...defaults, ...keywords);
  if (structure.length === 0 && defaults.length === 0)
    errors.push(...validateRules(schema, path, keywords.length === 0));
  return errors;
}

function validateRoot(schema: Schema, path: string): readonly FieldError[] {
  if (schema.type !== undefined && schema.type !== 'object') {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalidValue(`${path}.type`, schema.type, why)];
  }
  if (Object.keys(schema).every((key) => Object.hasOwn(allowedWithStatus, key))) return [];
  const fields = `[${Object.values(allowedWithStatus).join(' ')}]`;
  const why = `only ${fields} fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalidValue(path, schema, why)];
}
