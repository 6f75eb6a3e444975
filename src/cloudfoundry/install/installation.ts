import type { KubeObject } from '../../kube/object.ts';
import { annotations } from '../keys.ts';
import type { Subject } from '../observe/kube-shapes.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { operatorRole, operatorRoleName, placesRole } from './operator-role.ts';
import { rootNamespace } from './root-namespace.ts';
import { roleNames, userRoles } from './user-roles.ts';

export interface InstallationOptions {
  /** The account that the operator and the API run as. Absent where they run with other rights than an account's. */
  readonly operator?: { readonly namespace: string; readonly name: string };
  /** Who administers Cloud Foundry from the start, in all organizations and spaces. */
  readonly admins?: readonly Subject[];
}

/** All that an installation needs beside the definitions of the kinds, in the order in which it is created. */
export function installation(settings: CloudFoundrySettings, options: InstallationOptions = {}): readonly KubeObject[] {
  const { operator, admins = [] } = options;
  return [
    ...userRoles(),
    operatorRole(),
    placesRole(),
    ...(operator ? [operatorBinding(operator)] : []),
    ...rootNamespace(settings),
    ...(admins.length > 0 ? [adminBinding(settings, admins)] : []),
  ];
}

const rbac = { apiGroup: 'rbac.authorization.k8s.io', apiVersion: 'rbac.authorization.k8s.io/v1' };

function operatorBinding({ namespace, name }: NonNullable<InstallationOptions['operator']>): KubeObject {
  const binding = {
    apiVersion: rbac.apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name: operatorRoleName },
    roleRef: { apiGroup: rbac.apiGroup, kind: 'ClusterRole', name: operatorRoleName },
    subjects: [{ kind: 'ServiceAccount', namespace, name }],
  };
  return binding;
}

/** It is passed on to every organization and space. */
function adminBinding({ rootNamespace: namespace }: CloudFoundrySettings, subjects: readonly Subject[]): KubeObject {
  const binding = {
    apiVersion: rbac.apiVersion,
    kind: 'RoleBinding',
    metadata: { name: 'default-admin-binding', namespace, annotations: { [annotations.propagateRole]: 'true' } },
    roleRef: { apiGroup: rbac.apiGroup, kind: 'ClusterRole', name: roleNames.admin },
    subjects,
  };
  return binding;
}
