import type { Status, StatusCause } from '../kube/object.ts';

type Details = NonNullable<Status['details']>;

/** A refusal in Kubernetes' own words. Whatever part of the server throws it, the client receives this `Status`. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: Status;

  constructor(code: number, reason: string, message: string, details?: Details) {
    super(message);
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason && { reason }),
      ...(details && { details }),
      code,
    };
  }
}

/** The server's own failure, as a client is told of it: 500. */
export function internalError(cause: unknown): StatusError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** What a refusal is about: the resource's group and plural (Kubernetes calls the plural `kind` here) and the object's name. */
export interface About {
  readonly group: string;
  readonly plural: string;
  readonly name?: string;
}

const qualified = (about: About): string => (about.group ? `${about.plural}.${about.group}` : about.plural);

const detailsOf = (about: About, more: Details = {}): Details => ({
  ...(about.name && { name: about.name }),
  ...(about.group && { group: about.group }),
  kind: about.plural,
  ...more,
});

export function notFound(about: About): StatusError {
  return new StatusError(404, 'NotFound', `${qualified(about)} "${about.name}" not found`, detailsOf(about));
}

export function alreadyExists(about: About): StatusError {
  const message = `${qualified(about)} "${about.name}" already exists`;
  return new StatusError(409, 'AlreadyExists', message, detailsOf(about));
}

export function conflict(about: About, why: string, causes?: readonly StatusCause[]): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(about)} "${about.name}": ${why}`;
  return new StatusError(409, 'Conflict', message, detailsOf(about, causes ? { causes } : {}));
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

export function forbidden(about: About, why: string): StatusError {
  const message = about.name
    ? `${qualified(about)} "${about.name}" is forbidden: ${why}`
    : `${qualified(about)} is forbidden: ${why}`;
  return new StatusError(403, 'Forbidden', message, detailsOf(about));
}

/** Why a field is wrong. The reasons are Kubernetes' cause types. */
export interface FieldError {
  readonly reason:
    | 'FieldValueInvalid'
    | 'FieldValueRequired'
    | 'FieldValueForbidden'
    | 'FieldValueDuplicate'
    | 'FieldValueNotSupported'
    | 'FieldValueNotFound'
    | 'FieldValueTypeInvalid'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany';
  /** `spec.template.spec.containers[0].image` */
  readonly field: string;
  /** Everything after the field in Kubernetes' message: `Invalid value: -1: must be greater than or equal to 0`. */
  readonly message: string;
}

/** 422: the object is well-formed but its fields are wrong. `about.plural` is not used here: Kubernetes names the kind. */
export function invalid(group: string, kind: string, name: string, errors: readonly FieldError[]): StatusError {
  const lines = errors.map((error) => `${error.field}: ${error.message}`);
  const list = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`;
  return new StatusError(422, 'Invalid', `${group ? `${kind}.${group}` : kind} "${name}" is invalid: ${list}`, {
    ...(name && { name }),
    ...(group && { group }),
    kind,
    causes: errors.map(({ reason, field, message }) => ({ reason, message, field })),
  });
}
