import type { Attributes, User } from '../gate.ts';
import { denial } from '../registry/denial.ts';
import { StatusError } from '../status-error.ts';
import { impersonated } from './impersonate.ts';
import type { Arrival, Serving } from './serving.ts';
import type { ResourceTarget, Target } from './target.ts';
import { verbOf } from './verb-of.ts';

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
