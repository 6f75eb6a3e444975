import { invalidValue } from '../schema/field-error.ts';
import { copy } from '../schema/json.ts';
import { prune } from '../schema/prune.ts';
import type { Schema } from '../schema/schema.ts';
import { validate } from '../schema/validate.ts';
import type { FieldError } from '../status-error.ts';
import { checkEmbedded } from './embedded-resource.ts';

/** A default must be a value that the schema accepts, and nothing of it may be pruned. */
export function validateDefaults(schema: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (schema.default !== undefined && schema.default !== null) errors.push(...checkDefault(schema, `${path}.default`));
  if (schema.items) errors.push(...validateDefaults(schema.items, `${path}.items`));
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    errors.push(...validateDefaults(child, `${path}.properties[${name}]`));
  }
  return errors;
}

function checkDefault(schema: Schema, field: string): readonly FieldError[] {
  const value = schema.default;
  const errors: FieldError[] = [];
  if (prune(schema, copy(value)).length > 0) errors.push(invalidValue(field, value, 'must not have unknown fields'));
  const embedded = checkEmbedded(schema, value, field);
  if (embedded.length > 0) return [...errors, ...embedded];
  const wrong = validate(schema, value).map((error) => ({ ...error, field: under(field, error.field) }));
  return [...errors, ...wrong];
}

/** Where a fault inside a default lies. */
function under(field: string, inner: string): string {
  return inner === '<nil>' ? field : `${field}.${inner}`;
}
