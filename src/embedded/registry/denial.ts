import type { Attributes } from '../gate.ts';
import { forbidden, StatusError } from '../status-error.ts';

/** How someone is told that they may not: in the real server's words, which tools and people search for. */
export function denial({ user, verb, resource, path }: Attributes, reason: string): StatusError {
  const who = `User ${JSON.stringify(user.name)}`;
  const why = reason ? `: ${reason}` : '';
  if (!resource) {
    return new StatusError(403, 'Forbidden', `forbidden: ${who} cannot ${verb} path ${JSON.stringify(path)}${why}`, {});
  }
  const { group, plural, subresource, namespace, name } = resource;
  const what = subresource ? `${plural}/${subresource}` : plural;
  const where = namespace ? `in the namespace ${JSON.stringify(namespace)}` : 'at the cluster scope';
  return forbidden(
    { group, plural, ...(name && { name }) },
    `${who} cannot ${verb} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}${why}`,
  );
}
