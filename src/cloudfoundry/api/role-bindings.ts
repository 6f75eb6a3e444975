import { createHash } from 'node:crypto';
import { kinds } from '../../kube/kinds.ts';
import { annotations, labels } from '../keys.ts';
import type { RoleBinding, Subject } from './directory.ts';
import type { RoleType } from './payload/role.ts';

/** What everybody with a role has in the root namespace: to read organizations and domains. */
type AnyRole = RoleType | 'cf_user';

/** ClusterRoles are published under these names. */
const prefix = 'korifi-controllers-';
const rootRole = `${prefix}root-namespace-user`;

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
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: clusterRoleOf(type) },
    subjects: [subjectOf(user)],
  };
}

/** `cf-` and the SHA-256 of role and user. */
export function bindingName(type: AnyRole, user: string): string {
  const account = serviceAccount(user);
  const spelled = account ? `${account.namespace}/${account.name}` : user;
  return `cf-${createHash('sha256').update(`${type}::${spelled}`).digest('hex')}`;
}

/** The role that a binding gives, and to whom; `undefined` for a binding that is none of the CF API's. */
export function roleOf(binding: RoleBinding): { readonly type: RoleType; readonly user: string } | undefined {
  const { name } = binding.roleRef;
  const [subject] = binding.subjects ?? [];
  if (!subject || !name.startsWith(prefix) || name === rootRole) return undefined;
  const type = name.slice(prefix.length).replaceAll('-', '_') as RoleType;
  const user =
    subject.kind === 'ServiceAccount' ? `system:serviceaccount:${subject.namespace}:${subject.name}` : subject.name;
  return { type, user };
}

function clusterRoleOf(type: AnyRole): string {
  return type === 'cf_user' ? rootRole : `${prefix}${type.replaceAll('_', '-')}`;
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
