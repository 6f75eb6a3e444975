import { invalidValue } from '../schema/field-error.ts';
import { goValue } from '../schema/go-text.ts';
import type { FieldError } from '../status-error.ts';

/** A name that should lead somewhere and does not. */
export function notFoundValue(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${goValue(value)}` };
}

/** The refusal of a number below zero, if it is one. */
export function nonNegative(field: string, value: number | undefined): readonly FieldError[] {
  return value !== undefined && value < 0 ? [invalidValue(field, value, 'must be greater than or equal to 0')] : [];
}

/** One `Invalid value` per message. */
export function invalidFor(field: string, value: unknown, messages: readonly string[]): readonly FieldError[] {
  return messages.map((message) => invalidValue(field, value, message));
}

/** The refusal of a change, if there is one. */
export function immutable(field: string, after: unknown, before: unknown): readonly FieldError[] {
  return same(after, before) ? [] : [invalidValue(field, after, 'field is immutable')];
}

/** Whether two JSON values are equal; absent, `null`, `{}` and `[]` are the same nothing, as for Kubernetes. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b || (nothing(a) && nothing(b))) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => same(own(left, key), own(right, key)));
}

const own = (object: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

const nothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
