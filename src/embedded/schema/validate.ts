import type { FieldError } from '../status-error.ts';
import { checkListTypes } from './list-types.ts';
import { noOld } from './old-value.ts';
import type { Schema } from './schema.ts';
import { validateValue } from './validate-value.ts';

/**
 * Checks an object against a schema, in the words of kube-apiserver.
 *
 * With `before` given it is an update: what was already wrong in a value that has not changed is forgiven, and
 * transition rules (`oldSelf`) run.
 */
export function validate(schema: Schema, object: unknown, before?: unknown): FieldError[] {
  const old = before === undefined ? noOld : before;
  const errors = validateValue(schema, object, old, '');
  if (before === undefined || !breaksListTypes(schema, before)) checkListTypes(schema, object, '', errors);
  return errors;
}

function breaksListTypes(schema: Schema, object: unknown): boolean {
  const errors: FieldError[] = [];
  checkListTypes(schema, object, '', errors);
  return errors.length > 0;
}
