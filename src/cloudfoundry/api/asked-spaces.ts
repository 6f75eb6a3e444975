import type { ListQuery } from './list.ts';
import type { Caller, Platform } from './platform.ts';

/** The spaces that a query asks for by `space_guids` and `organization_guids`; `undefined` when by neither. */
export function askedSpaces(
  { directory }: Pick<Platform, 'directory'>,
  caller: Caller,
  query: Pick<ListQuery, 'values'>,
): readonly string[] | undefined {
  const spaces = query.values('space_guids');
  const orgs = query.values('organization_guids');
  if (!orgs) return spaces;
  const inOrgs = directory.spaces(caller).filter(({ orgGuid }) => orgs.includes(orgGuid));
  return inOrgs.map(({ guid }) => guid).filter((guid) => !spaces || spaces.includes(guid));
}
