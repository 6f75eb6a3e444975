import { invalidValue } from '../schema/field-error.ts';
import type { FieldError } from '../status-error.ts';
import { invalidFor, nonNegative } from './checks.ts';
import type { IntOrString } from './objects/condition.ts';
import { percentage } from './syntax.ts';

const percentOf = (value: IntOrString | undefined): number | undefined =>
  typeof value === 'string' && percentage(value).length === 0 ? Number(value.slice(0, -1)) : undefined;

/** The bare number: of a percentage its digits, of other text zero. */
export function bareNumber(value: IntOrString | undefined): number {
  return percentOf(value) ?? (typeof value === 'number' ? value : 0);
}

/** How many of `total` that is; a share is rounded as told. */
export function scaled(value: IntOrString | undefined, total: number, round: 'up' | 'down'): number {
  const percent = percentOf(value);
  if (percent === undefined) return typeof value === 'number' ? value : 0;
  return round === 'up' ? Math.ceil((percent * total) / 100) : Math.floor((percent * total) / 100);
}

/** Refuses what is neither a number from zero on nor a percentage. */
export function validateIntOrPercent(field: string, value: IntOrString | undefined): readonly FieldError[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? invalidFor(field, value, percentage(value)) : nonNegative(field, value);
}

export function validateAtMostAll(field: string, value: IntOrString | undefined): readonly FieldError[] {
  const percent = percentOf(value);
  return percent !== undefined && percent > 100 ? [invalidValue(field, value, 'must not be greater than 100%')] : [];
}
