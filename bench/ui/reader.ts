import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { World } from '../kudo/world.ts';

const name = 'reader';

/** Somebody who may see and do everything, and their token. */
export async function reader(world: World): Promise<string> {
  const namespace = 'default';
  await world.client
    .resource(kinds.serviceAccounts)
    .create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
  await world.client.resource<AnyObject>(kinds.clusterRoleBindings).create({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  } as AnyObject);
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7_200 } };
  const { status } = await world.wire.send<{ readonly status: { readonly token: string } }>('POST', path, asked);
  return status.token;
}
