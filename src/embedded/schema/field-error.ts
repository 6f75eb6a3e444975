import type { FieldError } from '../status-error.ts';
import { goValue, quote } from './go-text.ts';

/** Stands for a value that Kubernetes leaves out of the message. */
export const omitted: unique symbol = Symbol('omitted');

const say = (what: string, value: unknown, detail: string): string => {
  const shown = value === omitted ? what : `${what}: ${goValue(value)}`;
  return detail ? `${shown}: ${detail}` : shown;
};

export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: say('Invalid value', value, detail) };
}

export function invalidType(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueTypeInvalid', field, message: say('Invalid value', value, detail) };
}

export function requiredValue(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: say('Required value', omitted, detail) };
}

export function forbiddenValue(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: say('Forbidden', omitted, detail) };
}

export function duplicateValue(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: say('Duplicate value', value, '') };
}

export function unsupportedValue(field: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length > 0 ? `supported values: ${supported.map(quote).join(', ')}` : '';
  return { reason: 'FieldValueNotSupported', field, message: say('Unsupported value', value, detail) };
}

export function tooLong(field: string, limit: number): FieldError {
  const detail = `may not be more than ${limit} ${limit === 1 ? 'byte' : 'bytes'}`;
  return { reason: 'FieldValueTooLong', field, message: say('Too long', omitted, detail) };
}

export function tooMany(field: string, actual: number, limit: number): FieldError {
  const detail = `must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`;
  return { reason: 'FieldValueTooMany', field, message: say('Too many', actual, detail) };
}
