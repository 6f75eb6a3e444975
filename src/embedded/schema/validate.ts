import type { FieldError } from '../status-error.ts';
import { checkRules, hasRules } from './cel/check-rules.ts';
import { invalidValue } from './field-error.ts';
import { checkListTypes } from './list-types.ts';
import { noOld } from './old-value.ts';
import type { Schema } from './schema.ts';
import { validateValue } from './validate-value.ts';

/** Faults of a kind that rules rely on not being there. */
const blocking: ReadonlySet<FieldError['reason']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/**
 * Checks an object against a schema, in the words of kube-apiserver: types, bounds, formats and enums, the uniqueness
 * of sets and maps, then the rules (`x-kubernetes-validations`).
 *
 * With `before` given it is an update: what was already wrong in a value that has not changed is forgiven, and
 * transition rules (`oldSelf`) run.
 */
export function validate(schema: Schema, object: unknown, before?: unknown): FieldError[] {
  const old = before === undefined ? noOld : before;
  const errors = validateValue(schema, object, old, '');
  if (before === undefined || !breaksListTypes(schema, before)) checkListTypes(schema, object, '', errors);
  if (!hasRules(schema)) return errors;
  if (errors.some(({ reason }) => blocking.has(reason))) {
    const why =
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
    errors.push(invalidValue('<nil>', null, why));
  } else {
    checkRules(schema, object, old, errors);
  }
  return errors;
}

function breaksListTypes(schema: Schema, object: unknown): boolean {
  const errors: FieldError[] = [];
  checkListTypes(schema, object, '', errors);
  return errors.length > 0;
}
