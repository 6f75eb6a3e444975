import { labels } from '../../keys.ts';
import type { RoleBinding } from '../directory.ts';
import type { RoleType } from '../payload/role.ts';
import { link, relation } from './links.ts';
import { createdAt, updatedAt } from './metadata.ts';

/** A role: a RoleBinding in the namespace of its organization or space. */
export function presentRole(
  binding: RoleBinding,
  role: { readonly type: RoleType; readonly user: string },
  base: string,
): object {
  const { namespace, labels: own } = binding.metadata;
  const guid = own?.[labels.roleGuid] ?? '';
  const place = role.type.startsWith('space_') ? 'space' : 'organization';
  return {
    guid,
    created_at: createdAt(binding),
    updated_at: updatedAt(binding),
    type: role.type,
    relationships: { [place]: relation(namespace), user: relation(role.user) },
    links: {
      self: link(base, `/v3/roles/${guid}`),
      user: link(base, `/v3/users/${role.user}`),
      [place]: link(base, `/v3/${place}s/${namespace}`),
    },
  };
}

/** A user is known by his name alone: who he is, is the cluster's business. */
export function presentUser(name: string, base: string): object {
  return {
    username: name,
    guid: name,
    presentation_name: name,
    origin: 'kubernetes',
    links: { self: link(base, `/v3/users/${name}`) },
  };
}
