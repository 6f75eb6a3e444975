/** One error as Cloud Foundry's API words it. */
interface CfFault {
  readonly detail: string;
  readonly title: string;
  readonly code: number;
}

/**
 * What goes wrong with a request, in the words of the CF API. Whoever throws it has decided status, code and text; the server
 * only prints it. Clients compare some texts literally: change none of them lightly.
 */
export class CfError extends Error {
  override readonly name = 'CfError';
  readonly status: number;
  readonly code: number;
  readonly title: string;
  readonly detail: string;
  /** Further errors of the same request. */
  readonly more: readonly CfFault[];

  constructor(
    status: number,
    fault: CfFault,
    options: { readonly more?: readonly CfFault[]; readonly cause?: unknown } = {},
  ) {
    super(fault.detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.code = fault.code;
    this.title = fault.title;
    this.detail = fault.detail;
    this.more = options.more ?? [];
  }

  /** The body of the answer. */
  get body(): { readonly errors: readonly CfFault[] } {
    const { detail, title, code } = this;
    return { errors: [{ detail, title, code }, ...this.more] };
  }
}

/** Kinds of things whose absence `cf` tells by the exact text, without the second sentence. */
const bare = new Set(['App', 'Droplet', 'Deployment', 'Process', 'Instance', 'User']);

/** 404. Also the answer to whoever may not see it: that it exists is nobody else's business. */
export function notFound(label: string): CfError {
  const detail = bare.has(label)
    ? `${label} not found`
    : `${label} not found. Ensure it exists and you have access to it.`;
  return new CfError(404, { detail, title: 'CF-ResourceNotFound', code: 10010 });
}

/** 404 of a path or method that the API does not have. */
export function unknownRequest(): CfError {
  return new CfError(404, { detail: 'Unknown request', title: 'CF-NotFound', code: 10000 });
}

/** 422: the request is understood and cannot be done as it stands. */
export function unprocessable(detail: string, cause?: unknown): CfError {
  return new CfError(422, { detail, title: 'CF-UnprocessableEntity', code: 10008 }, { cause });
}

/** 422 for a name that is taken. */
export function notUnique(detail: string): CfError {
  return new CfError(422, { detail, title: 'CF-UniquenessError', code: 10016 });
}

/** 422: what the request refers to is not there, or not for the caller. */
export function invalidRelation(what: string): CfError {
  return unprocessable(`Invalid ${what}. Ensure that the ${what} exists and you have access to it.`);
}

/** 403 of a write. */
export function notAuthorized(cause?: unknown): CfError {
  const detail = 'You are not authorized to perform the requested action';
  return new CfError(403, { detail, title: 'CF-NotAuthorized', code: 10003 }, { cause });
}

/** 401: no credentials. */
export function notAuthenticated(): CfError {
  return new CfError(401, { detail: 'Authentication error', title: 'CF-NotAuthenticated', code: 10002 });
}

/** 401: credentials that the cluster does not know. */
export function invalidAuthToken(): CfError {
  return new CfError(401, { detail: 'Invalid Auth Token', title: 'CF-InvalidAuthToken', code: 1000 });
}

/** 400: the body is no JSON (or YAML). */
export function unparsable(): CfError {
  const detail = 'Request invalid due to parse error: invalid request body';
  return new CfError(400, { detail, title: 'CF-MessageParseError', code: 1001 });
}

/** 400 of a query. */
export function badQuery(why: string): CfError {
  const detail = `The query parameter is invalid: ${why}`;
  return new CfError(400, { detail, title: 'CF-BadQueryParameter', code: 10005 });
}

/** 400 for what this platform does not do at all. */
export function badRequest(detail: string): CfError {
  return new CfError(400, { detail, title: 'CF-InvalidRequest', code: 10004 });
}

/** 413. */
export function tooLarge(limit: number): CfError {
  const detail = `The request body is larger than ${limit} bytes`;
  return new CfError(413, { detail, title: 'CF-RequestTooLarge', code: 10004 });
}

/** 5xx. The detail is for a person: what happened, and what may be done about it. */
export function failure(status: 500 | 503, detail: string, cause?: unknown): CfError {
  const title = status === 503 ? 'CF-ServiceUnavailable' : 'UnknownError';
  return new CfError(status, { detail, title, code: status === 503 ? 10015 : 10001 }, { cause });
}
