import type { Authorizer, User } from '../gate.ts';
import { denial } from '../registry/denial.ts';
import { badRequest } from '../status-error.ts';

const extraPrefix = 'impersonate-extra-';

/**
 * Whom a request speaks for: the caller, or the user named in its `Impersonate-…` headers.
 *
 * @throws StatusError 403 when the caller may not speak for them
 */
export function impersonated(authorizer: Authorizer, caller: User, headers: Readonly<Record<string, string>>): User {
  const name = headers['impersonate-user'];
  const asked = Object.keys(headers).some((header) => header.startsWith('impersonate-'));
  if (!asked) return caller;
  if (!name) throw badRequest('requested impersonation without impersonating a user');
  const groups = (headers['impersonate-group'] ?? '')
    .split(',')
    .map((group) => group.trim())
    .filter(Boolean);
  const extra = Object.entries(headers)
    .filter(([header]) => header.startsWith(extraPrefix))
    .map(
      ([header, value]) =>
        [decoded(header.slice(extraPrefix.length)), value.split(',').map((one) => one.trim())] as const,
    );

  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name);
  const require = (group: string, plural: string, what: string, namespace?: string, subresource?: string): void => {
    const attributes = {
      user: caller,
      verb: 'impersonate',
      resource: {
        group,
        version: 'v1',
        plural,
        name: what,
        ...(namespace && { namespace }),
        ...(subresource && { subresource }),
      },
    };
    const { allowed, reason } = authorizer.authorize(attributes);
    if (!allowed) throw denial(attributes, reason);
  };
  if (account) require('', 'serviceaccounts', account[2] as string, account[1]);
  else require('', 'users', name);
  for (const group of groups) require('', 'groups', group);
  const uid = headers['impersonate-uid'];
  if (uid) require('authentication.k8s.io', 'uids', uid);
  for (const [key, values] of extra) {
    for (const value of values) require('authentication.k8s.io', 'userextras', value, undefined, key);
  }

  const implied = account ? ['system:serviceaccounts', `system:serviceaccounts:${account[1]}`] : [];
  const own = groups.length > 0 ? groups : implied;
  const everyone = name === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  return {
    name,
    ...(uid && { uid }),
    groups: own.includes(everyone) ? own : [...own, everyone],
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
}

/** Keys may be escaped, because they may contain what a header's name may not. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
