import type { Outcomes } from '../../../control/outcome.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { annotations } from '../../keys.ts';
import type { SealedSecret } from '../../manifests/copies.ts';
import type { Namespace, RoleBinding, ServiceAccount } from '../../observe/kube-shapes.ts';
import type { PlaceView } from '../../observe/place-view.ts';
import type { CfOrg } from '../../resources/cf-org.ts';
import type { CfSpace } from '../../resources/cf-space.ts';
import { type SmallCluster, sealed } from '../carried-out.fixture.ts';

const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';
const creationTimestamp = '2026-01-02T03:04:05Z';

export const org: CfOrg = {
  apiVersion,
  kind: 'CFOrg',
  metadata: { name: 'org-1', namespace: 'cf', uid: 'org-uid', generation: 1, creationTimestamp },
  spec: { displayName: 'demo' },
};

export const space: CfSpace = {
  apiVersion,
  kind: 'CFSpace',
  metadata: { name: 'space-1', namespace: 'org-1', uid: 'space-uid', generation: 1, creationTimestamp },
  spec: { displayName: 'dev' },
};

export function roleBinding(name: string, namespace: string, more: Partial<RoleBinding> = {}): RoleBinding {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'korifi-controllers-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'cf-admin', namespace: 'cf' }],
    ...more,
    metadata: { name, namespace, annotations: { [annotations.propagateRole]: 'true' }, ...more.metadata },
  };
}

export function serviceAccount(name: string, namespace = 'cf'): ServiceAccount {
  const passedOn = { [annotations.propagateServiceAccount]: 'true', [annotations.propagateDeletion]: 'false' };
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, annotations: passedOn } };
}

export function registrySecret(namespace: string, value = 'e30='): SealedSecret {
  const metadata = { name: 'image-registry-credentials', namespace };
  const data = { '.dockerconfigjson': sealed(value) };
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/dockerconfigjson', data };
}

/** What would be seen of a place in a cluster. */
export function viewOf<T extends CfOrg | CfSpace>(
  cluster: SmallCluster,
  { kind, metadata }: T,
  outcomes: Outcomes = {},
  now = Date.parse('2026-01-02T04:00:00Z'),
): PlaceView<T> {
  const { name = '', namespace: parent = '' } = metadata;
  const place = cluster.get<T>(kind, name) as T;
  const namespace = cluster.get<Namespace>('Namespace', name);
  const isSpace = kind === 'CFSpace';
  const within = (of: string) => ({
    roleBindings: cluster.all<RoleBinding>('RoleBinding', of),
    serviceAccounts: cluster.all<ServiceAccount>('ServiceAccount', of),
    secrets: cluster.all<SealedSecret>('Secret', of),
  });
  return {
    now,
    outcomes,
    place,
    ...(namespace && { namespace }),
    unbound: [],
    sources: { ...within(parent), serviceAccounts: isSpace ? within('cf').serviceAccounts : [] },
    present: within(name),
    contents: isSpace
      ? [...cluster.all<KubeObject>('CFApp', name), ...cluster.all<KubeObject>('CFRoute', name)]
      : cluster.all<KubeObject>('CFSpace', name),
    settings: { version: 'v0.1.0', rootNamespace: 'cf', registrySecrets: ['image-registry-credentials'] },
  };
}
