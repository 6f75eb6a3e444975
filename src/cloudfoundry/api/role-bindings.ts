import { createHash } from 'node:crypto';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import { roleNames } from '../install/user-roles.ts';
import { annotations, labels } from '../keys.ts';
import type { RoleBinding, Subject } from './directory.ts';
import { type RoleType, roleTypes } from './payload/role.ts';

/** What everybody with a role has in the root namespace: to read organizations and domains. */
type AnyRole = RoleType | 'cf_user';

/** Roles of an organization that hold in its spaces as well. */
const propagated: ReadonlySet<AnyRole> = new Set(['organization_manager']);

/** The RoleBinding that gives a role. Its name is published: who has the role already is found out by the name being taken. */
export function bindingFor(role: {
  readonly type: AnyRole;
  readonly user: string;
  readonly namespace: string;
  readonly guid: string;
}): RoleBinding {
  const { type, user, namespace, guid } = role;
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: kinds.roleBindings.kind,
    metadata: {
      name: bindingName(type, user),
      namespace,
      labels: { [labels.roleGuid]: guid },
      annotations: { [annotations.propagateRole]: String(propagated.has(type)) },
    },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleNames[type] },
    subjects: [subjectOf(user)],
  };
}

/** `cf-` and the SHA-256 of role and user. */
export function bindingName(type: AnyRole, user: string): string {
  const account = serviceAccount(user);
  const spelled = account ? `${account.namespace}/${account.name}` : user;
  return `cf-${createHash('sha256').update(`${type}::${spelled}`).digest('hex')}`;
}

/**
 * Whether a binding was put there by the controllers, to let a role of an organization hold in its spaces. It has the GUID of the
 * role too, and is not the role: deleted, it would come back.
 */
export function isCopy({ metadata }: KubeObject): boolean {
  return metadata.labels?.[labels.propagatedFrom] !== undefined;
}

/** The role that a binding gives, and to whom; `undefined` for a binding that is none of the CF API's, and for copies of one. */
export function roleOf(binding: RoleBinding): { readonly type: RoleType; readonly user: string } | undefined {
  const [subject] = binding.subjects ?? [];
  const type = roleTypes.find((one) => roleNames[one] === binding.roleRef?.name);
  if (!subject || !type || isCopy(binding)) return undefined;
  const user =
    subject.kind === 'ServiceAccount' ? `system:serviceaccount:${subject.namespace}:${subject.name}` : subject.name;
  return { type, user };
}

function subjectOf(user: string): Subject {
  const account = serviceAccount(user);
  if (account) return { kind: 'ServiceAccount', ...account };
  return { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user };
}

function serviceAccount(user: string): { readonly name: string; readonly namespace: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  return namespace && name ? { name, namespace } : undefined;
}
