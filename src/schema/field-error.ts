import type * as z from 'zod';
import type { Field } from './field.ts';
import type { Json } from './json.ts';

/** Why a field is refused, in the form that webhooks, conditions and the command line show. */
export interface FieldError {
  /** `spec.rooms[0].name` */
  readonly path: string;
  /** The value at fault, if it is a scalar and not secret. */
  readonly value?: Json;
  /** Kubernetes' type of cause, for `status.details.causes`. */
  readonly reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueTypeInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueForbidden';
  /** For a person: `Invalid value: -1: must be at least 0`. */
  readonly message: string;
}

/** `spec.replicas: Invalid value: -1: must be at least 0` */
export function fieldErrorText(error: FieldError): string {
  return `${error.path}: ${error.message}`;
}

/** Zod's findings about `value`, which stands at `path` and has the schema `field`. */
export function fieldErrors(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  field: Field,
  path: string,
): FieldError[] {
  return issues.flatMap((issue) => fieldError(issue, value, field, path));
}

function fieldError(issue: z.core.$ZodIssue, root: unknown, field: Field, at: string): FieldError[] {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nested = closest(issue.errors).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
    // All branches fail on the value itself: which one was meant is anybody's guess, so the union speaks for them.
    if (nested.some((inner) => inner.path.length > issue.path.length)) return fieldErrors(nested, root, field, at);
  }
  const { value, schema, secret } = follow(root, field, issue.path);
  const path = issue.path.reduce<string>((text, segment) => text + step(segment), at).replace(/^\./, '');
  return [{ path, ...explain(issue, value, schema, secret), ...(isScalar(value) && !secret && { value }) }];
}

function explain(
  issue: z.core.$ZodIssue,
  value: Json | undefined,
  schema: Field,
  secret: boolean,
): Pick<FieldError, 'reason' | 'message'> {
  const shown = secret ? '(secret)' : short(value);
  const forms = issue.code === 'invalid_union' ? schema.enum : undefined;
  const choices = issue.code === 'invalid_value' ? issue.values : forms;
  const supported = choices?.map((choice) => JSON.stringify(choice)).join(', ');
  if (value === undefined && (supported || issue.code === 'invalid_type')) {
    return {
      reason: 'FieldValueRequired',
      message: supported ? `Required value: one of ${supported}` : 'Required value',
    };
  }
  if (supported) {
    return { reason: 'FieldValueNotSupported', message: `Unsupported value: ${shown}: supported values: ${supported}` };
  }
  if (issue.code === 'invalid_type' || (issue.code === 'invalid_union' && schema['x-kubernetes-int-or-string'])) {
    const expected = schema['x-kubernetes-int-or-string'] ? 'integer or string' : (schema.type ?? 'object');
    return { reason: 'FieldValueTypeInvalid', message: `Invalid value: ${shown}: must be of type ${expected}` };
  }
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${shown}: ${reasonOf(issue)}` };
}

function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return `must ${bound(issue.origin)} ${issue.inclusive === false ? 'greater than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `must ${bound(issue.origin)} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return issue.pattern ? `must match ${issue.pattern}` : `must be a valid ${issue.format}`;
    case 'invalid_union':
      return 'matches none of the allowed forms';
    default:
      return issue.message;
  }
}

function bound(origin: string): string {
  if (origin === 'string') return 'have a length of';
  return origin === 'array' || origin === 'set' ? 'have a number of items of' : 'be';
}

/** The branch that the value comes closest to: the one whose errors lie deepest, then the one with the fewest. */
function closest(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  const depth = (issues: readonly z.core.$ZodIssue[]): number => Math.max(...issues.map((issue) => issue.path.length));
  return [...branches].sort((a, b) => depth(b) - depth(a) || a.length - b.length)[0] ?? [];
}

/** Walks value and schema side by side; own properties only. */
function follow(
  root: unknown,
  field: Field,
  path: readonly PropertyKey[],
): { value: Json | undefined; schema: Field; secret: boolean } {
  let value = root;
  let schema: Field | undefined = field;
  let secret = field.secret === true;
  for (const key of path) {
    const holder: unknown = value;
    value =
      typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
        ? Reflect.get(holder, key)
        : undefined;
    schema = typeof key === 'number' ? schema?.items : (property(schema, String(key)) ?? schema?.additionalProperties);
    secret ||= schema?.secret === true;
  }
  return { value: value as Json | undefined, schema: schema ?? {}, secret };
}

function isScalar(value: Json | undefined): value is null | boolean | number | string {
  return value !== undefined && (value === null || typeof value !== 'object');
}

function property(field: Field | undefined, key: string): Field | undefined {
  return field?.properties && Object.hasOwn(field.properties, key) ? field.properties[key] : undefined;
}

function step(segment: PropertyKey): string {
  if (typeof segment === 'number') return `[${segment}]`;
  const name = String(segment);
  return /^[A-Za-z_$][\w-]*$/.test(name) ? `.${name}` : `[${name}]`;
}

/** A value on one line, cut after 80 characters; containers only by their kind, for they may be large. */
function short(value: Json | undefined): string {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object' && value !== null) return 'object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
