import type { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { account, namespace as usual } from './manifests.ts';

/** Lets JobManagers make their TaskManagers, as native mode needs it. */
export async function grantFlink(client: Client, namespace = usual): Promise<void> {
  const metadata = { name: account, namespace };
  const rbac = { apiGroup: 'rbac.authorization.k8s.io', apiVersion: 'rbac.authorization.k8s.io/v1' };
  const create = (type: ResourceType, object: KubeObject & object): Promise<unknown> =>
    client.resource<KubeObject>(type).create(object);
  const rules = [
    { apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['*'] },
    { apiGroups: ['apps'], resources: ['deployments', 'deployments/finalizers'], verbs: ['*'] },
  ];
  const bound = {
    roleRef: { apiGroup: rbac.apiGroup, kind: 'Role', name: account },
    subjects: [{ kind: 'ServiceAccount', ...metadata }],
  };
  await create(kinds.serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  await create(kinds.roles, { apiVersion: rbac.apiVersion, kind: 'Role', metadata, ...{ rules } });
  await create(kinds.roleBindings, { apiVersion: rbac.apiVersion, kind: 'RoleBinding', metadata, ...bound });
}
