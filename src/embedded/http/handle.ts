import type { Attributes, User } from '../gate.ts';
import { denial } from '../registry/denial.ts';
import { badRequest, StatusError } from '../status-error.ts';
import { type Answer, statusAnswer, textAnswer } from './answer.ts';
import { checkLength } from './body.ts';
import { impersonated } from './impersonate.ts';
import { serveResource } from './serve-resource.ts';
import type { Arrival, Serving, Visit } from './serving.ts';
import { type ResourceTarget, type Target, targetOf } from './target.ts';

/**
 * Answers one request, from a socket or from a caller in the same process.
 *
 * Guarantees: it never rejects; whatever goes wrong is a `Status` in the answer. A request that is refused changed
 * nothing.
 */
export async function handle(serving: Serving, arrival: Arrival): Promise<Answer> {
  const warnings: string[] = [];
  let answer: Answer;
  try {
    answer = await respond(serving, arrival, warnings);
  } catch (error) {
    answer = statusAnswer(statusOf(serving, arrival, error).status);
  }
  if (warnings.length === 0) return answer;
  const headers = [...new Set(warnings)].map((text) => `299 - ${quoted(text)}`);
  return { ...answer, headers: { ...answer.headers, warning: headers } };
}

async function respond(serving: Serving, arrival: Arrival, warnings: string[]): Promise<Answer> {
  const { path, query } = splitPath(arrival.path);
  const target = targetOf(path);
  const user = await admitted(serving, arrival, target, query);
  checkLength(arrival.body?.length ?? 0);
  const visit: Visit = { request: arrival, user, query, warnings };
  if (target.type === 'resource') return serveResource(serving, visit, target);
  return (await serving.about(target.path, arrival.headers?.accept ?? '', query)) ?? pageNotFound;
}

/** Who asks, if they may. @throws StatusError 401, 403 */
export async function admitted(
  serving: Serving,
  arrival: Arrival,
  target: Target,
  query: URLSearchParams,
): Promise<User> {
  const known = await serving.authenticator.authenticate(arrival.credentials);
  if (!known) throw new StatusError(401, 'Unauthorized', 'Unauthorized');
  const { authorizer } = serving.ground;
  const user = impersonated(authorizer, known, arrival.headers ?? {});
  const attributes: Attributes =
    target.type === 'path'
      ? { user, verb: arrival.method.toLowerCase(), path: target.path }
      : { user, verb: verbOf(arrival.method, target, query), resource: attributesOf(target, query) };
  const { allowed, reason } = authorizer.authorize(attributes);
  if (!allowed) throw denial(attributes, reason);
  return user;
}

/** What a method does to a target, in RBAC's words. */
export function verbOf(method: Arrival['method'], target: ResourceTarget, query: URLSearchParams): string {
  switch (method) {
    case 'GET': {
      if (target.watch) return 'watch';
      if (target.name) return 'get';
      const watch = query.get('watch');
      return watch !== null && watch !== '0' && watch !== 'false' ? 'watch' : 'list';
    }
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return target.name ? 'delete' : 'deletecollection';
  }
}

function attributesOf(target: ResourceTarget, query: URLSearchParams): NonNullable<Attributes['resource']> {
  const { group, version, plural, namespace, subresource } = target;
  // Asking for a collection's only object of a name is asking for that object.
  const name = target.name || (/(?:^|,)metadata\.name==?([^,!=]+)/.exec(query.get('fieldSelector') ?? '')?.[1] ?? '');
  return {
    group,
    version,
    plural,
    ...(subresource && { subresource }),
    ...(namespace && { namespace }),
    ...(name && { name }),
  };
}

export function splitPath(path: string): { readonly path: string; readonly query: URLSearchParams } {
  const mark = path.indexOf('?');
  if (mark === -1) return { path, query: new URLSearchParams() };
  return { path: path.slice(0, mark), query: new URLSearchParams(path.slice(mark + 1)) };
}

/** The refusal that an error means. What is not a refusal is the server's own failure, and is reported. */
export function statusOf(serving: Serving, arrival: Arrival, error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  // A value so deep or odd that a walk over it failed is the client's doing.
  if (error instanceof RangeError) return badRequest(`the request cannot be processed: ${error.message}`);
  serving.trouble(`${arrival.method} ${arrival.path.split('?', 1)[0]}`, error);
  const message = error instanceof Error ? error.message : String(error);
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, {
    causes: [{ message }],
  });
}

export const pageNotFound: Answer = textAnswer(404, '404 page not found\n');

/** A text as a quoted string of a header: printable ASCII and Latin-1 only. */
function quoted(text: string): string {
  const safe = text.replace(/[^\t\x20-\x7e\xa1-\xff]/g, '?');
  return `"${safe.replace(/["\\]/g, '\\$&')}"`;
}
