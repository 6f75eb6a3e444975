import { parseFieldSelector } from '../../kube/selector/field-selector.ts';
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
  const user = impersonated(serving.ground.authorizer, known, arrival.headers ?? {});
  const attributes: Attributes =
    target.type === 'path'
      ? { user, verb: arrival.method.toLowerCase(), path: target.path }
      : resourceAttributes(user, verbOf(arrival.method, target, query), target, query);
  authorize(serving, attributes);
  return user;
}

/** @throws StatusError 403 */
export function authorize({ ground }: Serving, attributes: Attributes): void {
  const { allowed, reason } = ground.authorizer.authorize(attributes);
  if (!allowed) throw denial(attributes, reason);
}

/** What a request to a resource means in RBAC's terms. */
export function resourceAttributes(
  user: User,
  verb: string,
  target: ResourceTarget,
  query: URLSearchParams,
): Attributes {
  const { group, version, plural, namespace, subresource } = target;
  const name = target.name || (ofCollections.has(verb) ? selectedName(query) : '');
  return {
    user,
    verb,
    resource: {
      group,
      version,
      plural,
      ...(subresource && { subresource }),
      ...(namespace && { namespace }),
      ...(name && { name }),
    },
  };
}

const ofCollections = new Set(['list', 'watch', 'deletecollection']);

/** Asking for a collection's only object of a name is asking for that object. */
function selectedName(query: URLSearchParams): string {
  try {
    const fields = parseFieldSelector(query.get('fieldSelector') ?? '');
    return fields.find(({ field, not }) => field === 'metadata.name' && !not)?.value ?? '';
  } catch {
    // A selector that cannot be read selects nothing, and is refused later.
    return '';
  }
}
